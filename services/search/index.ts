// Search for products by words and by similarity, with one index per store in this process.

import type { Domain } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { storeCurrencies } from '#services/commerce/selling_currency.ts';
import { openStoreProfiles } from '#services/commerce/store_profile.ts';
import { openSavedIndexes } from './index_storage.ts';
import { POOL_LIMITS, SearchPool } from './pool.ts';
import { directoryHandlers, searchHandlers } from './rpc.ts';
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

export const search = (runtime: Runtime): Domain => {
  const source = openSource(runtime);
  const bytesMax = runtime.settings.searchBytesMax ?? POOL_LIMITS.bytesMax;
  const profiles = openStoreProfiles(runtime, storeCurrencies);
  const saved = openSavedIndexes(runtime.postgres);
  const pool = new SearchPool(runtime, source, saved, openMeanings(runtime), { ...POOL_LIMITS, bytesMax });
  let unlisten = (): void => {};
  return {
    name: 'search',
    services: {
      Search: searchHandlers(pool, source, profiles, runtime.clock),
      SearchDirectory: directoryHandlers(pool),
    },
    reset: { tables: { 'search.saved_index': 'cleared' }, forget: (tenant) => pool.unload(tenant) },
    start: async () => {
      unlisten = runtime.notices.listen(({ kind, tenant }) => {
        if (kind === 'store') profiles.forget(tenant.store);
      });
      pool.start();
      const isWarm = pool.warm();
      await Promise.race([isWarm, Bun.sleep(WARMING_MS_MAX)]);
    },
    stop: async () => {
      unlisten();
      pool.stop();
    },
  };
};
