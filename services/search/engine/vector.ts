// Vectors of products: unit length, as small integers.

export const UNIT = 127;
/** Extra precision of the query vector; sums stay far below 2³¹. */
const FINE = 64;

/** Folds new products' terms into the space; absent with an embedding service. */
export interface Folding {
  readonly dimensions: number;
  weight(term: number): number;
  /** −1 without a row. */
  row(term: number): number;
  readonly rows: Float32Array;
  readonly mark: number;
  readonly memoryBytes: number;
}

export class Vectors {
  #dimensions = 0;
  #rows = new Int8Array(0);
  #known = new Uint8Array(0);
  #folding: Folding | null = null;
  #sum = new Float32Array(0);
  #aim = new Int32Array(0);
  #slot = -1;
  #some = false;

  get dimensions(): number {
    return this.#dimensions;
  }

  get mark(): number {
    return this.#folding?.mark ?? 0;
  }

  get rows(): Int8Array {
    return this.#rows;
  }

  get memoryBytes(): number {
    return this.#rows.byteLength + this.#known.byteLength + (this.#folding?.memoryBytes ?? 0);
  }

  has(slot: number): boolean {
    return this.#known[slot] === 1;
  }

  replace(dimensions: number, slots: number, folding: Folding | null): void {
    this.#dimensions = dimensions;
    this.#folding = folding;
    this.#rows = new Int8Array(slots * dimensions);
    this.#known = new Uint8Array(slots);
    this.#sum = new Float32Array(dimensions);
  }

  set(slot: number, vector: Float32Array): void {
    let square = 0;
    for (const component of vector) square += component * component;
    if (!(square > 0)) return;
    this.#reserve(slot);
    const scale = UNIT / Math.sqrt(square);
    const at = slot * this.#dimensions;
    for (let each = 0; each < this.#dimensions; each++) this.#rows[at + each] = Math.round(vector[each]! * scale);
    this.#known[slot] = 1;
  }

  clear(slot: number): void {
    if (slot < this.#known.length) this.#known[slot] = 0;
  }

  begin(slot: number): void {
    this.#slot = slot;
    this.#some = false;
    if (this.#folding) this.#sum.fill(0);
  }

  add(term: number, impact: number): void {
    const folding = this.#folding;
    if (!folding) return;
    const row = folding.row(term);
    if (row < 0) return;
    this.#some = true;
    const weight = folding.weight(term) * impact;
    const from = row * this.#dimensions;
    for (let each = 0; each < this.#dimensions; each++) this.#sum[each]! += weight * folding.rows[from + each]!;
  }

  end(): void {
    if (this.#some) this.set(this.#slot, this.#sum);
  }

  locate(terms: readonly { readonly term: number; readonly weight: number }[]): Float32Array | null {
    const folding = this.#folding;
    if (!folding) return null;
    const sum = new Float32Array(this.#dimensions);
    let some = false;
    for (const { term, weight } of terms) {
      const row = folding.row(term);
      if (row < 0) continue;
      some = true;
      const from = row * this.#dimensions;
      for (let each = 0; each < this.#dimensions; each++) sum[each]! += weight * folding.rows[from + each]!;
    }
    return some ? normal(sum) : null;
  }

  place(slot: number): Float32Array {
    return Float32Array.from(this.#rows.subarray(slot * this.#dimensions, (slot + 1) * this.#dimensions));
  }

  /** Sets the vector for `similarity`, of length `UNIT`. */
  aim(place: Float32Array): void {
    if (this.#aim.length !== this.#dimensions) this.#aim = new Int32Array(this.#dimensions);
    for (let each = 0; each < this.#dimensions; each++) this.#aim[each] = Math.round(place[each]! * FINE);
  }

  /** About −1 to 1. Integers are faster and equal on every machine. */
  similarity(slot: number): number {
    const dimensions = this.#dimensions;
    const rows = this.#rows;
    const aim = this.#aim;
    let sum = 0;
    for (let each = 0, at = slot * dimensions; each < dimensions; each++, at++)
      sum = (sum + Math.imul(rows[at]!, aim[each]!)) | 0;
    return sum / (UNIT * UNIT * FINE);
  }

  #reserve(slot: number): void {
    if (slot < this.#known.length) return;
    const slots = Math.max(slot + 1, Math.ceil(this.#known.length * 1.1) + 64);
    const rows = new Int8Array(slots * this.#dimensions);
    rows.set(this.#rows);
    this.#rows = rows;
    const known = new Uint8Array(slots);
    known.set(this.#known);
    this.#known = known;
  }
}

export const normal = (vector: Float32Array): Float32Array | null => {
  let square = 0;
  for (const component of vector) square += component * component;
  if (!(square > 0)) return null;
  const scale = UNIT / Math.sqrt(square);
  return vector.map((component) => component * scale);
};
