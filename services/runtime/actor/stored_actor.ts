// Which actors of a partition Postgres may have a snapshot of, so that an actor that is told something for the first time need
// not be looked for there: a Bloom filter, filled while the partition serves. It never says of one kept that it is not.

/** With so many bits an actor and probes, one in a hundred is looked for in vain. */
const BITS_EACH = 10;
const PROBES = 7;
const FIRST_MAX = 1 << 16;
/** Of a partition with more of them nothing is known: 5 MB. */
const KEYS_MAX = 1 << 22;

interface Layer {
  readonly bits: Uint32Array;
  readonly keysMax: number;
  keys: number;
}

const layerOf = (keysMax: number): Layer => ({
  bits: new Uint32Array((keysMax * BITS_EACH) >>> 5),
  keysMax,
  keys: 0,
});

/** The odd step between the places of one key. */
const stepOf = (hash: number): number => (Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) | 1) >>> 0;

const holds = ({ bits }: Layer, hash: number): boolean => {
  const step = stepOf(hash);
  const size = bits.length * 32;
  for (let probe = 0, at = hash; probe < PROBES; probe++, at = (at + step) >>> 0) {
    const place = at % size;
    if (((bits[place >>> 5] ?? 0) & (1 << (place & 31))) === 0) return false;
  }
  return true;
};

export class StoredActors {
  /** The last one takes new keys. */
  #layers: Layer[] = [layerOf(FIRST_MAX)];
  #keys = 0;
  /** Whether all that was kept before this owner began is in it. */
  #complete = false;

  /** Told before Postgres is. */
  add(key: string): void {
    const hash = Bun.hash.xxHash32(key);
    if (this.#keys > KEYS_MAX || this.#layers.some((layer) => holds(layer, hash))) return;
    if (++this.#keys > KEYS_MAX) {
      this.#layers = [];
      return;
    }
    let layer = this.#layers.at(-1)!;
    if (layer.keys === layer.keysMax) {
      layer = layerOf(layer.keysMax * 2);
      this.#layers.push(layer);
    }
    layer.keys++;
    const { bits } = layer;
    const step = stepOf(hash);
    const size = bits.length * 32;
    for (let probe = 0, at = hash; probe < PROBES; probe++, at = (at + step) >>> 0) {
      const place = at % size;
      bits[place >>> 5]! |= 1 << (place & 31);
    }
  }

  /** All of the earlier owners' are in it now. */
  complete(): void {
    this.#complete = true;
  }

  /** Whether there are more than are kept account of. */
  get over(): boolean {
    return this.#keys > KEYS_MAX;
  }

  /** True where there surely is no snapshot. */
  lacks(key: string): boolean {
    if (!this.#complete || this.over) return false;
    const hash = Bun.hash.xxHash32(key);
    return !this.#layers.some((layer) => holds(layer, hash));
  }
}
