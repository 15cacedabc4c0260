// Splits one large JSON array into byte slices, so that each element is parsed alone.
import { BrokenDocument } from './source_row.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

const broken = (): BrokenDocument => new BrokenDocument('The file is not valid JSON.');

const isSpace = (byte: number | undefined): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

class Scanner {
  readonly bytes: Uint8Array;
  at = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) this.at = 3;
  }

  peek(): number | undefined {
    while (isSpace(this.bytes[this.at])) this.at++;
    return this.bytes[this.at];
  }

  take(byte: number): void {
    if (this.peek() !== byte) throw broken();
    this.at++;
  }

  /** Returns the bytes of one value. Looks only for the end of the value; JSON.parse validates it later. */
  value(): Uint8Array {
    const first = this.peek();
    const from = this.at;
    if (first === QUOTE) this.#string();
    else if (first === OPEN_BRACE || first === OPEN_BRACKET) this.#nest();
    else this.#word();
    if (this.at === from) throw broken();
    return this.bytes.subarray(from, this.at);
  }

  #string(): void {
    for (;;) {
      const end = this.bytes.indexOf(QUOTE, this.at + 1);
      if (end < 0) throw broken();
      this.at = end;
      let slashes = 0;
      while (this.bytes[end - 1 - slashes] === BACKSLASH) slashes++;
      if (slashes % 2 === 0) break;
    }
    this.at++;
  }

  #nest(): void {
    let depth = 0;
    for (; this.at < this.bytes.length; this.at++) {
      const byte = this.bytes[this.at];
      if (byte === QUOTE) {
        this.#string();
        this.at--;
      } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) depth++;
      else if ((byte === CLOSE_BRACE || byte === CLOSE_BRACKET) && --depth === 0) {
        this.at++;
        return;
      }
    }
    throw broken();
  }

  #word(): void {
    for (; this.at < this.bytes.length; this.at++) {
      const byte = this.bytes[this.at];
      if (byte === COMMA || byte === CLOSE_BRACE || byte === CLOSE_BRACKET || isSpace(byte)) return;
    }
  }
}

function* elements(scanner: Scanner): Generator<Uint8Array> {
  scanner.take(OPEN_BRACKET);
  if (scanner.peek() === CLOSE_BRACKET) scanner.at++;
  else {
    for (;;) {
      yield scanner.value();
      if (scanner.peek() === CLOSE_BRACKET) break;
      scanner.take(COMMA);
    }
    scanner.at++;
  }
}

const textOf = (bytes: Uint8Array): unknown => {
  try {
    return JSON.parse(Buffer.from(bytes).toString());
  } catch {
    throw broken();
  }
};

/** Yields the name of each member of an object. The scanner then stands at the member's value. */
function* members(scanner: Scanner): Generator<unknown> {
  scanner.take(OPEN_BRACE);
  if (scanner.peek() === CLOSE_BRACE) scanner.at++;
  else {
    for (;;) {
      const name = textOf(scanner.value());
      scanner.take(COLON);
      scanner.peek();
      const before = scanner.at;
      yield name;
      if (scanner.at === before) scanner.value();
      if (scanner.peek() === CLOSE_BRACE) break;
      scanner.take(COMMA);
    }
    scanner.at++;
  }
}

/** Yields the elements of the document's array, or of the array `products` if the document is an object. */
export function* jsonRows(bytes: Uint8Array): Generator<Uint8Array> {
  const scanner = new Scanner(bytes);
  if (scanner.peek() === OPEN_BRACKET) yield* elements(scanner);
  else {
    let found = false;
    for (const name of members(scanner)) {
      if (name !== 'products' || found || scanner.peek() !== OPEN_BRACKET) continue;
      found = true;
      yield* elements(scanner);
    }
    if (!found) throw new BrokenDocument('The file holds no array of products.');
  }
  if (scanner.peek() !== undefined) throw broken();
}

export const jsonMember = (bytes: Uint8Array, wanted: string): string | boolean | null => {
  const scanner = new Scanner(bytes);
  if (scanner.peek() !== OPEN_BRACE) return null;
  for (const name of members(scanner)) {
    if (name !== wanted) continue;
    const first = scanner.peek();
    if (first === OPEN_BRACE || first === OPEN_BRACKET) return null;
    const value = textOf(scanner.value());
    return typeof value === 'string' || typeof value === 'boolean' ? value : null;
  }
  return null;
};
