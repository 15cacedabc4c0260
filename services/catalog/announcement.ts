// How a committed revision gets around: into this process' memory, to its edges, and over the bus to other hosts.
import type { Tenant } from '#runtime/call/call.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { AnnounceProducts } from './announced_revision.ts';
import type { CataloguePool } from './memory/pool.ts';

/**
 * A small change is in memory before its writer is answered, so that it can be read even if the database goes away at
 * once. A large one (ingestion) does not keep its writer: a reader who has heard of it waits for it.
 */
export const announcer =
  ({ notices, log }: Pick<Runtime, 'notices' | 'log'>, pool: CataloguePool): AnnounceProducts =>
  (tx, tenant, revision, products, whole) =>
    tx.afterCommit(async () => {
      const taken = whole ? pool.told(tenant, revision, whole) : pool.heard(tenant, revision);
      const pulled = taken.catch((problem) => {
        log.warn({ err: problem }, 'a revision was not taken in; it will be when it is next read');
      });
      if (products !== null) await pulled;
      notices.publish({ kind: 'catalog', tenant, revision, ids: products });
    });

/**
 * A revision that no transaction of ours made: prices changed by time, a store's currency by its merchant. Resolves once it
 * is in this process' memory, or cannot be read now.
 */
export const announceNow = (
  { notices, log }: Pick<Runtime, 'notices' | 'log'>,
  pool: CataloguePool,
  tenant: Tenant,
  revision: number,
): Promise<void> => {
  const taken = pool.heard(tenant, revision);
  notices.publish({ kind: 'catalog', tenant, revision, ids: null });
  return taken.catch((problem) => log.warn({ err: problem }, 'a revision was not taken in'));
};
