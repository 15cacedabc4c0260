// Product ids as sixteen bytes, with a hash table from id to docId.

const WORDS = 4;
const hex = (word: number): string => word.toString(16).padStart(8, '0');

const parsed = new Uint32Array(WORDS);

const parse = (id: string): void => {
  parsed[0] = Number.parseInt(id.slice(0, 8), 16);
  parsed[1] = Number.parseInt(id.slice(9, 13) + id.slice(14, 18), 16);
  parsed[2] = Number.parseInt(id.slice(19, 23) + id.slice(24, 28), 16);
  parsed[3] = Number.parseInt(id.slice(28, 36), 16);
};

export interface IdentitiesState {
  readonly words: Uint32Array;
  readonly table: Uint32Array;
}

export class Identities {
  #words: Uint32Array;
  /** docId + 1, by hash. */
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

  /** Closes the gap in the probe sequence. */
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
    const words = this.#words;
    const at = slot * WORDS;
    const second = hex(words[at + 1]!);
    const third = hex(words[at + 2]!);
    return `${hex(words[at]!)}-${second.slice(0, 4)}-${second.slice(4)}-${third.slice(0, 4)}-${third.slice(4)}${hex(words[at + 3]!)}`;
  }

  idsOf(slots: Uint32Array | readonly number[], size: number): string[] {
    return Array.from({ length: size }, (_, at) => this.id(slots[at]!));
  }

  compare(a: number, b: number): number {
    return this.#compare(a, this.#words, b * WORDS);
  }

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
