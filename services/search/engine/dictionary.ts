// Numbers the distinct values of one kind, from 1. Values that differ only in letter case are one value.
import { type AttributeValue, foldValue } from './document.ts';

const keyOf = (value: AttributeValue): string =>
  typeof value === 'string' ? `s${foldValue(value)}` : typeof value === 'number' ? `n${value}` : `b${value}`;

export class Dictionary {
  readonly #codes = new Map<string, number>();
  /** One spelling per value: the first in character order, so that insertion order does not matter. */
  readonly #values: AttributeValue[] = [];

  get state(): readonly AttributeValue[] {
    return this.#values;
  }

  restore(values: readonly AttributeValue[]): void {
    for (const value of values) this.#codes.set(keyOf(value), this.#values.push(value));
  }

  get size(): number {
    return this.#values.length;
  }

  code(value: AttributeValue): number {
    const key = keyOf(value);
    const known = this.#codes.get(key);
    if (known !== undefined) {
      if (value < this.#values[known - 1]!) this.#values[known - 1] = value;
      return known;
    }
    this.#values.push(value);
    this.#codes.set(key, this.#values.length);
    return this.#values.length;
  }

  find(value: AttributeValue): number {
    return this.#codes.get(keyOf(typeof value === 'string' ? value.trim() : value)) ?? 0;
  }

  value(code: number): AttributeValue {
    return this.#values[code - 1]!;
  }
}
