// Handlers by which the stock domain reads the catalogue.
import type { StockDirectoryRpcs } from '#proto/gen/stock.ts';
import { type Handlers, query } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { batchLoader } from '#runtime/flow/batch_loader.ts';
import type { LevelReconciler } from '#services/catalog/level_reconciler.ts';
import type { CataloguePool } from '#services/catalog/memory/pool.ts';
import { type LevelQuery, storedLevels } from '#services/catalog/table/level.ts';
import { namedVariants } from './directory.ts';
import { fromPart } from './product.ts';

const CALLERS_MAX = 50;

export const stockDirectoryHandlers = (
  { postgres }: Pick<Runtime, 'postgres'>,
  pool: CataloguePool,
  reconciler: LevelReconciler,
): Handlers<StockDirectoryRpcs> => {
  const stored = batchLoader((asked: readonly LevelQuery[]) => storedLevels(postgres.sql, asked), {
    itemsMax: CALLERS_MAX,
  });
  return {
    LevelsByIds: fromPart<StockDirectoryRpcs['LevelsByIds']>(
      pool,
      namedVariants,
      (catalogue, _call, { variant_ids }) => {
        const levels = variant_ids.flatMap((id) => {
          const variant = catalogue.variant(id);
          if (!variant) return [];
          const { on_hand, version, allocated } = variant;
          return { variant_id: variant.id, on_hand, version, allocated };
        });
        return { levels };
      },
    ),

    StoredLevels: query(async (_sql, { tenant }, { variant_ids: variantIds }) => ({
      levels: [...(await stored({ tenant, variantIds }))],
    })),

    SettleLevels: query(async (_sql, { tenant }, { levels = [], wait = false }) => {
      if (levels.length > 0 || wait) return { revision: await reconciler.reconcile(tenant, levels) };
      reconciler.reconcileSoon(tenant);
      return { revision: 0 };
    }),
  };
};
