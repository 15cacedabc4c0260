// What the stock domain asks of the catalogue.
import type { StockDirectoryRpcs } from '#proto/gen/stock.ts';
import { type Handlers, query } from '#runtime/rpc.ts';
import type { LevelKeeper } from '#services/catalog/level_keeper.ts';
import type { CataloguePool } from '#services/catalog/memory/pool.ts';
import { storedLevels } from '#services/catalog/table/level.ts';
import { fromMemory, rendered } from './product.ts';

export const stockDirectoryHandlers = (pool: CataloguePool, keeper: LevelKeeper): Handlers<StockDirectoryRpcs> => ({
  LevelsByIds: fromMemory<StockDirectoryRpcs['LevelsByIds']>(pool, (catalogue, _call, { variant_ids }) => {
    const levels = variant_ids.flatMap((id) => {
      const variant = catalogue.variant(id);
      return variant ? { variant_id: variant.id, on_hand: variant.on_hand, version: variant.version } : [];
    });
    return rendered({ levels }, catalogue.revision);
  }),

  StoredLevels: query(async (sql, { tenant }, { variant_ids }) => ({
    levels: await storedLevels(sql, tenant, variant_ids),
  })),

  SettleLevels: query(async (_sql, { tenant }, { levels = [], wait = false }) => {
    if (levels.length > 0 || wait) return { revision: await keeper.settle(tenant, levels) };
    keeper.settleSoon(tenant);
    return { revision: 0 };
  }),
});
