// Which slots a term stands in, and how much it says there: packed lists in one array, and short lists of what came
// since, merged when they have grown.

/** A posting is a slot and an impact of 1 to 255. */
export const SLOT_SHIFT = 8;
export const IMPACT_MASK = 255;
export const SLOTS_MAX = 1 << 24;

/** The newest postings of one term. */
export interface Recent {
  postings: Uint32Array;
  size: number;
}

/** Merged when there are more recent ones than this, or than an eighth of the packed ones. */
const RECENT_MAX = 1 << 16;
const RECENT_START = 4;

const NO_RECENT: Recent = { postings: new Uint32Array(0), size: 0 };

export class Postings {
  packed = new Uint32Array(0);
  /** Where each term's packed list begins; one more than there are terms. */
  #starts = new Uint32Array(1);
  readonly #recent = new Map<number, Recent>();
  #recentSize = 0;
  /** Postings of a load in progress: terms and postings side by side, in pieces. */
  #loading: { readonly terms: Uint32Array; readonly postings: Uint32Array }[] | null = null;
  #loadAt = 0;

  get size(): number {
    return this.packed.length + this.#recentSize;
  }

  get memoryBytes(): number {
    return this.packed.byteLength + this.#starts.byteLength + this.#recentSize * 16;
  }

  /** Whether merging is worth its while. */
  get scattered(): boolean {
    return this.#recentSize > Math.max(RECENT_MAX, this.packed.length >> 3);
  }

  start(term: number): number {
    return term < this.#starts.length - 1 ? this.#starts[term]! : 0;
  }

  end(term: number): number {
    return term < this.#starts.length - 1 ? this.#starts[term + 1]! : 0;
  }

  recent(term: number): Recent {
    return this.#recentSize === 0 ? NO_RECENT : (this.#recent.get(term) ?? NO_RECENT);
  }

  /** How many slots a term stands in, those of dead documents too until they are merged away. */
  count(term: number): number {
    const packed = this.end(term) - this.start(term);
    return this.#recentSize === 0 ? packed : packed + (this.#recent.get(term)?.size ?? 0);
  }

  /** Of an empty index: from here until `merge` what is added is only collected, and nothing of it is found. */
  beginLoad(): void {
    this.#loading = [];
    this.#loadAt = LOAD_PIECE;
  }

  add(term: number, slot: number, impact: number): void {
    const posting = ((slot << SLOT_SHIFT) | impact) >>> 0;
    if (this.#loading) {
      this.#collect(this.#loading, term, posting);
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

  /** Packs all lists anew, without the postings of slots that `alive` denies. */
  merge(terms: number, alive: (slot: number) => boolean): void {
    if (this.#loading) this.#packLoaded(this.#loading, terms, alive);
    else this.#packRecent(terms, alive);
    order(this.packed, this.#starts);
    this.#recent.clear();
    this.#recentSize = 0;
    this.#loading = null;
  }

  /** Each list with its newest behind it, one after the other. */
  #packRecent(terms: number, alive: (slot: number) => boolean): void {
    const before = this.packed;
    const packed = new Uint32Array(this.size);
    const starts = new Uint32Array(terms + 1);
    let size = 0;
    for (let term = 0; term < terms; term++) {
      starts[term] = size;
      const end = this.end(term);
      for (let at = this.start(term); at < end; at++) {
        const posting = before[at]!;
        if (alive(posting >>> SLOT_SHIFT)) packed[size++] = posting;
      }
      const recent = this.recent(term);
      for (let at = 0; at < recent.size; at++) {
        const posting = recent.postings[at]!;
        if (alive(posting >>> SLOT_SHIFT)) packed[size++] = posting;
      }
    }
    starts[terms] = size;
    this.packed = size < packed.length ? packed.slice(0, size) : packed;
    this.#starts = starts;
  }

  /** Counted first, then put where they belong. */
  #packLoaded(
    pieces: readonly { readonly terms: Uint32Array; readonly postings: Uint32Array }[],
    terms: number,
    alive: (slot: number) => boolean,
  ): void {
    const next = new Uint32Array(terms + 1);
    const endOf = (piece: number): number => (piece === pieces.length - 1 ? this.#loadAt : LOAD_PIECE);
    for (let piece = 0; piece < pieces.length; piece++) {
      const own = pieces[piece]!;
      for (let at = 0; at < endOf(piece); at++)
        if (alive(own.postings[at]! >>> SLOT_SHIFT)) next[own.terms[at]! + 1]!++;
    }
    for (let term = 0; term < terms; term++) next[term + 1]! += next[term]!;
    this.#starts = next.slice();
    this.packed = new Uint32Array(next[terms]!);
    for (let piece = 0; piece < pieces.length; piece++) {
      const own = pieces[piece]!;
      for (let at = 0; at < endOf(piece); at++) {
        const posting = own.postings[at]!;
        if (alive(posting >>> SLOT_SHIFT)) this.packed[next[own.terms[at]!]!++] = posting;
      }
    }
  }

  #collect(
    pieces: { readonly terms: Uint32Array; readonly postings: Uint32Array }[],
    term: number,
    posting: number,
  ): void {
    if (this.#loadAt === LOAD_PIECE) {
      pieces.push({ terms: new Uint32Array(LOAD_PIECE), postings: new Uint32Array(LOAD_PIECE) });
      this.#loadAt = 0;
    }
    const piece = pieces[pieces.length - 1]!;
    piece.terms[this.#loadAt] = term;
    piece.postings[this.#loadAt++] = posting;
  }
}

const LOAD_PIECE = 1 << 13;

/** Puts each term's postings in the order of their slots; most are. */
const order = (packed: Uint32Array, starts: Uint32Array): void => {
  for (let term = 0; term < starts.length - 1; term++) {
    const end = starts[term + 1]!;
    for (let at = starts[term]! + 1; at < end; at++) {
      if (packed[at]! > packed[at - 1]!) continue;
      packed.subarray(starts[term]!, end).sort();
      break;
    }
  }
};
