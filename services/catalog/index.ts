// The catalogue: products, categories, collections, stock levels, price lists, and ingestion from merchants.
import { tenantKey } from '#runtime/call/call.ts';
import type { Domain } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { RetentionRule } from '#runtime/flow/retention.ts';
import type { Notice } from '#runtime/nats/notice.ts';
import { gauge } from '#runtime/process/metric.ts';
import { throttledLog } from '#runtime/process/throttled_log.ts';
import { announceNow, announcer } from './announcement.ts';
import { feedHandlers } from './feed/index.ts';
import { followStores } from './following.ts';
import { openIngestion } from './ingestion/index.ts';
import { openLevelKeeper } from './level_keeper.ts';
import { CataloguePool, POOL_LIMITS } from './memory/pool.ts';
import { openPriceWatch } from './price_watch.ts';
import { openProductStore } from './product_store.ts';
import { openProfiles } from './profile.ts';
import { catalogReset } from './reset.ts';
import { categoryHandlers } from './rpc/category.ts';
import { collectionHandlers } from './rpc/collection.ts';
import { directoryHandlers } from './rpc/directory.ts';
import { inventoryHandlers } from './rpc/inventory.ts';
import { priceListHandlers } from './rpc/price_list.ts';
import { productHandlers } from './rpc/product.ts';
import { ratingHandlers } from './rpc/rating.ts';
import { sourceHandlers } from './rpc/source.ts';
import { stockDirectoryHandlers } from './rpc/stock.ts';
import { forgetAdjustments } from './table/inventory.ts';
import { openStatistics } from './table/statistic.ts';

export const RETENTION: readonly RetentionRule[] = [
  { what: 'adjustments of stock', days: 730, forget: forgetAdjustments },
];

interface Watched {
  readonly size: number;
  readonly bytes: number;
}

let watched: Watched = { size: 0, bytes: 0 };

gauge('catalogues_awake', 'Catalogues in memory.', () => watched.size);
gauge('catalogues_bytes', 'About what the catalogues in memory take.', () => watched.bytes);

const watchCatalogues = (pool: Watched): void => {
  watched = pool;
};

export const catalog = (runtime: Runtime): Domain => {
  const { postgres, clock, log, notices, settings } = runtime;
  const profiles = openProfiles(runtime);
  const bytesMax = settings.catalogBytesMax ?? POOL_LIMITS.bytesMax;
  const pool = new CataloguePool(runtime, profiles, { ...POOL_LIMITS, bytesMax });
  watchCatalogues(pool);
  const announce = announcer(runtime, pool);
  const products = openProductStore(runtime, profiles, announce, openStatistics(postgres.sql, log).grew);
  const prices = openPriceWatch(runtime, (tenant, revision) => announceNow(runtime, pool, tenant, revision));
  const levels = openLevelKeeper(runtime, profiles, products, announce);
  const ingestion = openIngestion(runtime, {
    write: products.upsert,
    currency: async (tenant) => (await profiles.get(tenant)).frame.currency,
    allowLocal: settings.allowLocal,
  });

  const spared = throttledLog(log);
  const following = followStores(runtime, profiles, pool);
  const hear = (notice: Notice): void => {
    if (notice.kind !== 'store' && notice.kind !== 'catalog') return;
    const { tenant } = notice;
    const work = notice.kind === 'catalog' ? pool.heard(tenant, notice.revision) : following.follow(tenant);
    work.catch((problem) =>
      spared.warn(`notice ${problem}`, { err: problem, tenant: tenantKey(tenant) }, 'a notice was not followed'),
    );
  };

  const stops: (() => void)[] = [];
  return {
    name: 'catalog',
    retention: RETENTION,
    services: {
      Catalog: productHandlers(pool, products),
      Category: categoryHandlers(clock, pool, announce),
      Collection: collectionHandlers(clock, pool, announce),
      Inventory: inventoryHandlers(clock, profiles, products, announce),
      PriceList: priceListHandlers(clock, profiles, announce, prices.look),
      CatalogDirectory: { ...directoryHandlers(pool, following.followed), ...ratingHandlers(runtime, announce) },
      CatalogSource: sourceHandlers(pool),
      StockDirectory: stockDirectoryHandlers(runtime, pool, levels),
      Ingestion: ingestion.handlers,
      Feed: feedHandlers(runtime, pool),
    },
    due: [prices.due, ingestion.due, levels.due],
    reset: catalogReset(runtime, pool, levels),
    start: async () => {
      stops.push(notices.listen(hear), notices.pollWhileDisconnected(pool.look));
      pool.start();
      prices.start();
      levels.start();
      ingestion.start();
    },
    stop: async () => {
      for (const stop of stops) stop();
      prices.stop();
      levels.stop();
      pool.stop();
      await ingestion.stop();
    },
  };
};
