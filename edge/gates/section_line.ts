// What makes a kept section of a marketplace stale: a word of its operator or of a merchant that it shows, another revision of
// a product that it shows, and its own age, which covers what no word is told of.
import type { Edge } from '#edge/endpoint.ts';
import { type Tenant, tenantKey } from '#runtime/call/call.ts';
import { readSectionSubject } from '#runtime/call/subject.ts';
import type { Answer } from '#runtime/link/frame.ts';
import type { CacheSection } from './cache.ts';
import { NOTHING_HEARD } from './revision.ts';

export class SectionLine {
  readonly #edge: Pick<Edge, 'revisions' | 'lastHeard'>;

  constructor(edge: Pick<Edge, 'revisions' | 'lastHeard'>) {
    this.#edge = edge;
  }

  stands({ operator, mark, until, members }: CacheSection): boolean {
    const { revisions, lastHeard } = this.#edge;
    if (performance.now() >= until || !lastHeard.silent(operator, mark)) return false;
    return members.every(
      ({ tenant, shelf }) => lastHeard.silent(tenant, mark) && (shelf === null || revisions.allStand(tenant, shelf)),
    );
  }

  /** `mark`: from before it was asked for. */
  follow(operator: Tenant, answer: Answer, mark: number): CacheSection {
    const { environment } = operator;
    const { fresh_ms, members } = readSectionSubject(answer.subject);
    return {
      operator: tenantKey(operator),
      mark,
      until: performance.now() + fresh_ms,
      members: members.map(({ store, revision, products }) => {
        const tenant: Tenant = { store, environment };
        if (revision === null) return { tenant: tenantKey(tenant), shelf: null };
        this.#edge.revisions.saw(tenant, revision);
        return { tenant: tenantKey(tenant), shelf: { mark: revision, subjects: products, heard: NOTHING_HEARD } };
      }),
    };
  }
}
