// Announces committed revisions: to the catalogue in this process's memory, to the edges connected to this process, and
// to other hosts over the bus.
import type { Tenant } from '#runtime/call/call.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { CataloguePool } from './memory/pool.ts';
import type { AnnounceProducts } from './product_write.ts';

/**
 * Applies a small change to the catalogue in memory before the writer's response, so that the change is readable even
 * if the database fails right after. A large change (ingestion) skips this: the next reader of its revision waits until
 * memory has it.
 */
export const announcer =
  ({ notices, log }: Pick<Runtime, 'notices' | 'log'>, pool: CataloguePool): AnnounceProducts =>
  (tx, tenant, revision, products, content) =>
    tx.afterCommit(async () => {
      const applied = content ? pool.applyRevision(tenant, revision, content) : pool.pullRevision(tenant, revision);
      const settled = applied.catch((problem) => {
        log.warn({ err: problem }, 'failed to apply a revision to memory, will retry when it is read');
      });
      if (products !== null) await settled;
      notices.publish({ kind: 'catalog', tenant, revision, ids: products });
    });

/**
 * Announces a revision that no transaction commits: scheduled prices, or a store's new currency. Resolves when the
 * catalogue in memory has the revision, or when it could not be read.
 */
export const announceNow = (
  { notices, log }: Pick<Runtime, 'notices' | 'log'>,
  pool: CataloguePool,
  tenant: Tenant,
  revision: number,
): Promise<void> => {
  const applied = pool.pullRevision(tenant, revision);
  notices.publish({ kind: 'catalog', tenant, revision, ids: null });
  return applied.catch((problem) => log.warn({ err: problem }, 'failed to apply a revision to memory'));
};
