// Caches responses at the edge, with their ETag and dependencies, up to a number of bytes.
import { type Coding, type Effort, EncodedBodies } from '#edge/compression.ts';
import type { CopyDependency } from './freshness.ts';

export interface CacheEntry {
  readonly body: Uint8Array;
  readonly etag: string;
  readonly dependsOn: readonly CopyDependency[];
  /** Time of `performance.now()` from which the entry is stale. */
  readonly staleAt: number;
  used: boolean;
  readonly encodedBodies: EncodedBodies;
  /** Prepared headers of cache hits, by coding; copying them costs half as much as building them. */
  readonly hitHeaders: Partial<Record<Coding | 'identity', Headers>>;
  notModifiedHeaders: Headers | null;
}

type CachedAnswer = Pick<CacheEntry, 'body' | 'etag' | 'dependsOn' | 'staleAt'>;

export const newCacheEntry = (answer: CachedAnswer, effort: Effort): CacheEntry => ({
  ...answer,
  used: false,
  encodedBodies: new EncodedBodies(answer.body, effort),
  hitHeaders: {},
  notModifiedHeaders: null,
});

/** Estimated bytes of an entry beside its bodies and key. */
const ENTRY_OVERHEAD_BYTES = 400;

const costOf = (key: string, { body, encodedBodies }: CacheEntry): number =>
  body.length + encodedBodies.bytes + key.length + ENTRY_OVERHEAD_BYTES;

export class Cache {
  readonly #entries = new Map<string, CacheEntry>();
  readonly #bytesMax: number;
  #bytes = 0;
  hits = 0;
  misses = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: string): CacheEntry | undefined {
    return this.#entries.get(key);
  }

  set(key: string, entry: CacheEntry): void {
    const cost = costOf(key, entry);
    if (cost > this.#bytesMax / 8) return;
    this.delete(key);
    this.#entries.set(key, entry);
    this.#bytes += cost;
    entry.encodedBodies.onGrowth = (bytes) => {
      this.#bytes += bytes;
      if (this.#bytes > this.#bytesMax) this.#evict();
    };
    if (this.#bytes > this.#bytesMax) this.#evict();
  }

  delete(key: string): void {
    const entry = this.#entries.get(key);
    if (!entry) return;
    this.#entries.delete(key);
    this.#bytes -= costOf(key, entry);
    entry.encodedBodies.onGrowth = null;
  }

  /**
   * Evicts the oldest entries until 90 % of the bytes are left. An entry that was hit since the last eviction is spared
   * once.
   */
  #evict(): void {
    for (const [key, entry] of this.#entries) {
      if (this.#bytes <= this.#bytesMax * 0.9) return;
      const recentlyUsed = entry.used;
      this.delete(key);
      if (recentlyUsed) this.set(key, { ...entry, used: false });
    }
  }
}
