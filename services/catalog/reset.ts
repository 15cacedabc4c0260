// States for each of the catalogue's tables how a sandbox reset treats its rows.

import type { Domain } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { announceNow } from './announcement.ts';
import type { LevelReconciler } from './level_reconciler.ts';
import type { CataloguePool } from './memory/pool.ts';
import { resetRevision } from './table/revision.ts';

export const catalogReset = (
  runtime: Runtime,
  pool: CataloguePool,
  levels: Pick<LevelReconciler, 'discard'>,
): NonNullable<Domain['reset']> => ({
  tables: {
    'catalog.revision': 'retained',
    'catalog.category': 'copied',
    'catalog.product': 'copied',
    'catalog.variant': 'copied',
    'catalog.inventory': 'copied',
    'catalog.collection': 'copied',
    'catalog.collection_product': 'copied',
    'catalog.price_list': 'copied',
    'catalog.price_list_price': 'copied',
    'catalog.price_period': 'copied',
    'catalog.inventory_adjustment': 'cleared',
    'catalog.held_change': 'cleared',
    'catalog.on_hand_change': 'cleared',
    'catalog.ingestion_job': 'cleared',
    'catalog.ingestion_error': 'cleared',
    'catalog.ingestion_seen': 'cleared',
    'catalog.ingestion_feed': 'cleared',
  },
  replacements: {
    'catalog.inventory': { held: '0', held_seq: '0', allocated: '0' },
    'catalog.product': { average_rating: 'null', review_count: '0' },
  },
  settle: async (tx, tenant) => {
    const revision = await resetRevision(tx.sql, tenant);
    tx.afterCommit(() => void announceNow(runtime, pool, tenant, revision));
  },
  discardPending: (tenant) => levels.discard(tenant),
  forget: (tenant) => pool.unload(tenant),
});
