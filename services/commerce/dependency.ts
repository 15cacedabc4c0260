// Names what copies of a response depend on.
import type { Dependency, NoticeKind, Tenant } from '#runtime/call/call.ts';

/** Above this number a response depends on all of a kind, since comparing ids would cost more than the query. */
const IDS_MAX = 1_000;

/**
 * Returns the dependencies of a response about one id, or about everything of a kind, and of what else it shows. Responses
 * about a tenant that never wrote (revision 0) have none and are not copied.
 */
export const madeFrom = (
  kind: NoticeKind,
  revision: number,
  id: string | null = null,
  shown: readonly Dependency[] = [],
): readonly Dependency[] => (revision === 0 ? [] : [{ kind, revision, ids: id === null ? [] : [id] }, ...shown]);

/** Returns the dependency on what another domain answered, whose revision only the edge knows. */
export const shownOf = (kind: NoticeKind, ids: ReadonlySet<string>): Dependency => ({
  kind,
  revision: 0,
  ids: ids.size > IDS_MAX ? [] : [...ids],
});

/** Returns the dependency on a store's settings, prices and clock. */
export const storeOf = (tenant: Tenant): Dependency => ({ tenant, kind: 'store', revision: 0, ids: [] });
