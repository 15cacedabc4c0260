// Which revisions an endpoint's answers follow: one line of its own, and beside it another one as far as they show it.
import type { Edge } from '#edge/endpoint.ts';
import type { Route } from '#proto/route.ts';
import { type Tenant, tenantKey } from '#runtime/call/call.ts';
import { readFeedSubject, readSubject } from '#runtime/call/subject.ts';
import type { Answer } from '#runtime/link/frame.ts';
import type { CacheEntry, CachePage } from './cache.ts';
import { NOTHING_HEARD, type Revisions } from './revision.ts';
import { SectionLine } from './section_line.ts';

/** Of an answer that is to be kept: what makes it stale. */
export type Dependence = Pick<CacheEntry, 'tenant' | 'revision' | 'subject' | 'shelf' | 'section'>;

/** What had been heard before an answer was asked for. */
export interface Mark {
  /** Of the catalogue or of content. */
  readonly revision: number;
  readonly heard: number;
}

const shelfOf = (mark: number, subjects: readonly string[]): CachePage => ({ mark, subjects, heard: NOTHING_HEARD });

export class WaitingLine {
  readonly #cache: Route['cache'];
  readonly #own: Revisions;
  readonly #beside: Revisions;
  readonly #sections: SectionLine;
  readonly #lastHeard: Edge['lastHeard'];

  constructor(edge: Edge, cache: Route['cache']) {
    const { revisions, reviews, contents } = edge;
    this.#cache = cache;
    this.#sections = new SectionLine(edge);
    this.#lastHeard = edge.lastHeard;
    this.#own = cache === 'review' ? reviews : cache === 'content' ? contents : revisions;
    this.#beside = cache === 'feed' ? contents : revisions;
  }

  stands({ tenant, revision, subject, shelf, section }: Dependence): boolean {
    if (section !== null) return this.#sections.stands(section);
    return this.#own.stands(tenant, revision, subject) && (shelf === null || this.#beside.allStand(tenant, shelf));
  }

  /** Asked for before the answer is: what is heard meanwhile may not be in it. */
  mark(tenant: Tenant): Mark {
    return { revision: this.#beside.mark(tenant), heard: this.#lastHeard.now };
  }

  /** What an answer to the tenant follows; heard of from here on. `mark`: from before it was asked for. */
  follow(caller: Tenant, answer: Answer, mark: Mark): Dependence {
    const { revision } = answer;
    if (this.#cache === 'section') {
      const section = revision > 0 ? this.#sections.follow(caller, answer, mark.heard) : null;
      return { tenant: tenantKey(caller), revision, subject: '', shelf: null, section };
    }
    const { tenant, subject, shelf } = this.#read(caller, answer.subject, mark.revision);
    if (revision > 0) this.#own.saw(tenant, revision);
    return { tenant: tenantKey(tenant), revision, subject, shelf, section: null };
  }

  #read(caller: Tenant, text: string, mark: number) {
    if (this.#cache === 'feed') return this.#readFeed(text);
    if (this.#cache === 'review') {
      return { tenant: caller, subject: text, shelf: shelfOf(mark, text === '' ? [] : [text]) };
    }
    const { subject, shown } = readSubject(text);
    return { tenant: caller, subject, shelf: shown && shelfOf(mark, shown) };
  }

  /** A feed has no key, so that whose it is, and what it follows beside, is known once it is answered. */
  #readFeed(text: string) {
    const { store, content } = readFeedSubject(text);
    const tenant: Tenant = { store, environment: 'production' };
    if (content === null) return { tenant, subject: '', shelf: null };
    this.#beside.saw(tenant, content);
    return { tenant, subject: '', shelf: shelfOf(content, []) };
  }
}
