// Decides whether a cached response is fresh by the revisions that the response depends on.
import type { Edge } from '#edge/endpoint.ts';
import type { Route } from '#proto/route.ts';
import { type Tenant, tenantKey } from '#runtime/call/call.ts';
import type { Answer } from '#runtime/link/frame.ts';
import { readFeedSubject, readSubject } from '#services/commerce/cache_subject.ts';
import type { CacheDependency, CacheEntry } from './cache.ts';
import { NO_NOTICE, type Revisions } from './revision.ts';
import { SectionFreshness } from './section_freshness.ts';

export type EntryDependencies = Pick<CacheEntry, 'tenant' | 'revision' | 'subject' | 'dependsOn' | 'section'>;

/** Revision and notice count before a call; a response is stale if either changed during the call. */
export interface FreshnessSnapshot {
  readonly revision: number;
  readonly noticeCount: number;
}

const dependencyOn = (revision: number, subjects: readonly string[]): CacheDependency => ({
  revision,
  subjects,
  validatedAtNotice: NO_NOTICE,
});

export class CacheFreshness {
  readonly #cache: Route['cache'];
  readonly #primary: Revisions;
  readonly #secondary: Revisions;
  readonly #sections: SectionFreshness;
  readonly #tenantInvalidations: Edge['tenantInvalidations'];

  constructor(edge: Edge, cache: Route['cache']) {
    const { revisions, reviews, contents } = edge;
    this.#cache = cache;
    this.#sections = new SectionFreshness(edge);
    this.#tenantInvalidations = edge.tenantInvalidations;
    this.#primary = cache === 'review' ? reviews : cache === 'content' ? contents : revisions;
    this.#secondary = cache === 'feed' ? contents : revisions;
  }

  isFresh({ tenant, revision, subject, dependsOn, section }: EntryDependencies): boolean {
    if (section !== null) return this.#sections.isFresh(section);
    return (
      this.#primary.isFresh(tenant, revision, subject) &&
      (dependsOn === null || this.#secondary.isDependencyFresh(tenant, dependsOn))
    );
  }

  /** Must be called before the service is: changes that arrive during the call may be missing from the response. */
  snapshot(tenant: Tenant): FreshnessSnapshot {
    return { revision: this.#secondary.current(tenant), noticeCount: this.#tenantInvalidations.noticeCount };
  }

  dependenciesOf(caller: Tenant, answer: Answer, snapshot: FreshnessSnapshot): EntryDependencies {
    const { revision } = answer;
    if (this.#cache === 'section') {
      const section = revision > 0 ? this.#sections.dependenciesOf(caller, answer, snapshot.noticeCount) : null;
      return { tenant: tenantKey(caller), revision, subject: '', dependsOn: null, section };
    }
    const { tenant, subject, dependsOn } = this.#parse(caller, answer.subject, snapshot.revision);
    if (revision > 0) this.#primary.observe(tenant, revision);
    return { tenant: tenantKey(tenant), revision, subject, dependsOn, section: null };
  }

  #parse(caller: Tenant, text: string, revision: number) {
    if (this.#cache === 'feed') return this.#parseFeed(text);
    if (this.#cache === 'review') {
      return { tenant: caller, subject: text, dependsOn: dependencyOn(revision, text === '' ? [] : [text]) };
    }
    const { subject, shown } = readSubject(text);
    return { tenant: caller, subject, dependsOn: shown && dependencyOn(revision, shown) };
  }

  /** Feeds are requested without a key, so the service names the tenant and the content's revision in its response. */
  #parseFeed(text: string) {
    const { store, content } = readFeedSubject(text);
    const tenant: Tenant = { store, environment: 'production' };
    if (content === null) return { tenant, subject: '', dependsOn: null };
    this.#secondary.observe(tenant, content);
    return { tenant, subject: '', dependsOn: dependencyOn(content, []) };
  }
}
