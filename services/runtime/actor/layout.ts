// Which log an actor's facts go to. Logs are numbered for ever: each change of how many there are begins an epoch of its
// own, and an actor is of the log that it had before until that one is sealed.
import { partitionOf } from './address.ts';

/** A log's number is its epoch times this, and its place. */
export const PARTITIONS_MAX = 256;

/** The logs of one epoch. */
export interface LogSet {
  readonly epoch: number;
  readonly partitions: number;
}

export interface LayoutOptions extends LogSet {
  /** Null: there was none, or nothing is kept under its numbers any more. */
  readonly previous: LogSet | null;
  /** Those of the previous ones that take nothing any more, and are in Postgres to their ends. */
  readonly sealed: readonly number[];
}

export const firstOf = ({ epoch }: LogSet): number => epoch * PARTITIONS_MAX;

/** All numbers of an epoch's logs. */
export const numbersOf = (set: LogSet): number[] =>
  Array.from({ length: set.partitions }, (_, place) => firstOf(set) + place);

const numberIn = (set: LogSet, key: string): number => firstOf(set) + partitionOf(key, set.partitions);

export class Layout {
  readonly epoch: number;
  readonly partitions: number;
  readonly previous: LogSet | null;
  /** Logs of the epoch before that still take facts. */
  readonly retiring: readonly number[];
  /** Logs of the epoch before that take none: actors that slept since are still kept under their numbers. */
  readonly sealed: readonly number[];
  /** All that take facts now. */
  readonly numbers: readonly number[];
  /** Grows with each step of a change; `begin` is what it was after the first one. */
  readonly version: number;
  readonly begin: number;

  constructor({ epoch, partitions, previous, sealed }: LayoutOptions) {
    this.epoch = epoch;
    this.partitions = partitions;
    this.previous = previous;
    this.sealed = sealed;
    this.retiring = previous ? numbersOf(previous).filter((number) => !sealed.includes(number)) : [];
    this.numbers = [...this.retiring, ...numbersOf(this)];
    this.begin = 2 * PARTITIONS_MAX * epoch;
    this.version = this.begin + (previous ? sealed.length : 2 * PARTITIONS_MAX - 1);
  }

  /** Of an actor, by its key. */
  of(key: string): number {
    if (this.previous && this.retiring.length > 0) {
      const before = numberIn(this.previous, key);
      if (this.retiring.includes(before)) return before;
    }
    return numberIn(this, key);
  }

  /** Whether the log is or was the actor's in its epoch. */
  has(number: number, key: string): boolean {
    if (number >= this.first) return numberIn(this, key) === number;
    return this.previous !== null && numberIn(this.previous, key) === number;
  }

  /** The first of its logs: what is done once for all of them is left to who has this one. */
  get first(): number {
    return firstOf(this);
  }
}
