// Ids of products as sixteen bytes each, and the slot that each stands in.

const WORDS = 4;
const ID_LENGTH = 36;
/** Ids side by side, as words and as they are written; the hyphens stay where they are. */
let read = new Uint32Array(0);
let written = Buffer.alloc(0);
let view = new DataView(written.buffer);

const reserve = (ids: number): void => {
  read = new Uint32Array(ids * WORDS);
  written = Buffer.alloc(ids * ID_LENGTH, '-');
  view = new DataView(written.buffer, written.byteOffset);
};

/** `a` stands so far behind what would follow `9`. */
const LETTER_BEHIND_DIGIT = 39;

/** The four digits of the sixteen lower bits as the bytes of one number: each half byte on its own, all at once. */
const digitsOf = (bits: number): number => {
  const pairs = ((bits & 0xff00) << 8) | (bits & 0xff);
  const halves = ((pairs & 0x00f0_00f0) << 4) | (pairs & 0x000f_000f);
  const letters = ((halves + 0x0606_0606) >>> 4) & 0x0101_0101;
  return halves + 0x3030_3030 + letters * LETTER_BEHIND_DIGIT;
};

const parsed = new Uint32Array(WORDS);

/** Into `parsed`; the id is one of ours: lower-case with hyphens. */
const parse = (id: string): void => {
  parsed[0] = Number.parseInt(id.slice(0, 8), 16);
  parsed[1] = Number.parseInt(id.slice(9, 13) + id.slice(14, 18), 16);
  parsed[2] = Number.parseInt(id.slice(19, 23) + id.slice(24, 28), 16);
  parsed[3] = Number.parseInt(id.slice(28, 36), 16);
};

/** Ids as they are saved. */
export interface IdentitiesState {
  readonly words: Uint32Array;
  readonly table: Uint32Array;
}

export class Identities {
  #words: Uint32Array;
  /** Slots + 1, by hash. */
  #table: Uint32Array;

  constructor(slots: number) {
    this.#words = new Uint32Array(slots * WORDS);
    this.#table = new Uint32Array(slots * 2);
  }

  get state(): IdentitiesState {
    return { words: this.#words, table: this.#table };
  }

  restore({ words, table }: IdentitiesState): void {
    this.#words = words;
    this.#table = table;
  }

  get memoryBytes(): number {
    return this.#words.byteLength + this.#table.byteLength;
  }

  grow(slots: number): void {
    const words = new Uint32Array(slots * WORDS);
    words.set(this.#words);
    this.#words = words;
    const before = this.#table;
    this.#table = new Uint32Array(slots * 2);
    for (const entry of before) if (entry > 0) this.#place(entry - 1);
  }

  /** −1 where no product bears the id. */
  find(id: string): number {
    parse(id);
    const table = this.#table;
    const mask = table.length - 1;
    for (let at = hashAt(parsed, 0) & mask; table[at] !== 0; at = (at + 1) & mask) {
      const slot = table[at]! - 1;
      if (this.#isParsed(slot)) return slot;
    }
    return -1;
  }

  set(slot: number, id: string): void {
    parse(id);
    this.#words.set(parsed, slot * WORDS);
    this.#place(slot);
  }

  /** The slot bears no id any more; those behind it in the table move up. */
  delete(slot: number): void {
    const table = this.#table;
    const mask = table.length - 1;
    let hole = hashAt(this.#words, slot * WORDS) & mask;
    while (table[hole] !== slot + 1) hole = (hole + 1) & mask;
    for (let at = (hole + 1) & mask; table[at] !== 0; at = (at + 1) & mask) {
      const home = hashAt(this.#words, (table[at]! - 1) * WORDS) & mask;
      if (((at - home) & mask) < ((at - hole) & mask)) continue;
      table[hole] = table[at]!;
      hole = at;
    }
    table[hole] = 0;
  }

  id(slot: number): string {
    return this.idsOf(Uint32Array.of(slot), 1)[0]!;
  }

  /** Of the first `size` slots: written side by side and cut, which is quicker than one by one. */
  idsOf(slots: Uint32Array | readonly number[], size: number): string[] {
    if (written.length < size * ID_LENGTH) reserve(size * 2);
    // Read at one go before any is written: they lie far apart, and so memory brings them side by side.
    for (let each = 0; each < size; each++)
      for (let word = 0; word < WORDS; word++) read[each * WORDS + word] = this.#words[slots[each]! * WORDS + word]!;
    const words = read;
    let to = 0;
    for (let each = 0; each < size; each++, to += ID_LENGTH) {
      const at = each * WORDS;
      view.setInt32(to, digitsOf(words[at]! >>> 16));
      view.setInt32(to + 4, digitsOf(words[at]!));
      view.setInt32(to + 9, digitsOf(words[at + 1]! >>> 16));
      view.setInt32(to + 14, digitsOf(words[at + 1]!));
      view.setInt32(to + 19, digitsOf(words[at + 2]! >>> 16));
      view.setInt32(to + 24, digitsOf(words[at + 2]!));
      view.setInt32(to + 28, digitsOf(words[at + 3]! >>> 16));
      view.setInt32(to + 32, digitsOf(words[at + 3]!));
    }
    const text = written.toString('latin1', 0, to);
    const ids: string[] = [];
    for (let from = 0; from < to; from += ID_LENGTH) ids.push(text.slice(from, from + ID_LENGTH));
    return ids;
  }

  /** Below 0 where `a` comes before `b`. */
  compare(a: number, b: number): number {
    return this.#compare(a, this.#words, b * WORDS);
  }

  /** The same against an id that is not in here. */
  compareTo(slot: number, id: string): number {
    parse(id);
    return this.#compare(slot, parsed, 0);
  }

  #compare(slot: number, words: Uint32Array, at: number): number {
    const own = slot * WORDS;
    for (let word = 0; word < WORDS; word++) {
      const difference = this.#words[own + word]! - words[at + word]!;
      if (difference !== 0) return difference;
    }
    return 0;
  }

  #isParsed(slot: number): boolean {
    const words = this.#words;
    const at = slot * WORDS;
    return (
      words[at] === parsed[0] &&
      words[at + 1] === parsed[1] &&
      words[at + 2] === parsed[2] &&
      words[at + 3] === parsed[3]
    );
  }

  #place(slot: number): void {
    const mask = this.#table.length - 1;
    let at = hashAt(this.#words, slot * WORDS) & mask;
    while (this.#table[at] !== 0) at = (at + 1) & mask;
    this.#table[at] = slot + 1;
  }
}

const hashAt = (words: Uint32Array, at: number): number => {
  let hash = Math.imul(words[at]! ^ Math.imul(words[at + 1]!, 0x85ebca6b), 0xc2b2ae35);
  hash = Math.imul(hash ^ words[at + 2]! ^ (hash >>> 15), 0x27d4eb2f);
  hash = Math.imul(hash ^ words[at + 3]! ^ (hash >>> 13), 0x165667b1);
  return (hash ^ (hash >>> 16)) >>> 0;
};
