// Postings of all terms: dense lists of frequent terms, sparse lists packed in one array, and recent additions, which
// are packed in slices later.

import { DensePostings, type DensePostingsState, DOC_ID_SHIFT } from './dense_posting.ts';
import { wordsFor } from './doc_id_set.ts';

export interface Recent {
  postings: Uint32Array;
  size: number;
}

const RECENT_MAX = 1 << 16;
const RECENT_SHARE_SHIFT = 5;
const RECENT_START = 4;
/** A term is frequent if at least one docId in sixteen has it; a dense list then takes less memory. */
const FREQUENT_SHIFT = 4;
const FREQUENT_MIN = 32;
/** Postings or terms packed between two yields to the event loop, which takes one or two milliseconds. */
export const SLICE = 1 << 17;

const NO_RECENT: Recent = { postings: new Uint32Array(0), size: 0 };

/** Work in slices; between two slices the caller may yield to the event loop. */
export type Slices = Generator<void, void>;

export interface PostingsState {
  readonly packed: Uint32Array;
  readonly starts: Uint32Array;
  readonly dense: readonly (readonly [term: number, list: DensePostingsState])[];
}

export class Postings {
  packed: Uint32Array = new Uint32Array(0);
  /** Start of each term's packed list, and at the end the end of the last list. */
  #starts: Uint32Array = new Uint32Array(1);
  #dense = new Map<number, DensePostings>();
  #size = 0;
  #recent = new Map<number, Recent>();
  #recentSize = 0;
  /** Recent postings that are being packed; searches read them until packing ends. */
  #packing = new Map<number, Recent>();
  #loading: Chunk[] | null = null;

  get size(): number {
    return this.#size + this.#recentSize;
  }

