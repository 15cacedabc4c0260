// Vectors of products, scaled to one length and stored as small integers.

const UNIT = 127;
/** Extra precision of the query's vector. Sums of products stay far below 2³¹. */
const QUERY_SCALE = 64;

/** Calculates a new product's vector from its terms; absent if an embedding service provides vectors. */
export interface Folding {
  readonly dimensions: number;
  weight(term: number): number;
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
  #query = new Int32Array(0);
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

  has(docId: number): boolean {
    return this.#known[docId] === 1;
  }

  replace(dimensions: number, docIds: number, folding: Folding | null): void {
    this.#dimensions = dimensions;
    this.#folding = folding;
    this.#rows = new Int8Array(docIds * dimensions);
    this.#known = new Uint8Array(docIds);
    this.#sum = new Float32Array(dimensions);
  }

  set(docId: number, vector: Float32Array): void {
    let square = 0;
    for (const component of vector) square += component * component;
    if (!(square > 0)) return;
    this.#reserve(docId);
    const scale = UNIT / Math.sqrt(square);
    const at = docId * this.#dimensions;
    for (let each = 0; each < this.#dimensions; each++) this.#rows[at + each] = Math.round(vector[each]! * scale);
    this.#known[docId] = 1;
  }

  clear(docId: number): void {
    if (docId < this.#known.length) this.#known[docId] = 0;
  }

  begin(docId: number): void {
    this.#slot = docId;
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

  queryVector(terms: readonly { readonly term: number; readonly weight: number }[]): Float32Array | null {
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
    return some ? normalized(sum) : null;
  }

  vector(docId: number): Float32Array {
    return Float32Array.from(this.#rows.subarray(docId * this.#dimensions, (docId + 1) * this.#dimensions));
  }

  /** Sets the vector, of length `UNIT`, with which `similarity` compares products. */
  setQuery(place: Float32Array): void {
    if (this.#query.length !== this.#dimensions) this.#query = new Int32Array(this.#dimensions);
    for (let each = 0; each < this.#dimensions; each++) this.#query[each] = Math.round(place[each]! * QUERY_SCALE);
  }

  /** Returns about −1 to 1. Calculates in integers, which are faster and give the same result on every machine. */
  similarity(docId: number): number {
    const dimensions = this.#dimensions;
    const rows = this.#rows;
    const aim = this.#query;
    let sum = 0;
    for (let each = 0, at = docId * dimensions; each < dimensions; each++, at++)
      sum = (sum + Math.imul(rows[at]!, aim[each]!)) | 0;
    return sum / (UNIT * UNIT * QUERY_SCALE);
  }

  #reserve(docId: number): void {
    if (docId < this.#known.length) return;
    const docIds = Math.max(docId + 1, Math.ceil(this.#known.length * 1.1) + 64);
    const rows = new Int8Array(docIds * this.#dimensions);
    rows.set(this.#rows);
    this.#rows = rows;
    const known = new Uint8Array(docIds);
    known.set(this.#known);
    this.#known = known;
  }
}

export const normalized = (vector: Float32Array): Float32Array | null => {
  let square = 0;
  for (const component of vector) square += component * component;
  if (!(square > 0)) return null;
  const scale = UNIT / Math.sqrt(square);
  return vector.map((component) => component * scale);
};
