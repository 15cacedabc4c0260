// Defines a scenario: requests of one kind, varied as shoppers vary them, with their reference.
import type { Buffer } from 'node:buffer';
import type { BenchStore } from '#bench/stack.ts';

/** The start of every scenario: a store with a catalogue, served by an edge. */
export interface FilledStore {
  readonly url: string;
  readonly store: BenchStore;
  /** Products that can be bought. */
  readonly variants: readonly string[];
  readonly productIds: readonly string[];
  /** Words of their names. */
  readonly words: readonly string[];
}

export interface Scenario {
  /** The endpoint that it mostly calls, and the reference's. */
  readonly path: string;
  readonly next: (connection: number) => Buffer;
  readonly expected: ReadonlySet<number>;
  /** One request of the same make for the reference that validates; absent where the reference is a bare constant. */
  readonly reference: ((bytes: number) => Buffer) | null;
}

/** Prepares a scenario's store. */
export type Prepare = (filled: FilledStore) => Promise<Scenario>;

/** The same sequence in every run: figures of two runs are then of the same requests. */
export class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  pick<T>(of: readonly T[]): T {
    return of[this.below(of.length)] as T;
  }

  /** A few are asked for often, most seldom. */
  popular<T>(of: readonly T[]): T {
    return of[Math.floor(of.length ** this.next()) - 1] as T;
  }
}

/** Makes the requests in advance, which must not cost the generator's time. */
export const prepared = (count: number, make: (at: number) => Buffer): (() => Buffer) => {
  const requests = Array.from({ length: count }, (_, at) => make(at));
  let at = 0;
  return () => requests[at++ % count] as Buffer;
};

export const SUCCESS: ReadonlySet<number> = new Set([200, 201]);
export const bearer = (key: string): Record<string, string> => ({ Authorization: `Bearer ${key}` });
