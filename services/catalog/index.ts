// The catalogue: products, categories, collections, stock levels, price lists, and ingestion from merchants.
import type { Domain } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { RetentionRule } from '#runtime/flow/retention.ts';
import { gauge } from '#runtime/process/metric.ts';
import { openSellingMerchants, type SellingMerchants } from '#services/commerce/selling_merchant.ts';
import { announceNow, announcer } from './announcement.ts';
import { feedHandlers } from './feed/index.ts';
import { findFeed } from './ingestion/feed_table.ts';
import { openIngestion } from './ingestion/index.ts';
import { openLevelReconciler } from './level_reconciler.ts';
import { CataloguePool, POOL_LIMITS } from './memory/pool.ts';
import { openShownPrices } from './memory/shown_price.ts';
import { openPriceHistory } from './price_history.ts';
import { openPriceSchedule } from './price_schedule.ts';
import { openProductStore } from './product_store.ts';
import { openProfiles } from './profile.ts';
import { catalogReset } from './reset.ts';
import { categoryHandlers, readCategory } from './rpc/category.ts';
import { collectionHandlers, readCollection } from './rpc/collection.ts';
import { directoryHandlers } from './rpc/directory.ts';
import { inventoryHandlers } from './rpc/inventory.ts';
import { priceHistoryHandlers } from './rpc/price_history.ts';
import { priceListHandlers, readPriceList } from './rpc/price_list.ts';
import { type ListMerchantProducts, productHandlers } from './rpc/product.ts';
import { ratingHandlers } from './rpc/rating.ts';
import { sourceHandlers } from './rpc/source.ts';
import { stockDirectoryHandlers } from './rpc/stock.ts';
import { openStoreRefresh } from './store_refresh.ts';
import { forgetAdjustments } from './table/inventory.ts';
import { forgetPricePeriods } from './table/price_period.ts';
import { openStatistics } from './table/statistic.ts';

/** Lists products over all merchants of an operator. Search has the index over their catalogues, and answers. */
const openMerchantList =
  ({ ask }: Pick<Runtime, 'ask'>, sellingMerchants: SellingMerchants): ListMerchantProducts =>
  async (call, input) => {
    if ((await sellingMerchants.get(call.tenant)) === null) return null;
    const { deadline, requestId, trace } = call;
    const options = { deadline, requestId, trace, rendered: true, reads: true } as const;
    return ask('SearchDirectory/ListMerchantProducts', call.tenant, input, options);
  };

export const RETENTION: readonly RetentionRule[] = [
  { what: 'adjustments of stock', days: 730, forget: forgetAdjustments },
  { what: 'prices that no longer apply', days: 730, forget: forgetPricePeriods },
];

interface PoolSize {
  readonly size: number;
  readonly bytes: number;
}

let measuredPool: PoolSize = { size: 0, bytes: 0 };

gauge('catalogues_awake', 'Catalogues in memory.', () => measuredPool.size);
gauge('catalogues_bytes', 'About what the catalogues in memory take.', () => measuredPool.bytes);

const exposePool = (pool: PoolSize): void => {
  measuredPool = pool;
};

export const catalog = (runtime: Runtime): Domain => {
  const { postgres, clock, log, settings } = runtime;
  const profiles = openProfiles(runtime);
  const bytesMax = settings.catalogBytesMax ?? POOL_LIMITS.bytesMax;
  const pool = new CataloguePool(runtime, profiles, { ...POOL_LIMITS, bytesMax });
  exposePool(pool);
  const announce = announcer(runtime, pool);
  const products = openProductStore(runtime, profiles, announce, openStatistics(postgres.sql, log).productsAdded);
  const showPrices = openShownPrices(profiles, clock);
  const priceHistory = openPriceHistory(runtime, profiles);
  const sellingMerchants = openSellingMerchants(runtime);
  const prices = openPriceSchedule(runtime, (tenant, revision) => announceNow(runtime, pool, tenant, revision));
  const levels = openLevelReconciler(runtime, profiles, products, announce);
  const ingestion = openIngestion(runtime, {
    write: products.upsert,
    currency: async (tenant) => (await profiles.get(tenant)).frame.currency,
    allowLocal: settings.allowLocal,
  });

  const storeRefresh = openStoreRefresh(runtime, profiles, pool);
  return {
    name: 'catalog',
    retention: RETENTION,
    services: {
      Catalog: {
        ...productHandlers(pool, products, {
          clock,
          showPrices,
          priceHistory,
          listMerchantProducts: openMerchantList(runtime, sellingMerchants),
        }),
        ...priceHistoryHandlers(pool, priceHistory),
      },
      Category: categoryHandlers(clock, profiles, pool, announce),
      Collection: collectionHandlers(clock, profiles, pool, announce),
      Inventory: inventoryHandlers(pool, clock, profiles, products, announce),
      PriceList: priceListHandlers(clock, profiles, announce, prices.reload),
      CatalogDirectory: {
        ...directoryHandlers(pool, storeRefresh.ensureRefreshed),
        ...ratingHandlers(runtime, announce),
      },
      CatalogSource: sourceHandlers(pool, showPrices, priceHistory),
      StockDirectory: stockDirectoryHandlers(runtime, pool, levels),
      Ingestion: ingestion.handlers,
      Feed: feedHandlers(runtime, pool),
    },
    due: [prices.due, ingestion.due, levels.due],
    jobs: ingestion.jobs,
    records: {
      category: readCategory,
      feed: findFeed,
      price_list: readPriceList,
      // Each write of a product notes its change.
      product: 'events',
      product_collection: readCollection,
    },
    reset: catalogReset(runtime, pool, levels),
    onNotice: {
      catalog: ({ tenant, revision }) => pool.pullRevision(tenant, revision),
      store: ({ tenant }) => {
        sellingMerchants.forget(tenant.store);
        return storeRefresh.refresh(tenant);
      },
    },
    start: async () => {
      pool.start();
      prices.start();
      levels.start();
    },
    stop: async () => {
      prices.stop();
      levels.stop();
      pool.stop();
    },
  };
};
