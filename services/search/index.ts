// Search: every store's products, found by words and by meaning, in an index of its own in this process.
import type { Foundation } from '#runtime/foundation.ts';
import type { Domain } from '#runtime/rpc.ts';
import { POOL_LIMITS, SearchPool } from './pool.ts';
import { directoryHandlers, searchHandlers } from './rpc.ts';
import { openSource } from './source.ts';

export const search = (foundation: Foundation): Domain => {
  const source = openSource(foundation);
  const megabytes = Number(process.env.STOA_SEARCH_MEMORY_MB);
  const bytesMax = megabytes > 0 ? megabytes * (1 << 20) : POOL_LIMITS.bytesMax;
  const pool = new SearchPool(foundation, source, { ...POOL_LIMITS, bytesMax });
  return {
    name: 'search',
    services: { Search: searchHandlers(pool, source), SearchDirectory: directoryHandlers(pool) },
    start: async () => pool.start(),
    stop: async () => pool.stop(),
  };
};
