// Many short texts as UTF-8 in one array, addressed by number.
import { GROWTH, Offsets, type OffsetsState } from './offset.ts';

const BYTES_START = 1 << 14;

const decoder = new TextDecoder();

export interface TextListState {
  readonly bytes: Uint8Array;
  readonly starts: OffsetsState;
  readonly size: number;
}

export class TextList {
  #bytes: Uint8Array = new Uint8Array(BYTES_START);
  readonly #starts = new Offsets();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get state(): TextListState {
    return { bytes: this.#bytes, starts: this.#starts.state, size: this.#size };
  }

  restore({ bytes, starts, size }: TextListState): void {
    this.#bytes = bytes;
    this.#starts.restore(starts);
    this.#size = size;
  }

  get memoryBytes(): number {
    return this.#bytes.length + this.#starts.memoryBytes;
  }

  text(number: number): string {
    return decoder.decode(this.#bytes.subarray(this.#starts.start(number), this.#starts.start(number + 1)));
  }

  length(number: number): number {
    return this.#starts.start(number + 1) - this.#starts.start(number);
  }

  read(number: number, into: Uint8Array): number {
    const start = this.#starts.start(number);
    const end = this.#starts.start(number + 1);
    into.set(this.#bytes.subarray(start, end));
    return end - start;
  }

  push(bytes: Uint8Array, length: number): void {
    const start = this.#starts.start(this.#size++);
    if (start + length > this.#bytes.length) {
      const longer = new Uint8Array(Math.max(start + length, Math.ceil(this.#bytes.length * GROWTH)));
      longer.set(this.#bytes);
      this.#bytes = longer;
    }
    for (let at = 0; at < length; at++) this.#bytes[start + at] = bytes[at]!;
    this.#starts.push(start + length);
  }

  byte(number: number, at: number): number {
    const place = this.#starts.start(number) + at;
    return place < this.#starts.start(number + 1) ? this.#bytes[place]! : -1;
  }

  equals(number: number, bytes: Uint8Array, length: number): boolean {
    const start = this.#starts.start(number);
    return this.#starts.start(number + 1) - start === length && this.#holds(start, bytes, 0, length);
  }

  /**
   * Returns whether a text equals an edited word: `bytes` before `at`, then `letter` unless negative, then `bytes`
   * beginning at `from`.
   */
  equalsEdited(number: number, bytes: Uint8Array, at: number, letter: number, from: number, length: number): boolean {
    const start = this.#starts.start(number);
    const behind = at + (letter < 0 ? 0 : 1);
    if (this.#starts.start(number + 1) - start !== behind + length - from) return false;
    if (letter >= 0 && this.#bytes[start + at] !== letter) return false;
    return this.#holds(start, bytes, 0, at) && this.#holds(start + behind, bytes, from, length);
  }

  begins(number: number, bytes: Uint8Array, length: number): boolean {
    const start = this.#starts.start(number);
    return this.#starts.start(number + 1) - start >= length && this.#holds(start, bytes, 0, length);
  }

  isBefore(number: number, bytes: Uint8Array, length: number): boolean {
    const start = this.#starts.start(number);
    const own = this.#starts.start(number + 1) - start;
    const texts = this.#bytes;
    for (let at = 0; at < own && at < length; at++) {
      const difference = texts[start + at]! - bytes[at]!;
      if (difference !== 0) return difference < 0;
    }
    return own < length;
  }

  #holds(place: number, bytes: Uint8Array, from: number, to: number): boolean {
    const own = this.#bytes;
    for (let at = from, other = place; at < to; at++, other++) if (own[other] !== bytes[at]) return false;
    return true;
  }
}
