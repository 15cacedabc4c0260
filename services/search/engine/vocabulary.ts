// Every term of one index, each with a number: found by its text, by its beginning, and by texts one edit away.
// A term costs its bytes and some fifteen more.

import { neighboursOf } from '#services/search/text/alphabet.ts';
import { TEXT_BYTES_MAX } from './offset.ts';
import type { Slices } from './posting.ts';
import { TermOrder } from './term_order.ts';
import { TextList } from './text_list.ts';

const TERMS_START = 1 << 10;
/** Places of the table, without a pause. */
const RENUMBERED_AT_ONCE = 1 << 17;
const BASE = 0x01000193;
/** Bits beside each place of the table, for texts, */
const BITS_OF_A_PLACE = 4;
/** and for their gaps, of which a term has as many as letters. */
const GAP_BITS_OF_A_PLACE = 16;
/** Longest term in bytes: 40 characters of up to three, and a unit. */
const TERM_BYTES_MAX = TEXT_BYTES_MAX;
/** How a text came of a term: a letter left out or two swapped. A term has few such slips, */
export const NEAR = 0;
/** but fifty times as many with a wrong letter; */
export const FAR = 1;
/** one that is a digit for a letter, a letter for a digit, or stands among the others alone, hardly anybody types. */
export const STRANGE = 2;
export type Distance = typeof NEAR | typeof FAR | typeof STRANGE;
export type TakeNeighbour = (term: number, distance: Distance) => void;

const encoder = new TextEncoder();
/** What is asked for; a byte more may stand behind it. */
const room = new Uint8Array(TERM_BYTES_MAX + 1);
const asked = room.subarray(0, TERM_BYTES_MAX);
/** The text whose neighbours are looked for, the hashes of its beginnings and ends, and what may be put in. */
const word = new Uint8Array(TERM_BYTES_MAX);
const before = new Int32Array(TERM_BYTES_MAX + 1);
const after = new Int32Array(TERM_BYTES_MAX + 1);
const alphabet = new Uint8Array(128);
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

/** Each hash has two bits of one word: with one, far more that are not in would seem to be. */
const bitsOf = (hash: number): number => (1 << hash) | (1 << (hash >>> 5));
const placeOf = (words: Int32Array, hash: number): number => spread(hash) & (words.length - 1);

const mayHold = (words: Int32Array, hash: number): boolean => {
  const bits = bitsOf(hash);
  return (words[placeOf(words, hash)]! & bits) === bits;
};

const hold = (words: Int32Array, hash: number): void => {
  words[placeOf(words, hash)]! |= bitsOf(hash);
};

const isDigit = (byte: number): boolean => byte >= 48 && byte <= 57;

const hashOf = (bytes: Uint8Array, length: number): number => {
  let hash = 0;
  for (let at = 0; at < length; at++) hash = (Math.imul(hash, BASE) + bytes[at]!) | 0;
  return hash;
};

const POWERS = Int32Array.from({ length: TERM_BYTES_MAX + 1 }, () => 1);
for (let at = 1; at <= TERM_BYTES_MAX; at++) POWERS[at] = Math.imul(POWERS[at - 1]!, BASE);

/** Of the term with the letter, if any, in place of what the text has from `at` up to `from`. */
const distanceOf = (at: number, letter: number, from: number, length: number): Distance => {
  if (from === at) return NEAR;
  const typed = isDigit(word[at]!);
  if (letter !== NO_LETTER) return isDigit(letter) === typed ? FAR : STRANGE;
  const before = at > 0 && isDigit(word[at - 1]!) === typed;
  const behind = from < length && isDigit(word[from]!) === typed;
  return before || behind ? FAR : STRANGE;
};

export class Vocabulary {
  #texts = new TextList();
  readonly #order: TermOrder;
  /** Term numbers + 1 by hash; 0 where nothing is. */
  #table = new Uint32Array(TERMS_START * 2);
  /** A bit for the hash of each term, so few of them set that nearly every text that is no term is told by it alone. */
  #bits = new Int32Array((TERMS_START * 2 * BITS_OF_A_PLACE) >> 5);
  /**
   * Of each term with each one of its letters left open a bit for that letter, all letters of one gap in one word: at most
   * places of a text most letters make no term of it, which is told without trying them.
   */
  #gaps = new Int32Array((TERMS_START * 2 * GAP_BITS_OF_A_PLACE) >> 5);
  /** The bytes that stand in terms at all: what an edit may put in. */
  readonly #alphabet = new Uint32Array(256);

  /** `count` tells how many products have a term. */
  constructor(count: (term: number) => number = () => 0) {
    this.#order = new TermOrder(this.#texts, count);
  }

  get size(): number {
    return this.#texts.size;
  }

  /** Whether sorting is worth its while. */
  get scattered(): boolean {
    return this.#order.scattered;
  }

