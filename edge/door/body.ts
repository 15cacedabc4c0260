// Follows a message's body to its end, byte by byte where it comes in chunks, and changes nothing of it.
import type { Framing } from './head.ts';

/** Of a chunk's first line, its extensions with it. */
const LINE_BYTES_MAX = 4_096;
const SIZE_DIGITS_MAX = 12;

const LF = 10;
const CR = 13;
const SEMICOLON = 59;
const SPACE = 32;
const TAB = 9;

const digitOf = (byte: number): number => {
  if (byte >= 48 && byte <= 57) return byte - 48;
  const lower = byte | 0x20;
  return lower >= 97 && lower <= 102 ? lower - 87 : -1;
};

type ChunkState = 'size' | 'extension' | 'size_end' | 'data' | 'data_cr' | 'data_lf' | 'last_cr' | 'last_lf' | 'end';

/** A body in chunks. Nothing may stand behind the last one: the server would take trailers for another request. */
class Chunks {
  place: ChunkState = 'size';
  #left = 0;
  #digits = 0;
  #line = 0;

  /** Where the body ends in these bytes, their length where it goes on; -1 where it is broken. */
  take(bytes: Buffer, from: number): number {
    let at = from;
    while (at < bytes.length && this.place !== 'end') {
      if (this.place === 'data') {
        const taken = Math.min(this.#left, bytes.length - at);
        this.#left -= taken;
        at += taken;
        if (this.#left === 0) this.place = 'data_cr';
      } else if (!this.#step(bytes[at++] as number)) return -1;
    }
    return at;
  }

  #step(byte: number): boolean {
    switch (this.place) {
      case 'size':
        return this.#size(byte);
      case 'extension':
        if (byte === CR) this.place = 'size_end';
        return byte !== LF && ++this.#line <= LINE_BYTES_MAX;
      case 'size_end':
        this.place = this.#left > 0 ? 'data' : 'last_cr';
        return byte === LF;
      case 'data_cr':
        this.place = 'data_lf';
        return byte === CR;
      case 'data_lf':
        this.place = 'size';
        this.#digits = 0;
        return byte === LF;
      case 'last_cr':
        this.place = 'last_lf';
        return byte === CR;
      case 'last_lf':
        this.place = 'end';
        return byte === LF;
      default:
        return false;
    }
  }

  #size(byte: number): boolean {
    const digit = digitOf(byte);
    if (digit >= 0) {
      this.#left = this.#left * 16 + digit;
      return ++this.#digits <= SIZE_DIGITS_MAX;
    }
    if (this.#digits === 0) return false;
    this.#line = 0;
    this.place = byte === CR ? 'size_end' : 'extension';
    return byte === CR || byte === SEMICOLON || byte === SPACE || byte === TAB;
  }
}

export class Body {
  readonly #chunks: Chunks | null;
  #left: number;

  constructor(framing: Framing) {
    this.#chunks = framing === 'chunked' ? new Chunks() : null;
    this.#left = framing === 'open' ? Number.POSITIVE_INFINITY : framing === 'chunked' ? 0 : framing;
  }

  get ended(): boolean {
    return this.#chunks ? this.#chunks.place === 'end' : this.#left === 0;
  }

  /** Where the body ends in these bytes, their length where it goes on; -1 where it is broken. */
  take(bytes: Buffer, from: number): number {
    if (this.#chunks) return this.#chunks.take(bytes, from);
    const taken = Math.min(this.#left, bytes.length - from);
    this.#left -= taken;
    return from + taken;
  }
}
