// Decides whether a cached marketplace section is fresh. A section becomes stale by age, by a notice about its operator
// or one of its merchants, and by a new revision of one of its products.
import type { Edge } from '#edge/endpoint.ts';
import { type Tenant, tenantKey } from '#runtime/call/call.ts';
import type { Answer } from '#runtime/link/frame.ts';
import { readSectionSubject } from '#services/commerce/cache_subject.ts';
import type { SectionDependencies } from './cache.ts';
import { NO_NOTICE } from './revision.ts';

export class SectionFreshness {
  readonly #edge: Pick<Edge, 'revisions' | 'tenantInvalidations'>;

  constructor(edge: Pick<Edge, 'revisions' | 'tenantInvalidations'>) {
    this.#edge = edge;
  }

  isFresh({ operator, noticeCount, until, members }: SectionDependencies): boolean {
    const { revisions, tenantInvalidations } = this.#edge;
    if (performance.now() >= until || !tenantInvalidations.isUnchangedSince(operator, noticeCount)) return false;
    return members.every(
      ({ tenant, dependsOn }) =>
        tenantInvalidations.isUnchangedSince(tenant, noticeCount) &&
        (dependsOn === null || revisions.isDependencyFresh(tenant, dependsOn)),
    );
  }

  dependenciesOf(operator: Tenant, answer: Answer, noticeCount: number): SectionDependencies {
    const { environment } = operator;
    const { fresh_ms, members } = readSectionSubject(answer.subject);
    return {
      operator: tenantKey(operator),
      noticeCount,
      until: performance.now() + fresh_ms,
      members: members.map(({ store, revision, products }) => {
        const tenant: Tenant = { store, environment };
        if (revision === null) return { tenant: tenantKey(tenant), dependsOn: null };
        this.#edge.revisions.observe(tenant, revision);
        return { tenant: tenantKey(tenant), dependsOn: { revision, subjects: products, validatedAtNotice: NO_NOTICE } };
      }),
    };
  }
}