  /** About how much memory it takes. */
  get memoryBytes(): number {
    const arrays = [this.#table, this.#bits, this.#gaps];
    const own = arrays.reduce((sum, { byteLength }) => sum + byteLength, 0);
    return own + this.#texts.memoryBytes + this.#order.memoryBytes;
  }

  text(term: number): string {
    return this.#texts.text(term);
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
    const term = this.#texts.size;
    this.#texts.push(asked, written);
    for (let at = 0; at < written; at++) this.#alphabet[asked[at]!]!++;
    if ((term + 1) * 2 > this.#table.length) this.#rehash();
    else this.#place(term, hash, written);
    return term;
  }

  /**
   * Calls `take` with every term that begins so; of more than some thousands with those alone that may be among the 64
   * most frequent, as they were when terms were last sorted.
   */
  eachWithPrefix(prefix: string, take: (term: number) => void): void {
    const { written } = encoder.encodeInto(prefix, asked);
    this.#order.eachWithPrefix(room, written, take);
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
  sorting(): Slices {
    return this.#order.sorting();
  }

  /**
   * Gives all terms the numbers of their order, in slices between which none may come or be looked for; returns each
   * one's new number.
   */
  *arranging(): Generator<void, Uint32Array> {
    const { texts, numbers } = yield* this.#order.arranging();
    this.#texts = texts;
    const table = this.#table;
    for (let at = 0; at < table.length; at++) {
      if (table[at] !== 0) table[at] = numbers[table[at]! - 1]! + 1;
      if (at % RENUMBERED_AT_ONCE === 0) yield;
    }
    return numbers;
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
      if (term >= 0) take(term, NEAR);
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
    const power = POWERS[rest]!;
    const base = (Math.imul(head, power) + tail) | 0;
    const open = this.#gaps[placeOf(this.#gaps, base)]!;
    if (open === 0) return;
    const own = at < length ? word[at]! : -1;
    for (let each = 0; each < letters; each++) {
      const letter = alphabet[each]!;
      if ((open & (1 << letter)) === 0 || letter === own) continue;
      const hash = (base + Math.imul(letter, power)) | 0;
      if (mayHold(bits, hash)) this.#tryEdit(hash, at, letter, from, length, take);
    }
  }

  /** The text up to `at`, then the letter if any, then the text from `from` on: taken if it is a term. */
  #tryEdit(hash: number, at: number, letter: number, from: number, length: number, take: TakeNeighbour): void {
    const table = this.#table;
    const mask = table.length - 1;
    for (let place = spread(hash) & mask; ; place = (place + 1) & mask) {
      const entry = table[place]!;
      if (entry === 0) return;
      if (!this.#texts.equalsEdited(entry - 1, word, at, letter, from, length)) continue;
      take(entry - 1, distanceOf(at, letter, from, length));
      return;
    }
  }

  #maybe(hash: number): boolean {
    return mayHold(this.#bits, hash);
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
    const attempt = (to: number, letters: Uint8Array, from: number, distance: Distance): void => {
      let hash = before[to]!;
      for (const byte of letters) hash = (Math.imul(hash, BASE) + byte) | 0;
      hash = (Math.imul(hash, POWERS[length - from]!) + after[from]!) | 0;
      if (!this.#maybe(hash)) return;
      edited.set(word.subarray(0, to));
      edited.set(letters, to);
      edited.set(word.subarray(from), to + letters.length);
      const term = this.#look(edited, to + letters.length + length - from, hash);
      if (term >= 0 && term !== own) take(term, distance);
    };
    const script = neighboursOf(text)
      .map((letter) => encoder.encode(letter))
      // Nobody's term has it.
      .filter((bytes) => bytes.every((byte) => this.#alphabet[byte]! > 0));
    for (let at = 0; at <= count; at++) {
      const here = starts[at]!;
      const next = starts[at + 1] ?? length;
      if (at < count) attempt(here, NOTHING, next, FAR);
      if (at + 1 < count) {
        const behind = starts[at + 2]!;
        attempt(here, Uint8Array.of(...word.subarray(next, behind), ...word.subarray(here, next)), behind, NEAR);
      }
      for (const letter of script) {
        attempt(here, letter, here, NEAR);
        if (at < count) attempt(here, letter, next, FAR);
      }
    }
  }

  #look(bytes: Uint8Array, length: number, hash: number): number {
    const table = this.#table;
    const mask = table.length - 1;
    for (let at = spread(hash) & mask; ; at = (at + 1) & mask) {
      const entry = table[at]!;
      if (entry === 0) return -1;
      if (this.#texts.equals(entry - 1, bytes, length)) return entry - 1;
    }
  }

  /** `asked` holds its text. */
  #place(term: number, hash: number, length: number): void {
    const mask = this.#table.length - 1;
    let at = spread(hash) & mask;
    while (this.#table[at] !== 0) at = (at + 1) & mask;
    this.#table[at] = term + 1;
    hold(this.#bits, hash);
    for (let each = 0; each < length; each++) {
      const letter = asked[each]!;
      const gap = placeOf(this.#gaps, (hash - Math.imul(letter, POWERS[length - 1 - each]!)) | 0);
      this.#gaps[gap]! |= 1 << letter;
    }
  }

  #rehash(): void {
    this.#table = new Uint32Array(this.#table.length * 2);
    this.#bits = new Int32Array((this.#table.length * BITS_OF_A_PLACE) >> 5);
    this.#gaps = new Int32Array((this.#table.length * GAP_BITS_OF_A_PLACE) >> 5);
    for (let term = 0; term < this.size; term++) {
      const length = this.#texts.read(term, asked);
      this.#place(term, hashOf(asked, length), length);
    }
  }
}
