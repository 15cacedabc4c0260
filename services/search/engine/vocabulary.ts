// Every term of one index, each with a number: found by its text, by its beginning, and by texts one edit away.
// Texts stand as UTF-8 in one array; a term costs its bytes and some twenty more.

import { neighboursOf } from '#services/search/text/alphabet.ts';
import { GROWTH, Offsets, TEXT_BYTES_MAX } from './offset.ts';
import { Peaks } from './peak.ts';
import type { Slices } from './posting.ts';

const BYTES_START = 1 << 14;
const TERMS_START = 1 << 10;
const BASE = 0x01000193;
/** Bits beside each place of the table. */
const BITS_OF_A_PLACE = 8;
/** Longest term in bytes: 40 characters of up to three, and a unit. */
const TERM_BYTES_MAX = TEXT_BYTES_MAX;
/** Terms that came since the last sorting are looked through one by one: sorting is due, and at last done, from here on. */
const UNSORTED_MAX = 2_048;
const UNSORTED_LIMIT = 1 << 15;

/** Terms with one beginning that are all looked at. */
const WALKED_MAX = 4_096;
/** Put in order without a pause. */
const SORTED_AT_ONCE = 1 << 14;

/** `near`: a letter left out or two swapped. A term has few such slips, but fifty times as many with a wrong letter. */
export type TakeNeighbour = (term: number, near: boolean) => void;

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const asked = new Uint8Array(TERM_BYTES_MAX);
/** The text whose neighbours are looked for, the hashes of its beginnings and ends, what may be put in, and one edit. */
const word = new Uint8Array(TERM_BYTES_MAX);
const before = new Int32Array(TERM_BYTES_MAX + 1);
const after = new Int32Array(TERM_BYTES_MAX + 1);
const alphabet = new Uint8Array(128);
const edited = new Uint8Array(TERM_BYTES_MAX + 1);
const NOTHING = new Uint8Array(0);
const NO_LETTER = -1;

/** Spreads a hash over the table: neighbouring texts have neighbouring sums. */
const spread = (hash: number): number => {
  let h = hash ^ (hash >>> 15);
  h = Math.imul(h, 0x2c1b3c6d);
  h ^= h >>> 12;
  h = Math.imul(h, 0x297a2d39);
  return (h ^ (h >>> 15)) >>> 0;
};

const hashOf = (bytes: Uint8Array, length: number): number => {
  let hash = 0;
  for (let at = 0; at < length; at++) hash = (Math.imul(hash, BASE) + bytes[at]!) | 0;
  return hash;
};

const POWERS = Int32Array.from({ length: TERM_BYTES_MAX + 1 }, () => 1);
for (let at = 1; at <= TERM_BYTES_MAX; at++) POWERS[at] = Math.imul(POWERS[at - 1]!, BASE);

export class Vocabulary {
  #bytes = new Uint8Array(BYTES_START);
  readonly #starts = new Offsets();
  #size = 0;
  /** Term numbers + 1 by hash; 0 where nothing is. */
  #table = new Uint32Array(TERMS_START * 2);
  /** A bit for the hash of each term, so few of them set that nearly every text that is no term is told by it alone. */
  #bits = new Uint32Array((TERMS_START * 2 * BITS_OF_A_PLACE) >> 5);
  /** Term numbers in the order of their texts, all but the newest. */
  #sorted = new Uint32Array(0);
  #peaks = new Peaks(0);
  readonly #count: (term: number) => number;
  /** The bytes that stand in terms at all: what an edit may put in. */
  readonly #alphabet = new Uint32Array(256);

  /** `count` tells how many products have a term. */
  constructor(count: (term: number) => number = () => 0) {
    this.#count = count;
  }

  get size(): number {
    return this.#size;
  }

  /** Whether sorting is worth its while. */
  get scattered(): boolean {
    return this.#size - this.#sorted.length > UNSORTED_MAX;
  }

  /** About how much memory it takes. */
  get memoryBytes(): number {
    return (
      this.#bytes.length +
      this.#starts.memoryBytes +
      this.#table.byteLength +
      this.#bits.byteLength +
      this.#sorted.byteLength +
      this.#peaks.memoryBytes
    );
  }