  get memoryBytes(): number {
    let bytes = this.packed.byteLength + this.#starts.byteLength + this.#recentSize * 16;
    for (const list of this.#dense.values()) bytes += list.memoryBytes;
    return bytes;
  }

  /** Whether `state` includes every posting: none is recent or being loaded. */
  get isFullyPacked(): boolean {
    return this.#recentSize === 0 && this.#loading === null;
  }

  get state(): PostingsState {
    const frequent = [...this.#dense].map(([term, list]) => [term, list.state] as const);
    return { packed: this.packed, starts: this.#starts, dense: frequent };
  }

  restore({ packed, starts, dense }: PostingsState): void {
    this.packed = packed;
    this.#starts = starts;
    this.#dense = new Map(dense.map(([term, list]) => [term, DensePostings.of(list)]));
    this.#size = packed.length;
    for (const list of this.#dense.values()) this.#size += list.size;
  }

  get needsPacking(): boolean {
    return this.#recentSize > Math.max(RECENT_MAX, this.#size >> RECENT_SHARE_SHIFT);
  }

  start(term: number): number {
    return term < this.#starts.length - 1 ? this.#starts[term]! : 0;
  }

  end(term: number): number {
    return term < this.#starts.length - 1 ? this.#starts[term + 1]! : 0;
  }

  /** Returns the list of a frequent term, which `packed` does not include. */
  dense(term: number): DensePostings | undefined {
    return this.#dense.get(term);
  }

  recent(term: number): Recent {
    return this.#recentSize === 0 ? NO_RECENT : (this.#recent.get(term) ?? NO_RECENT);
  }

  packing(term: number): Recent {
    return this.#packing.size === 0 ? NO_RECENT : (this.#packing.get(term) ?? NO_RECENT);
  }

  /** Returns the number of postings, including those of deleted products that are not packed away yet. */
  count(term: number): number {
    const settled = this.packedCount(term);
    return this.#recentSize === 0 ? settled : settled + this.recent(term).size + this.packing(term).size;
  }

  packedCount(term: number): number {
    const packed = this.end(term) - this.start(term);
    return packed > 0 ? packed : (this.#dense.get(term)?.size ?? 0);
  }

  /** Returns postings in docId order. Fills and returns `into` if the term's list is dense. */
  packedPostings(term: number, into: Uint32Array): Uint32Array {
    const frequent = this.#dense.get(term);
    if (frequent === undefined) return this.packed.subarray(this.start(term), this.end(term));
    return into.subarray(0, frequent.read(into));
  }

  /** Begins loading an empty index: additions are collected quickly, but searches do not find them before packing. */
  beginLoad(): void {
    this.#loading = [];
  }

  get isLoading(): boolean {
    return this.#loading !== null;
  }

  /** Replaces the term numbers of the postings collected during a load. */
  *renumbering(numbers: Uint32Array): Slices {
    for (const [at, { terms, size }] of (this.#loading ?? []).entries()) {
      for (let each = 0; each < size; each++) terms[each] = numbers[terms[each]!]!;
      if (at % CHUNKS_PER_SLICE === 0) yield;
    }
  }

  add(term: number, docId: number, impact: number): void {
    const posting = ((docId << DOC_ID_SHIFT) | impact) >>> 0;
    if (this.#loading) {
      collect(this.#loading, term, posting);
      return;
    }
    let list = this.#recent.get(term);
    if (!list) {
      list = { postings: new Uint32Array(RECENT_START), size: 0 };
      this.#recent.set(term, list);
    }
    if (list.size === list.postings.length) {
      const longer = new Uint32Array(list.size * 2);
      longer.set(list.postings);
      list.postings = longer;
    }
    list.postings[list.size++] = posting;
    this.#recentSize++;
  }

  /**
   * Repacks all lists without deleted products. Between slices, searches read the old lists and additions go to the
   * recent ones. Must not run twice at once.
   */
  pack(terms: number, docIds: number, alive: (docId: number) => boolean, slice = SLICE): Slices {
    const loading = this.#loading;
    return loading ? this.#packLoaded(loading, terms, docIds, alive) : this.#packRecent(terms, docIds, alive, slice);
  }

  *#packRecent(terms: number, docIds: number, alive: (docId: number) => boolean, slice: number): Slices {
    this.#packing = this.#recent;
    this.#recent = new Map();
    const taken = this.#recentSize;
    const next = new Packing(terms, docIds);
    let size = 0;
    for (let term = 0; term < terms; term++) {
      const count = this.#countPacking(term);
      if (!next.isFrequent(count)) size += count;
      if (term % slice === slice - 1) yield;
    }
    next.reserve(size);
    let list = new Uint32Array(SLICE);
    let work = 0;
    for (let term = 0; term < terms; term++) {
      const count = this.#countPacking(term);
      if (count > list.length) list = new Uint32Array(count * 2);
      next.take(term, count, list, this.#gather(term, alive, list));
      work += count + 1;
      if (work < slice) continue;
      work = 0;
      yield;
    }
    this.#adopt(next);
    this.#packing = new Map();
    this.#recentSize -= taken;
  }

  #countPacking(term: number): number {
    return this.packedCount(term) + this.packing(term).size;
  }

  /** Merges a term's packed and recent postings of products that are not deleted, in docId order. */
  #gather(term: number, alive: (docId: number) => boolean, into: Uint32Array): number {
    const { postings, size: newer } = this.packing(term);
    if (newer > 1) postings.subarray(0, newer).sort();
    const older = this.packedPostings(term, into.subarray(newer));
    let size = 0;
    let from = 0;
    for (let at = 0; at < older.length; at++) {
      const posting = older[at]!;
      for (; from < newer && postings[from]! < posting; from++)
        if (alive(postings[from]! >>> DOC_ID_SHIFT)) into[size++] = postings[from]!;
      if (alive(posting >>> DOC_ID_SHIFT)) into[size++] = posting;
    }
    for (; from < newer; from++) if (alive(postings[from]! >>> DOC_ID_SHIFT)) into[size++] = postings[from]!;
    return size;
  }

  *#packLoaded(chunks: readonly Chunk[], terms: number, docIds: number, alive: (docId: number) => boolean): Slices {
    const counts = new Uint32Array(terms);
    for (const [at, chunk] of chunks.entries()) {
      for (let each = 0; each < chunk.size; each++)
        if (alive(chunk.postings[each]! >>> DOC_ID_SHIFT)) counts[chunk.terms[each]!]!++;
      if (at % CHUNKS_PER_SLICE === 0) yield;
    }
    const next = new Packing(terms, docIds);
    next.open(counts);
    for (const [at, chunk] of chunks.entries()) {
      for (let each = 0; each < chunk.size; each++) {
        const posting = chunk.postings[each]!;
        if (alive(posting >>> DOC_ID_SHIFT)) next.put(chunk.terms[each]!, posting);
      }
      if (at % CHUNKS_PER_SLICE === 0) yield;
    }
    this.#loading = null;
    this.#adopt(next);
  }

  #adopt(next: Packing): void {
    next.seal();
    this.packed = next.packed;
    this.#starts = next.starts;
    this.#dense = next.frequent;
    this.#size = this.packed.length;
    for (const list of this.#dense.values()) this.#size += list.size;
  }
}

interface Chunk {
  readonly terms: Uint32Array;
  readonly postings: Uint32Array;
  size: number;
}

const CHUNK = 1 << 13;
const CHUNKS_PER_SLICE = SLICE / CHUNK;

const collect = (chunks: Chunk[], term: number, posting: number): void => {
  let chunk = chunks[chunks.length - 1];
  if (chunk === undefined || chunk.size === CHUNK) {
    chunk = { terms: new Uint32Array(CHUNK), postings: new Uint32Array(CHUNK), size: 0 };
    chunks.push(chunk);
  }
  chunk.terms[chunk.size] = term;
  chunk.postings[chunk.size++] = posting;
};

class Packing {
  packed = new Uint32Array(0);
  readonly starts: Uint32Array;
  readonly frequent = new Map<number, DensePostings>();
  readonly #words: number;
  readonly #frequentMin: number;
  #next = new Uint32Array(0);
  readonly #sets: DensePostings[] = [];
  #used = 0;

  constructor(terms: number, docIds: number) {
    this.starts = new Uint32Array(terms + 1);
    this.#words = wordsFor(docIds);
    this.#frequentMin = Math.max(FREQUENT_MIN, docIds >> FREQUENT_SHIFT);
  }

  isFrequent(count: number): boolean {
    return count >= this.#frequentMin;
  }

  reserve(size: number): void {
    this.packed = new Uint32Array(size);
  }

  /**
   * Stores one term's list. `count` includes deleted products and decides whether the list is dense; `size` excludes
   * them.
   */
  take(term: number, count: number, list: Uint32Array, size: number): void {
    if (this.isFrequent(count)) {
      const set = this.#open(term, size);
      for (let at = 0; at < size; at++) set.push(list[at]!);
    } else for (let at = 0; at < size; at++) this.packed[this.#used++] = list[at]!;
    this.starts[term + 1] = this.#used;
  }

  open(counts: Uint32Array): void {
    this.#next = new Uint32Array(counts.length);
    for (let term = 0; term < counts.length; term++) {
      if (this.isFrequent(counts[term]!)) {
        this.#next[term] = (FREQUENT | this.#sets.length) >>> 0;
        this.#open(term, counts[term]!);
      } else {
        this.#next[term] = this.#used;
        this.#used += counts[term]!;
      }
      this.starts[term + 1] = this.#used;
    }
    this.reserve(this.#used);
  }

  put(term: number, posting: number): void {
    const to = this.#next[term]!;
    if (to >= FREQUENT) this.#sets[to - FREQUENT]!.push(posting);
    else {
      this.packed[to] = posting;
      this.#next[term] = to + 1;
    }
  }

  seal(): void {
    for (const set of this.#sets) set.seal();
  }

  #open(term: number, size: number): DensePostings {
    const set = new DensePostings(this.#words, size);
    this.#sets.push(set);
    this.frequent.set(term, set);
    return set;
  }
}

const FREQUENT = 0x8000_0000;
