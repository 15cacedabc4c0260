// A map of a bounded number of entries; the least recently used one makes room for a new one.

export class RecentMap<K, V> extends Map<K, V> {
  readonly #max: number;
  readonly #evicted: (key: K, value: V) => void;

  constructor(max: number, evicted: (key: K, value: V) => void = () => {}) {
    super();
    this.#max = max;
    this.#evicted = evicted;
  }

  /** Returns the value without using the entry. */
  peek(key: K): V | undefined {
    return super.get(key);
  }

  override get(key: K): V | undefined {
    const value = super.get(key);
    // Leaves the order of a map that is less than half full, because it evicts nothing soon and moving costs time.
    if (value !== undefined && this.size * 2 > this.#max) {
      super.delete(key);
      super.set(key, value);
    }
    return value;
  }

  override set(key: K, value: V): this {
    super.delete(key);
    super.set(key, value);
    if (this.size <= this.#max) return this;
    for (const [oldest, dropped] of this) {
      super.delete(oldest);
      this.#evicted(oldest, dropped);
      break;
    }
    return this;
  }

  override getOrInsertComputed(key: K, compute: (key: K) => V): V {
    const known = this.get(key);
    if (known !== undefined || this.has(key)) return known as V;
    const value = compute(key);
    this.set(key, value);
    return value;
  }
}