  text(term: number): string {
    return decoder.decode(this.#bytes.subarray(this.#starts.start(term), this.#starts.start(term + 1)));
  }

  /** −1 for a text that is no term. */
  find(text: string): number {
    const { written } = encoder.encodeInto(text, asked);
    return this.#look(asked, written, hashOf(asked, written));
  }

  /** Its number; a new one if it had none. */
  add(text: string): number {
    const { written } = encoder.encodeInto(text, asked);
    const hash = hashOf(asked, written);
    const known = this.#look(asked, written, hash);
    if (known >= 0) return known;
    const term = this.#size++;
    this.#reserve(written);
    const start = this.#starts.start(term);
    this.#bytes.set(asked.subarray(0, written), start);
    this.#starts.push(start + written);
    for (let at = 0; at < written; at++) this.#alphabet[asked[at]!]!++;
    if (this.#size * 2 > this.#table.length) this.#rehash();
    else this.#place(term, hash);
    return term;
  }

  /**
   * Calls `take` with every term that begins so; of more than some thousands with those alone that may be among the 64
   * most frequent, as they were when terms were last sorted.
   */
  eachWithPrefix(prefix: string, take: (term: number) => void): void {
    if (this.#size - this.#sorted.length > UNSORTED_LIMIT) this.sort();
    const { written } = encoder.encodeInto(prefix, asked);
    const sorted = this.#sorted;
    const from = this.#firstFrom(written);
    const walked = Math.min(sorted.length, from + WALKED_MAX);
    if (walked < sorted.length && this.#begins(sorted[walked]!, written)) {
      // No byte of a text is so high: it stands behind whatever goes on.
      asked[written] = 255;
      const to = this.#firstFrom(written + 1, sorted, walked);
      this.#peaks.eachHigh(from, to, (place) => take(sorted[place]!));
    } else {
      for (let at = from; at < walked; at++) {
        const term = sorted[at]!;
        if (!this.#begins(term, written)) break;
        take(term);
      }
    }
    for (let term = sorted.length; term < this.#size; term++) if (this.#begins(term, written)) take(term);
  }

  /** Calls `take` with each term that one insertion, deletion, change or swap of neighbours makes of the text. */
  eachNeighbour(text: string, take: TakeNeighbour): void {
    const { written, read } = encoder.encodeInto(text, asked);
    if (written === read) this.#eachEdited(written, take);
    else this.#eachRewritten(text, written, take);
  }

  /** Puts the newest terms in order too: among themselves, then each where it belongs. */
  sort(): void {
    for (const _ of this.sorting()) void 0;
  }

  /** `sort` in slices, between which terms may come. */
  *sorting(): Slices {
    const older = this.#sorted;
    const newer = new Uint32Array(this.#size - older.length);
    for (let at = 0; at < newer.length; at++) newer[at] = older.length + at;
    yield* this.#order(newer, 0, newer.length, 0);
    if (this.#sorted !== older) return;
    const sorted = new Uint32Array(older.length + newer.length);
    let from = 0;
    for (let at = 0; at < newer.length; at++) {
      if (at % SORTED_AT_ONCE === 0) yield;
      const to = older.length === 0 ? 0 : this.#firstFrom(this.#ask(newer[at]!), older, from);
      if (to > from) sorted.set(older.subarray(from, to), from + at);
      sorted[to + at] = newer[at]!;
      from = to;
    }
    sorted.set(older.subarray(from), from + newer.length);
    const peaks = new Peaks(sorted.length);
    for (let place = 0; place < sorted.length; place++) {
      peaks.raise(place, this.#count(sorted[place]!));
      if (place % SORTED_AT_ONCE === 0) yield;
    }
    if (this.#sorted !== older) return;
    this.#sorted = sorted;
    this.#peaks = peaks;
  }

  /** As if its text had been asked for. */
  #ask(term: number): number {
    const start = this.#starts.start(term);
    const end = this.#starts.start(term + 1);
    asked.set(this.#bytes.subarray(start, end));
    return end - start;
  }

  /** Tries every edit by its hash alone: what stands before and behind it each have theirs. */
  #eachEdited(length: number, take: TakeNeighbour): void {
    word.set(asked.subarray(0, length));
    for (let at = 0; at < length; at++) before[at + 1] = (Math.imul(before[at]!, BASE) + word[at]!) | 0;
    after[length] = 0;
    for (let at = length - 1; at >= 0; at--)
      after[at] = (Math.imul(word[at]!, POWERS[length - 1 - at]!) + after[at + 1]!) | 0;
    let letters = 0;
    for (let byte = 0; byte < 128; byte++) if (this.#alphabet[byte]! > 0) alphabet[letters++] = byte;

    for (let at = 0; at <= length; at++) {
      const rest = length - at;
      const head = Math.imul(before[at]!, BASE);
      // A letter more; next to an equal one it is the same from either side.
      this.#tryLetters(head, after[at]!, rest, letters, at, at, length, take);
      if (rest === 0) return;
      const own = word[at]!;
      this.#tryLetters(head, after[at + 1]!, rest - 1, letters, at, at + 1, length, take);
      // A letter less; of two equal ones one is enough.
      if (at === 0 || own !== word[at - 1]) {
        const hash = (Math.imul(before[at]!, POWERS[rest - 1]!) + after[at + 1]!) | 0;
        if (this.#maybe(hash)) this.#tryEdit(hash, at, NO_LETTER, at + 1, length, take);
      }
      if (rest === 1 || own === word[at + 1]) continue;
      const pair = (Math.imul(head + word[at + 1]!, BASE) + own) | 0;
      const hash = (Math.imul(pair, POWERS[rest - 2]!) + after[at + 2]!) | 0;
      if (!this.#maybe(hash)) continue;
      word[at] = word[at + 1]!;
      word[at + 1] = own;
      const term = this.#look(word, length, hash);
      word[at + 1] = word[at]!;
      word[at] = own;
      if (term >= 0) take(term, true);
    }
  }

  /** Each letter between the text up to `at` and the text from `from` on. Hundreds a word: here every step counts. */
  #tryLetters(
    head: number,
    tail: number,
    rest: number,
    letters: number,
    at: number,
    from: number,
    length: number,
    take: TakeNeighbour,
  ): void {
    const bits = this.#bits;
    const mask = bits.length * 32 - 1;
    const power = POWERS[rest]!;
    const base = (Math.imul(head, power) + tail) | 0;
    const own = at < length ? word[at]! : -1;
    for (let each = 0; each < letters; each++) {
      const letter = alphabet[each]!;
      const hash = (base + Math.imul(letter, power)) | 0;
      const bit = spread(hash) & mask;
      if ((bits[bit >>> 5]! & (1 << (bit & 31))) === 0 || letter === own) continue;
      this.#tryEdit(hash, at, letter, from, length, take);
    }
  }

  /** The text up to `at`, then the letter if any, then the text from `from` on: taken if it is a term. */
  #tryEdit(hash: number, at: number, letter: number, from: number, length: number, take: TakeNeighbour): void {
    let end = at;
    for (let copied = 0; copied < at; copied++) edited[copied] = word[copied]!;
    if (letter !== NO_LETTER) edited[end++] = letter;
    for (let copied = from; copied < length; copied++) edited[end++] = word[copied]!;
    const term = this.#look(edited, end, hash);
    if (term >= 0) take(term, from === at);
  }

  #maybe(hash: number): boolean {
    const bit = spread(hash) & (this.#bits.length * 32 - 1);
    return (this.#bits[bit >>> 5]! & (1 << (bit & 31))) !== 0;
  }

  /** The same for texts beyond ASCII, edited character by character with the letters of their own script. */
  #eachRewritten(text: string, length: number, take: TakeNeighbour): void {
    const word = asked.slice(0, length);
    /** Where each character begins, and where the last one ends. */
    const starts: number[] = [];
    for (let at = 0; at < length; at++) if ((word[at]! & 0xc0) !== 0x80) starts.push(at);
    const count = starts.length;
    starts.push(length);
    const edited = new Uint8Array(length + 4);
    const before = new Int32Array(length + 1);
    const after = new Int32Array(length + 1);
    for (let at = 0; at < length; at++) before[at + 1] = (Math.imul(before[at]!, BASE) + word[at]!) | 0;
    for (let at = length - 1; at >= 0; at--)
      after[at] = (Math.imul(word[at]!, POWERS[length - 1 - at]!) + after[at + 1]!) | 0;
    const own = this.#look(word, length, before[length]!);
    /** The text up to a place, the letters, and the text from another place on. */
    const attempt = (to: number, letters: Uint8Array, from: number, near: boolean): void => {
      let hash = before[to]!;
      for (const byte of letters) hash = (Math.imul(hash, BASE) + byte) | 0;
      hash = (Math.imul(hash, POWERS[length - from]!) + after[from]!) | 0;
      if (!this.#maybe(hash)) return;
      edited.set(word.subarray(0, to));
      edited.set(letters, to);
      edited.set(word.subarray(from), to + letters.length);
      const term = this.#look(edited, to + letters.length + length - from, hash);
      if (term >= 0 && term !== own) take(term, near);
    };
    const script = neighboursOf(text)
      .map((letter) => encoder.encode(letter))
      // Nobody's term has it.
      .filter((bytes) => bytes.every((byte) => this.#alphabet[byte]! > 0));
    for (let at = 0; at <= count; at++) {
      const here = starts[at]!;
      const next = starts[at + 1] ?? length;
      if (at < count) attempt(here, NOTHING, next, false);
      if (at + 1 < count) {
        const behind = starts[at + 2]!;
        attempt(here, Uint8Array.of(...word.subarray(next, behind), ...word.subarray(here, next)), behind, true);
      }
      for (const letter of script) {
        attempt(here, letter, here, true);
        if (at < count) attempt(here, letter, next, false);
      }
    }
  }

  #look(bytes: Uint8Array, length: number, hash: number): number {
    const table = this.#table;
    const mask = table.length - 1;
    for (let at = spread(hash) & mask; ; at = (at + 1) & mask) {
      const entry = table[at]!;
      if (entry === 0) return -1;
      if (this.#equals(entry - 1, bytes, length)) return entry - 1;
    }
  }

  #equals(term: number, bytes: Uint8Array, length: number): boolean {
    const start = this.#starts.start(term);
    if (this.#starts.start(term + 1) - start !== length) return false;
    const own = this.#bytes;
    for (let at = 0; at < length; at++) if (own[start + at] !== bytes[at]) return false;
    return true;
  }

  #begins(term: number, length: number): boolean {
    const start = this.#starts.start(term);
    if (this.#starts.start(term + 1) - start < length) return false;
    for (let at = 0; at < length; at++) if (this.#bytes[start + at] !== asked[at]) return false;
    return true;
  }

  /** The first sorted place whose text is not before what was asked for. */
  #firstFrom(length: number, terms = this.#sorted, from = 0): number {
    let low = from;
    let high = terms.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#before(terms[middle]!, length)) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #before(term: number, length: number): boolean {
    const start = this.#starts.start(term);
    const own = this.#starts.start(term + 1) - start;
    for (let at = 0; at < own && at < length; at++) {
      const difference = this.#bytes[start + at]! - asked[at]!;
      if (difference !== 0) return difference < 0;
    }
    return own < length;
  }

  #byteOf(term: number, depth: number): number {
    const at = this.#starts.start(term) + depth;
    return at < this.#starts.start(term + 1) ? this.#bytes[at]! : -1;
  }

  /** Three-way radix quicksort: bytes that a run of terms shares are looked at once. */
  *#order(terms: Uint32Array, from: number, to: number, depth: number): Slices {
    if (to - from < SORTED_AT_ONCE) {
      this.#orderAtOnce(terms, from, to, depth);
      yield;
      return;
    }
    const [low, high, pivot] = this.#part(terms, from, to, depth);
    yield* this.#order(terms, from, low, depth);
    if (pivot >= 0) yield* this.#order(terms, low, high, depth + 1);
    yield* this.#order(terms, high, to, depth);
  }

  #orderAtOnce(terms: Uint32Array, from: number, to: number, depth: number): void {
    if (to - from < 2) return;
    const [low, high, pivot] = this.#part(terms, from, to, depth);
    this.#orderAtOnce(terms, from, low, depth);
    if (pivot >= 0) this.#orderAtOnce(terms, low, high, depth + 1);
    this.#orderAtOnce(terms, high, to, depth);
  }

  /** What is below a byte to the front, what is above to the back; returns where the equal ones stand, and the byte. */
  #part(terms: Uint32Array, from: number, to: number, depth: number): readonly [number, number, number] {
    const pivot = this.#byteOf(terms[(from + to) >> 1]!, depth);
    let low = from;
    let high = to;
    let at = from;
    while (at < high) {
      const byte = this.#byteOf(terms[at]!, depth);
      if (byte < pivot) this.#swap(terms, low++, at++);
      else if (byte > pivot) this.#swap(terms, --high, at);
      else at++;
    }
    return [low, high, pivot];
  }

  #swap(terms: Uint32Array, a: number, b: number): void {
    const kept = terms[a]!;
    terms[a] = terms[b]!;
    terms[b] = kept;
  }

  #place(term: number, hash: number): void {
    const mask = this.#table.length - 1;
    let at = spread(hash) & mask;
    while (this.#table[at] !== 0) at = (at + 1) & mask;
    this.#table[at] = term + 1;
    const bit = spread(hash) & (this.#bits.length * 32 - 1);
    this.#bits[bit >>> 5]! |= 1 << (bit & 31);
  }

  #rehash(): void {
    this.#table = new Uint32Array(this.#table.length * 2);
    this.#bits = new Uint32Array((this.#table.length * BITS_OF_A_PLACE) >> 5);
    for (let term = 0; term < this.#size; term++) {
      const start = this.#starts.start(term);
      const end = this.#starts.start(term + 1);
      let hash = 0;
      for (let at = start; at < end; at++) hash = (Math.imul(hash, BASE) + this.#bytes[at]!) | 0;
      this.#place(term, hash);
    }
  }

  #reserve(bytes: number): void {
    const end = this.#starts.start(this.#size - 1) + bytes;
    if (end <= this.#bytes.length) return;
    const longer = new Uint8Array(Math.max(end, Math.ceil(this.#bytes.length * GROWTH)));
    longer.set(this.#bytes);
    this.#bytes = longer;
  }
}
