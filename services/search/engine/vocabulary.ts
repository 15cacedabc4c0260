// The terms of one index, numbered. Finds terms by text, by prefix, and by texts one edit away. A term takes its length
// in bytes plus about fifteen.

import { TEXT_BYTES_MAX } from './offset.ts';
import type { Slices } from './posting.ts';
import { TermOrder, type TermOrderState } from './term_order.ts';
import { BASE, hashOf, lettersFor, mayHold, POWERS, spread, TermTable, type TermTableState } from './term_table.ts';
import { TextList, type TextListState } from './text_list.ts';

/** Returns the letters of the same scripts, which a typo may insert into a word. */
const lettersNear = (text: string): readonly string[] => {
  const blocks = new Set([...text].map((letter) => letter.codePointAt(0)! >> 6));
  return [...blocks]
    .slice(0, 3)
    .flatMap((block) =>
      Array.from({ length: 64 }, (_, at) => String.fromCodePoint((block << 6) + at)).filter((each) =>
        /\p{L}|\p{N}/u.test(each),
      ),
    );
};

const PLACES_START = 1 << 11;
/**
 * Number of entries moved to the next, larger hash table per added term: enough to finish before the current table is
 * too full.
 */
const MOVED_PER_ADDITION = 8;
const RENUMBERED_PER_SLICE = 1 << 17;
const TERM_BYTES_MAX = TEXT_BYTES_MAX;
/**
 * How far a typed text is from a term: it omits a letter or transposes two, has a wrong or an additional letter, or
 * has a digit for a letter or the reverse, which hardly ever happens.
 */
export const NEAR = 0;
const FAR = 1;
const STRANGE = 2;
export type Distance = typeof NEAR | typeof FAR | typeof STRANGE;
export type VisitEdit = (term: number, distance: Distance) => void;

const encoder = new TextEncoder();
/** Has one byte more than a term, for a terminator. */
const room = new Uint8Array(TERM_BYTES_MAX + 1);
const asked = room.subarray(0, TERM_BYTES_MAX);
const word = new Uint8Array(TERM_BYTES_MAX);
const before = new Int32Array(TERM_BYTES_MAX + 1);
const after = new Int32Array(TERM_BYTES_MAX + 1);
const alphabet = new Uint8Array(128);
const NOTHING = new Uint8Array(0);
const NO_LETTER = -1;
const BLANK = 32;

const isDigit = (byte: number): boolean => byte >= 48 && byte <= 57;

const distanceOf = (at: number, letter: number, from: number, length: number): Distance => {
  if (from === at) return NEAR;
  const typed = isDigit(word[at]!);
  if (letter !== NO_LETTER) return isDigit(letter) === typed ? FAR : STRANGE;
  const before = at > 0 && isDigit(word[at - 1]!) === typed;
  const behind = from < length && isDigit(word[from]!) === typed;
  return before || behind ? FAR : STRANGE;
};

export interface VocabularyState {
  readonly texts: TextListState;
  readonly order: TermOrderState;
  readonly table: TermTableState;
  readonly alphabet: Uint32Array;
}

export class Vocabulary {
  #texts = new TextList();
  readonly #order: TermOrder;
  #table = new TermTable(PLACES_START);
  /**
   * The larger table while terms are being moved to it. Moving all at once would take a second for a million products.
   */
  #next: TermTable | null = null;
  #moved = 0;
  /** Bytes that occur in terms, and therefore may be inserted by an edit. */
  readonly #alphabet = new Uint32Array(256);

  constructor(count: (term: number) => number = () => 0) {
    this.#order = new TermOrder(this.#texts, count);
  }

  get size(): number {
    return this.#texts.size;
  }

  get needsSorting(): boolean {
    return this.#order.needsSorting;
  }

  /** Returns the state. While the table grows, the smaller table is saved, because it contains all terms. */
  get state(): VocabularyState {
    const { terms, bits, gaps } = this.#table;
    return {
      texts: this.#texts.state,
      order: this.#order.state,
      table: { terms, bits, gaps },
      alphabet: this.#alphabet,
    };
  }

  restore({ texts, order, table, alphabet }: VocabularyState): void {
    this.#texts.restore(texts);
    this.#order.restore(order);
    this.#table = new TermTable(table);
    this.#alphabet.set(alphabet);
  }

  get memoryBytes(): number {
    const tables = this.#table.memoryBytes + (this.#next?.memoryBytes ?? 0);
    return tables + this.#texts.memoryBytes + this.#order.memoryBytes;
  }

  text(term: number): string {
    return this.#texts.text(term);
  }

  length(term: number): number {
    return this.#texts.length(term);
  }

  find(text: string): number {
    const { written } = encoder.encodeInto(text, asked);
    return this.#look(asked, written, hashOf(asked, written));
  }

  findPrefixed(prefix: string, term: number): number {
    const { written } = encoder.encodeInto(prefix, asked);
    const length = written + this.length(term);
    if (length > TERM_BYTES_MAX) return -1;
    this.#texts.read(term, asked.subarray(written));
    return this.#look(asked, length, hashOf(asked, length));
  }

