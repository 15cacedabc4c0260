// Second cache level in Redis, which all edges share.
import type { SharedStore as RedisCache } from '#runtime/redis/redis.ts';
import { type CacheEntry, newCacheEntry } from './cache.ts';
import { NO_NOTICE } from './freshness.ts';

/**
 * Long enough to repay the write, short enough to keep few stale entries. Reading a larger body from Redis costs more than
 * asking the services.
 */
const TTL_MS = 300_000;
const BODY_BYTES_MAX = 256 * 1024;

const decoder = new TextDecoder();

type Head = Pick<CacheEntry, 'etag' | 'dependsOn'>;

export class SharedCache {
  readonly #redis: RedisCache;

  constructor(redis: RedisCache) {
    this.#redis = redis;
  }

  /** Returns null on a miss or a fault. The caller checks whether the entry is fresh. */
  async get(key: string): Promise<CacheEntry | null> {
    const stored = await this.#redis.get(key);
    if (!stored) return null;
    const end = stored.indexOf(0x0a);
    if (end < 0) return null;
    const { etag, dependsOn } = JSON.parse(decoder.decode(stored.subarray(0, end))) as Head;
    // Edges of another release write other heads.
    if (!Array.isArray(dependsOn)) return null;
    // Each edge counts notices for itself, so another edge's count means nothing here.
    const unvalidated = dependsOn.map((dependency) => ({ ...dependency, validatedAtNotice: NO_NOTICE }));
    const staleAt = Number.POSITIVE_INFINITY;
    return newCacheEntry({ etag, dependsOn: unvalidated, staleAt, body: stored.slice(end + 1) }, 'often');
  }

  set(key: string, { body, etag, dependsOn, staleAt }: CacheEntry): void {
    // Negative revisions mean something to this edge only.
    const isOwn = dependsOn.some(({ revision }) => revision < 0) || Number.isFinite(staleAt);
    if (body.length > BODY_BYTES_MAX || isOwn) return;
    const head = Buffer.from(`${JSON.stringify({ etag, dependsOn } satisfies Head)}\n`);
    void this.#redis.set(key, Buffer.concat([head, body]), TTL_MS);
  }
}
