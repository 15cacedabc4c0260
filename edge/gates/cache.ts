// Answers kept at the edge, each with its tag and the revision that it was made from; bounded by bytes.

/** What an answer shows of the catalogue beside what it is about. */
export interface Shelf {
  /** The catalogue's when it was asked for. */
  readonly mark: number;
  /** Ids; empty: anything. */
  readonly subjects: readonly string[];
  /** What had been heard when it was last seen to stand. */
  heard: number;
}

export interface Kept {
  readonly body: Uint8Array;
  readonly etag: string;
  /** `tenantKey` of whose revision it follows. */
  readonly tenant: string;
  readonly revision: number;
  readonly subject: string;
  /** What it shows of the catalogue, where it follows another line of revisions too; null: nothing. */
  readonly shelf: Shelf | null;
  /** Asked for since the last look for room. */
  used: boolean;
  /** The headers that every hit has alike, made once: copying them costs half of making them. */
  hit: Headers | null;
  notModified: Headers | null;
}

/** Beside the body: the key, the tag and the map's own share. */
const ENTRY_OVERHEAD_BYTES = 400;

export class Cache {
  readonly #entries = new Map<string, Kept>();
  readonly #bytesMax: number;
  #bytes = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: string): Kept | undefined {
    return this.#entries.get(key);
  }

  set(key: string, kept: Kept): void {
    const cost = kept.body.length + key.length + ENTRY_OVERHEAD_BYTES;
    if (cost > this.#bytesMax / 8) return;
    this.delete(key);
    this.#entries.set(key, kept);
    this.#bytes += cost;
    if (this.#bytes > this.#bytesMax) this.#makeRoom();
  }

  delete(key: string): void {
    const kept = this.#entries.get(key);
    if (!kept) return;
    this.#entries.delete(key);
    this.#bytes -= kept.body.length + key.length + ENTRY_OVERHEAD_BYTES;
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