  add(text: string): number {
    const { written } = encoder.encodeInto(text, asked);
    const hash = hashOf(asked, written);
    const known = this.#look(asked, written, hash);
    if (known >= 0) return known;
    const term = this.#texts.size;
    this.#texts.push(asked, written);
    for (let at = 0; at < written; at++) if (asked[at]! >= BLANK) this.#alphabet[asked[at]!]!++;
    this.#table.place(term, asked, written, hash);
    this.#grow();
    return term;
  }

  eachWithPrefix(prefix: string, take: (term: number) => void): void {
    const { written } = encoder.encodeInto(prefix, asked);
    this.#order.eachWithPrefix(room, written, take);
  }

  /** Visits the terms that one insertion, deletion, substitution or transposition turns the text into. */
  eachEdit(text: string, take: VisitEdit): void {
    const { written, read } = encoder.encodeInto(text, asked);
    if (written === read) this.#eachEdited(written, take);
    else this.#eachRewritten(text, written, take);
  }

  sort(): void {
    for (const _ of this.sorting()) void 0;
  }

  sorting(): Slices {
    return this.#order.sorting();
  }

  *arranging(): Generator<void, Uint32Array> {
    const { texts, numbers } = yield* this.#order.arranging();
    this.#texts = texts;
    // Discards the half-filled larger table, because its entries have the term numbers from before the reordering.
    this.#next = null;
    const { terms } = this.#table;
    for (let at = 0; at < terms.length; at++) {
      if (terms[at] !== 0) terms[at] = numbers[terms[at]! - 1]! + 1;
      if (at % RENUMBERED_PER_SLICE === 0) yield;
    }
    return numbers;
  }

  /**
   * Tries every edit. Combines the hashes of the text before and after the edit, instead of hashing each edited text.
   */
  #eachEdited(length: number, take: VisitEdit): void {
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
      // Skips the insertion of a letter before an equal one, because inserting it after gives the same text.
      this.#tryLetters(head, after[at]!, rest, letters, at, at, length, take);
      if (rest === 0) return;
      const own = word[at]!;
      this.#tryLetters(head, after[at + 1]!, rest - 1, letters, at, at + 1, length, take);
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

  #tryLetters(
    head: number,
    tail: number,
    rest: number,
    letters: number,
    at: number,
    from: number,
    length: number,
    take: VisitEdit,
  ): void {
    const { bits, gaps } = this.#table;
    const power = POWERS[rest]!;
    const base = (Math.imul(head, power) + tail) | 0;
    const open = lettersFor(gaps, base);
    if (open === 0) return;
    const own = at < length ? word[at]! : -1;
    for (let each = 0; each < letters; each++) {
      const letter = alphabet[each]!;
      if ((open & (1 << letter)) === 0 || letter === own) continue;
      const hash = (base + Math.imul(letter, power)) | 0;
      if (mayHold(bits, hash)) this.#tryEdit(hash, at, letter, from, length, take);
    }
  }

  #tryEdit(hash: number, at: number, letter: number, from: number, length: number, take: VisitEdit): void {
    const { terms } = this.#table;
    const mask = terms.length - 1;
    for (let place = spread(hash) & mask; ; place = (place + 1) & mask) {
      const entry = terms[place]!;
      if (entry === 0) return;
      if (!this.#texts.equalsEdited(entry - 1, word, at, letter, from, length)) continue;
      take(entry - 1, distanceOf(at, letter, from, length));
      return;
    }
  }

  #maybe(hash: number): boolean {
    return mayHold(this.#table.bits, hash);
  }

  /** Edits a text outside ASCII with characters of the same script. */
  #eachRewritten(text: string, length: number, take: VisitEdit): void {
    const word = asked.slice(0, length);
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
    const script = lettersNear(text)
      .map((letter) => encoder.encode(letter))
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
    const { terms } = this.#table;
    const mask = terms.length - 1;
    for (let at = spread(hash) & mask; ; at = (at + 1) & mask) {
      const entry = terms[at]!;
      if (entry === 0) return -1;
      if (this.#texts.equals(entry - 1, bytes, length)) return entry - 1;
    }
  }

  #grow(): void {
    const { size } = this;
    if (this.#next === null) {
      if (size * 2 <= this.#table.places) return;
      this.#next = new TermTable(this.#table.places * 2);
      this.#moved = 0;
    }
    // Moves all remaining entries at once if the table would otherwise fill up first, because renumbering restarts the
    // gradual move.
    const step = size * 4 > this.#table.places * 3 ? size : MOVED_PER_ADDITION;
    for (const until = Math.min(size, this.#moved + step); this.#moved < until; this.#moved++) {
      const length = this.#texts.read(this.#moved, asked);
      this.#next.place(this.#moved, asked, length, hashOf(asked, length));
    }
    if (this.#moved < size) return;
    this.#table = this.#next;
    this.#next = null;
  }
}
