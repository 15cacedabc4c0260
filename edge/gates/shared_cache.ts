// The second level, shared by all edges: Redis, holding only what may vanish.
import type { SharedStore as RedisCache } from '#runtime/redis/redis.ts';
import { type CacheEntry, newlyKept } from './cache.ts';
import { NOTHING_HEARD } from './revision.ts';

/** Long enough to be worth the write, short enough that nothing stale lies about. */
const LIVES_MS = 300_000;
/** A larger answer costs Redis more than the hop it saves. */
const BODY_BYTES_MAX = 256 * 1024;

const decoder = new TextDecoder();

type Head = Pick<CacheEntry, 'etag' | 'tenant' | 'revision' | 'subject' | 'shelf'>;

export class SharedCache {
  readonly #redis: RedisCache;

  constructor(redis: RedisCache) {
    this.#redis = redis;
  }

  /** Null on any trouble: a miss. The caller decides by its revision whether it still stands. */
  async get(key: string): Promise<CacheEntry | null> {
    const stored = await this.#redis.get(key);
    if (!stored) return null;
    const end = stored.indexOf(0x0a);
    if (end < 0) return null;
    const { shelf, ...head } = JSON.parse(decoder.decode(stored.subarray(0, end))) as Head;
    // What had been heard was heard by another edge.
    const own = shelf && { ...shelf, heard: NOTHING_HEARD };
    return newlyKept({ ...head, shelf: own, section: null, body: stored.slice(end + 1) }, 'often');
  }

  set(key: string, { body, ...kept }: CacheEntry): void {
    // What an edge has not heard of says nothing to another one.
    if (body.length > BODY_BYTES_MAX || (kept.shelf !== null && kept.shelf.mark < 0) || kept.section !== null) return;
    const { etag, tenant, revision, subject, shelf } = kept;
    const head = Buffer.from(`${JSON.stringify({ etag, tenant, revision, subject, shelf })}\n`);
    void this.#redis.set(key, Buffer.concat([head, body]), LIVES_MS);
  }
}
