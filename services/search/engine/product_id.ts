// Product ids as sixteen bytes each, and a hash table from id to docId.

const WORDS = 4;
/** Hexadecimal digits of each 16-bit number; looking them up is several times faster than formatting. */
const DIGITS = Array.from({ length: 1 << 16 }, (_, half) => half.toString(16).padStart(4, '0'));

const parsed = new Uint32Array(WORDS);

const parse = (id: string): void => {
  parsed[0] = Number.parseInt(id.slice(0, 8), 16);
  parsed[1] = Number.parseInt(id.slice(9, 13) + id.slice(14, 18), 16);
  parsed[2] = Number.parseInt(id.slice(19, 23) + id.slice(24, 28), 16);
  parsed[3] = Number.parseInt(id.slice(28, 36), 16);
};

export interface ProductIdsState {
  readonly words: Uint32Array;
  readonly table: Uint32Array;
}

export class ProductIds {
  #words: Uint32Array;
  /** docId + 1 at the position of the id's hash; 0 is empty. */
  #table: Uint32Array;

  constructor(docIds: number) {
    this.#words = new Uint32Array(docIds * WORDS);
    this.#table = new Uint32Array(docIds * 2);
  }

  get state(): ProductIdsState {
    return { words: this.#words, table: this.#table };
  }

  restore({ words, table }: ProductIdsState): void {
    this.#words = words;
    this.#table = table;
  }

  get memoryBytes(): number {
    return this.#words.byteLength + this.#table.byteLength;
  }

  grow(docIds: number): void {
    const words = new Uint32Array(docIds * WORDS);
    words.set(this.#words);
    this.#words = words;
    const before = this.#table;
    this.#table = new Uint32Array(docIds * 2);
    for (const entry of before) if (entry > 0) this.#place(entry - 1);
  }

  find(id: string): number {
    parse(id);
    const table = this.#table;
    const mask = table.length - 1;
    for (let at = hashAt(parsed, 0) & mask; table[at] !== 0; at = (at + 1) & mask) {
      const docId = table[at]! - 1;
      if (this.#isParsed(docId)) return docId;
    }
    return -1;
  }

  set(docId: number, id: string): void {
    parse(id);
    this.#words.set(parsed, docId * WORDS);
    this.#place(docId);
  }

  /** Removes an id and moves later entries of the probe sequence into the gap. */
  delete(docId: number): void {
    const table = this.#table;
    const mask = table.length - 1;
    let hole = hashAt(this.#words, docId * WORDS) & mask;
    while (table[hole] !== docId + 1) hole = (hole + 1) & mask;
    for (let at = (hole + 1) & mask; table[at] !== 0; at = (at + 1) & mask) {
      const home = hashAt(this.#words, (table[at]! - 1) * WORDS) & mask;
      if (((at - home) & mask) < ((at - hole) & mask)) continue;
      table[hole] = table[at]!;
      hole = at;
    }
    table[hole] = 0;
  }

  id(docId: number): string {
    const words = this.#words;
    const at = docId * WORDS;
    const [first, second, third, fourth] = [words[at]!, words[at + 1]!, words[at + 2]!, words[at + 3]!];
    const end = `${DIGITS[third & 0xffff]}${DIGITS[fourth >>> 16]}${DIGITS[fourth & 0xffff]}`;
    return `${DIGITS[first >>> 16]}${DIGITS[first & 0xffff]}-${DIGITS[second >>> 16]}-${DIGITS[second & 0xffff]}-${DIGITS[third >>> 16]}-${end}`;
  }

  idsOf(docIds: Uint32Array | readonly number[], size: number): string[] {
    return Array.from({ length: size }, (_, at) => this.id(docIds[at]!));
  }

  compare(a: number, b: number): number {
    return this.#compare(a, this.#words, b * WORDS);
  }

  compareTo(docId: number, id: string): number {
    parse(id);
    return this.#compare(docId, parsed, 0);
  }

  #compare(docId: number, words: Uint32Array, at: number): number {
    const own = docId * WORDS;
    for (let word = 0; word < WORDS; word++) {
      const difference = this.#words[own + word]! - words[at + word]!;
      if (difference !== 0) return difference;
    }
    return 0;
  }

  #isParsed(docId: number): boolean {
    const words = this.#words;
    const at = docId * WORDS;
    return (
      words[at] === parsed[0] &&
      words[at + 1] === parsed[1] &&
      words[at + 2] === parsed[2] &&
      words[at + 3] === parsed[3]
    );
  }

  #place(docId: number): void {
    const mask = this.#table.length - 1;
    let at = hashAt(this.#words, docId * WORDS) & mask;
    while (this.#table[at] !== 0) at = (at + 1) & mask;
    this.#table[at] = docId + 1;
  }
}

const hashAt = (words: Uint32Array, at: number): number => {
  let hash = Math.imul(words[at]! ^ Math.imul(words[at + 1]!, 0x85ebca6b), 0xc2b2ae35);
  hash = Math.imul(hash ^ words[at + 2]! ^ (hash >>> 15), 0x27d4eb2f);
  hash = Math.imul(hash ^ words[at + 3]! ^ (hash >>> 13), 0x165667b1);
  return (hash ^ (hash >>> 16)) >>> 0;
};
