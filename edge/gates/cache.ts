// Caches responses at the edge with their ETag and revision, bounded by bytes.
import { type Coding, type Effort, EncodedBodies } from '#edge/compression.ts';
import type { TenantKey } from '#runtime/call/call.ts';

export interface CacheDependency {
  readonly revision: number;
  /** Product ids; empty means any product. */
  readonly subjects: readonly string[];
  /** Number of notices at the last successful freshness check. An equal number skips the check. */
  validatedAtNotice: number;
}

export interface SectionDependencies {
  readonly operator: TenantKey;
  readonly noticeCount: number;
  readonly until: number;
  /** Merchants in the section; `dependsOn` is null if none of the merchant's products is shown. */
  readonly members: readonly { readonly tenant: TenantKey; readonly dependsOn: CacheDependency | null }[];
}

export interface CacheEntry {
  readonly body: Uint8Array;
  readonly etag: string;
  readonly tenant: TenantKey;
  readonly revision: number;
  readonly subject: string;
  /** Dependency on a second revision sequence; null if there is none. */
  readonly dependsOn: CacheDependency | null;
  /** Null unless the response is a section. A section uses these dependencies only. */
  readonly section: SectionDependencies | null;
  used: boolean;
  readonly encodedBodies: EncodedBodies;
  /** Headers that all hits share, by coding. Copying them costs half of building them. */
  readonly hitHeaders: Partial<Record<Coding | 'identity', Headers>>;
  notModifiedHeaders: Headers | null;
}

type CachedAnswer = Pick<CacheEntry, 'body' | 'etag' | 'tenant' | 'revision' | 'subject' | 'dependsOn' | 'section'>;

/** Creates an unused entry. `effort` says how hard to compress its body. */
export const newCacheEntry = (answer: CachedAnswer, effort: Effort): CacheEntry => ({
  ...answer,
  used: false,
  encodedBodies: new EncodedBodies(answer.body, effort),
  hitHeaders: {},
  notModifiedHeaders: null,
});

/** Estimated bytes for the key, the ETag and the map entry. */
const ENTRY_OVERHEAD_BYTES = 400;

const costOf = (key: string, { body, encodedBodies }: CacheEntry): number =>
  body.length + encodedBodies.bytes + key.length + ENTRY_OVERHEAD_BYTES;

export class Cache {
  readonly #entries = new Map<string, CacheEntry>();
  readonly #bytesMax: number;
  #bytes = 0;
  /** Cacheable requests answered from the cache, and those that were not. */
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

  /** Evicts the oldest entries down to 90 %. Entries that were hit since the last pass get a second chance. */
  #evict(): void {
    for (const [key, entry] of this.#entries) {
      if (this.#bytes <= this.#bytesMax * 0.9) return;
      const recentlyUsed = entry.used;
      this.delete(key);
      if (recentlyUsed) this.set(key, { ...entry, used: false });
    }
  }
}
