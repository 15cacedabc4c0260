// Answers kept at the edge, each with its tag and the revision that it was made from; bounded by bytes.
import { type Coding, type Effort, Forms } from '#edge/compression.ts';
import type { TenantKey } from '#runtime/call/call.ts';

/** What an answer shows of the catalogue beside what it is about. */
export interface CachePage {
  /** The catalogue's when it was asked for. */
  readonly mark: number;
  /** Ids; empty: anything. */
  readonly subjects: readonly string[];
  /** What had been heard when it was last seen to stand. */
  heard: number;
}

/** Of a section of a marketplace: whom it shows. */
export interface CacheSection {
  readonly operator: TenantKey;
  /** When it was asked for, as the edge counts what it hears. */
  readonly mark: number;
  /** performance.now() past which it is asked for again. */
  readonly until: number;
  /** Each with what it shows of the catalogue there; null: nothing. */
  readonly members: readonly { readonly tenant: TenantKey; readonly shelf: CachePage | null }[];
}

export interface CacheEntry {
  readonly body: Uint8Array;
  readonly etag: string;
  /** Whose revision it follows. */
  readonly tenant: TenantKey;
  readonly revision: number;
  readonly subject: string;
  /** What it shows of the catalogue, where it follows another line of revisions too; null: nothing. */
  readonly shelf: CachePage | null;
  /** Null of anything but a section; a section follows this alone. */
  readonly section: CacheSection | null;
  /** Asked for since the last look for room. */
  used: boolean;
  /** The body in the codings that it was asked for in. */
  readonly forms: Forms;
  /** The headers that every hit has alike, by its coding, made once: copying them costs half of making them. */
  readonly hits: Partial<Record<Coding | 'identity', Headers>>;
  notModified: Headers | null;
}

type CachedAnswer = Pick<CacheEntry, 'body' | 'etag' | 'tenant' | 'revision' | 'subject' | 'shelf' | 'section'>;

/** Nothing has been asked of it yet. `effort`: whether it will be kept. */
export const newlyKept = (known: CachedAnswer, effort: Effort): CacheEntry => ({
  ...known,
  used: false,
  forms: new Forms(known.body, effort),
  hits: {},
  notModified: null,
});

/** Beside the body: the key, the tag and the map's own share. */
const ENTRY_OVERHEAD_BYTES = 400;

const costOf = (key: string, { body, forms }: CacheEntry): number =>
  body.length + forms.bytes + key.length + ENTRY_OVERHEAD_BYTES;

export class Cache {
  readonly #entries = new Map<string, CacheEntry>();
  readonly #bytesMax: number;
  #bytes = 0;
  /** Answers that came from here, and those that did not though they may be kept. */
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

  set(key: string, kept: CacheEntry): void {
    const cost = costOf(key, kept);
    if (cost > this.#bytesMax / 8) return;
    this.delete(key);
    this.#entries.set(key, kept);
    this.#bytes += cost;
    kept.forms.grown = (bytes) => {
      this.#bytes += bytes;
      if (this.#bytes > this.#bytesMax) this.#makeRoom();
    };
    if (this.#bytes > this.#bytesMax) this.#makeRoom();
  }

  delete(key: string): void {
    const kept = this.#entries.get(key);
    if (!kept) return;
    this.#entries.delete(key);
    this.#bytes -= costOf(key, kept);
    kept.forms.grown = null;
  }

  /** Oldest first; what was asked for meanwhile gets a second round. */
  #makeRoom(): void {
    for (const [key, kept] of this.#entries) {
      if (this.#bytes <= this.#bytesMax * 0.9) return;
      const spared = kept.used;
      this.delete(key);
      if (spared) this.set(key, { ...kept, used: false });
    }
  }
}
