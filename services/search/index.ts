// Search for products by words and by similarity, with one index per store in this process.

import type { Domain } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { storeCurrencies } from '#services/commerce/selling_currency.ts';
import { openSellingMerchants } from '#services/commerce/selling_merchant.ts';
import { openStoreProfiles } from '#services/commerce/store_profile.ts';
import { openSavedIndexes } from './index_storage.ts';
import { MerchantPool } from './marketplace/merchant_pool.ts';
import { openMerchantSearch } from './marketplace/merchant_search.ts';
import { POOL_LIMITS, SearchPool } from './pool.ts';
import { directoryHandlers, type SearchTools, searchHandlers } from './rpc.ts';
import type { OpenVectorSource } from './search_store.ts';
import { EmbeddedVectors, QueryEmbeddings } from './semantic/embedded.ts';
import { EmbeddingEndpoint } from './semantic/endpoint.ts';
import { TrainedVectors } from './semantic/trained.ts';
import { openSource } from './source.ts';

const openMeanings = ({ clock, log, settings }: Runtime): OpenVectorSource => {
  if (settings.embeddings === null) return (index) => new TrainedVectors(index, log);
  const endpoint = new EmbeddingEndpoint(settings.embeddings);
  const queries = new QueryEmbeddings(endpoint, clock, log);
  return (index, all) => new EmbeddedVectors(index, endpoint, queries, all, log);
};

const WARMING_MS_MAX = 2_000;
const WARMED_INDEXES_MAX = 8;

export const search = (runtime: Runtime): Domain => {
  const source = openSource(runtime);
  const bytesMax = runtime.settings.searchBytesMax ?? POOL_LIMITS.bytesMax;
  const profiles = openStoreProfiles(runtime, storeCurrencies);
  const saved = openSavedIndexes(runtime.postgres);
  const openVectorSource = openMeanings(runtime);
  const limits = { ...POOL_LIMITS, bytesMax };
  const pool = new SearchPool(runtime, source, saved, openVectorSource, limits);
  const sellingMerchants = openSellingMerchants(runtime);
  const merchantPool = new MerchantPool(runtime, { source, saved, openVectorSource }, sellingMerchants, limits);
  const tools: SearchTools = {
    pool,
    source,
    profiles,
    clock: runtime.clock,
    sellingMerchants,
    merchantSearch: openMerchantSearch(merchantPool, source),
  };
  const failed = (problem: unknown): void =>
    runtime.log.info({ err: problem }, 'failed to load a search index at start, will load it on demand');
  /** Loads saved indexes one after another, the most recently used first. */
  const warm = async (): Promise<void> => {
    for (const tenant of (await saved.last(WARMED_INDEXES_MAX).catch(failed)) ?? []) {
      const load = async (): Promise<unknown> => {
        const merchants = await Promise.resolve(sellingMerchants.get(tenant)).catch(() => null);
        return merchants === null ? pool.load(tenant) : merchantPool.load(tenant);
      };
      await load().catch(failed);
    }
  };
  return {
    name: 'search',
    services: {
      Search: searchHandlers(tools),
      SearchDirectory: directoryHandlers(tools),
    },
    reset: {
      tables: { 'search.saved_index': 'cleared' },
      forget: (tenant) => {
        pool.unload(tenant);
        merchantPool.changed(tenant);
      },
    },
    onNotice: {
      store: ({ tenant: { store } }) => {
        profiles.forget(store);
        sellingMerchants.forget(store);
        pool.forgetLanguages(store);
      },
      catalog: (notice) => {
        pool.followSoon(notice);
        merchantPool.changed(notice.tenant, notice.revision);
      },
    },
    start: async () => {
      pool.start();
      merchantPool.start();
      const isWarm = warm();
      await Promise.race([isWarm, Bun.sleep(WARMING_MS_MAX)]);
    },
    stop: async () => {
      pool.stop();
      merchantPool.stop();
    },
  };
};
