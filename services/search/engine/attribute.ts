// Attributes and tags: all products' values in one pool, and a column for each attribute that queries use.

import { RecentMap } from '#values/recent_map.ts';
import { type CompactUints, emptyLike, lengthened, withNumber } from './compact_uint.ts';
import { Dictionary } from './dictionary.ts';
import type { AttributeValue } from './document.ts';
import type { Slices } from './posting.ts';

export const MANY = 0x8000_0000;
/** The attribute name under which tags are stored. No real attribute's name contains a NUL. */
export const TAGS = '\0tag';

const COLUMNS_MAX = 32;

/**
 * One attribute of all products. An entry is 0 without a value, else a value's code, or `MANY` plus the index of a list
 * of codes.
 */
export interface Column {
  readonly dictionary: Dictionary;
  entries: Uint32Array;
  readonly lists: (readonly number[])[];
}

/** The state that is saved; columns are not saved but rebuilt when needed. */
export interface AttributesState {
  readonly named: CompactUints;
  readonly coded: CompactUints;
  readonly used: number;
  readonly wasted: number;
  readonly starts: Uint32Array;
  readonly counts: CompactUints;
  readonly names: readonly string[];
  readonly values: readonly (readonly AttributeValue[])[];
}

export class Attributes {
  /**
   * Attribute numbers of all (attribute, value) pairs of products; `#coded` has the code of the pair's value at the
   * same position.
   */
  #named: CompactUints = new Uint8Array(1 << 10);
  #coded: CompactUints = new Uint8Array(1 << 10);
  #used = 0;
  #wasted = 0;
  #starts: Uint32Array;
  #counts: CompactUints;
  readonly #names = new Map<string, number>();
  readonly #dictionaries: Dictionary[] = [];
  readonly #columns = new RecentMap<string, Column>(COLUMNS_MAX);

  constructor(docIds: number) {
    this.#starts = new Uint32Array(docIds);
    this.#counts = new Uint8Array(docIds);
  }

  get state(): AttributesState {
    return {
      named: this.#named,
      coded: this.#coded,
      used: this.#used,
      wasted: this.#wasted,
      starts: this.#starts,
      counts: this.#counts,
      names: [...this.#names.keys()],
      values: this.#dictionaries.map(({ state }) => state),
    };
  }

  *restoring(state: AttributesState): Slices {
    this.#named = state.named;
    this.#coded = state.coded;
    this.#used = state.used;
    this.#wasted = state.wasted;
    this.#starts = state.starts;
    this.#counts = state.counts;
    let work = 0;
    for (const [number, name] of state.names.entries()) {
      const values = state.values[number]!;
      this.#dictionaries[this.#number(name)]!.restore(values);
      work += values.length;
      if (work < VALUES_PER_SLICE) continue;
      work = 0;
      yield;
    }
  }

  get memoryBytes(): number {
    let bytes = this.#named.byteLength + this.#coded.byteLength + this.#starts.byteLength + this.#counts.byteLength;
    for (const { entries } of this.#columns.values()) bytes += entries.byteLength;
    for (const { size } of this.#dictionaries) bytes += size * VALUE_BYTES;
    return bytes;
  }

  numberOf(name: string): number {
    return this.#number(name);
  }

  codeOf(name: string, value: AttributeValue): number {
    return this.#dictionaries[this.#number(name)]!.code(value);
  }

  grow(docIds: number): void {
    const starts = new Uint32Array(docIds);
    starts.set(this.#starts);
    this.#starts = starts;
    this.#counts = lengthened(this.#counts, docIds);
    for (const column of this.#columns.values()) {
      const entries = new Uint32Array(docIds);
      entries.set(column.entries);
      column.entries = entries;
    }
  }

  set(docId: number, pairs: readonly (readonly [name: string, value: AttributeValue])[]): void {
    this.clear(docId);
    const stored = pairs.slice(0, PAIRS_MAX);
    this.#reserve(stored.length);
    this.#starts[docId] = this.#used;
    this.#counts = withNumber(this.#counts, docId, stored.length);
    for (const [name, value] of stored) {
      const number = this.#number(name);
      this.#named = withNumber(this.#named, this.#used, number);
      this.#coded = withNumber(this.#coded, this.#used, this.#dictionaries[number]!.code(value));
      this.#used++;
    }
    for (const [name, column] of this.#columns) this.#enter(column, docId, this.#number(name));
  }

  clear(docId: number): void {
    this.#wasted += this.#counts[docId]!;
    this.#counts[docId] = 0;
    for (const column of this.#columns.values()) column.entries[docId] = 0;
  }

  column(name: string): Column | null {
    const known = this.#columns.get(name);
    if (known) return known;
    const number = this.#names.get(name);
    if (number === undefined) return null;
    const column: Column = {
      dictionary: this.#dictionaries[number]!,
      entries: new Uint32Array(this.#starts.length),
      lists: [],
    };
    for (let docId = 0; docId < this.#counts.length; docId++) this.#enter(column, docId, number);
    this.#columns.set(name, column);
    return column;
  }

  #enter(column: Column, docId: number, number: number): void {
    const end = this.#starts[docId]! + this.#counts[docId]!;
    let first = 0;
    let codes: number[] | null = null;
    for (let at = this.#starts[docId]!; at < end; at++) {
      if (this.#named[at] !== number) continue;
      const code = this.#coded[at]!;
      if (first === 0) first = code;
      else if (code !== first && !codes?.includes(code)) {
        codes ??= [first];
        codes.push(code);
      }
    }
    column.entries[docId] = codes === null ? first : (MANY | (column.lists.push(codes) - 1)) >>> 0;
  }

  #number(name: string): number {
    let number = this.#names.get(name);
    if (number === undefined) {
      number = this.#dictionaries.push(new Dictionary()) - 1;
      this.#names.set(name, number);
    }
    return number;
  }

  #reserve(size: number): void {
    if (this.#wasted > 1 << 16 && this.#wasted > this.#used / 2) this.#tidy();
    if (this.#used + size <= this.#named.length) return;
    const length = Math.max(this.#used + size, Math.ceil(this.#named.length * GROWTH));
    this.#named = lengthened(this.#named, length);
    this.#coded = lengthened(this.#coded, length);
  }

  #tidy(): void {
    const room = this.#used - this.#wasted + (1 << 10);
    const named = emptyLike(this.#named, room);
    const coded = emptyLike(this.#coded, room);
    let used = 0;
    for (let docId = 0; docId < this.#counts.length; docId++) {
      const count = this.#counts[docId]!;
      if (count === 0) continue;
      const start = this.#starts[docId]!;
      named.set(this.#named.subarray(start, start + count), used);
      coded.set(this.#coded.subarray(start, start + count), used);
      this.#starts[docId] = used;
      used += count;
    }
    this.#named = named;
    this.#coded = coded;
    this.#used = used;
    this.#wasted = 0;
  }
}

const VALUES_PER_SLICE = 8_192;
const GROWTH = 1.125;
const PAIRS_MAX = 2_000;
const VALUE_BYTES = 100;
