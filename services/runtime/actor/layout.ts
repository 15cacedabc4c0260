// Maps actors to logs. Each change of the number of logs starts an epoch with new log numbers, so numbers are never
// reused. An actor stays in its old log until that log is sealed.
import { partitionOf } from './address.ts';

/** Maximum number of logs in an epoch. A log's number is epoch × this + index. */
export const PARTITIONS_MAX = 256;

export interface LogSet {
  readonly epoch: number;
  readonly partitions: number;
}

export interface LayoutOptions extends LogSet {
  /** Logs of the previous epoch; null once nothing is stored under their numbers. */
  readonly previous: LogSet | null;
  readonly sealed: readonly number[];
}

export const firstOf = ({ epoch }: LogSet): number => epoch * PARTITIONS_MAX;

export const numbersOf = (set: LogSet): number[] =>
  Array.from({ length: set.partitions }, (_, place) => firstOf(set) + place);

const numberIn = (set: LogSet, key: string): number => firstOf(set) + partitionOf(key, set.partitions);

export class Layout {
  readonly epoch: number;
  readonly partitions: number;
  readonly previous: LogSet | null;
  readonly retiring: readonly number[];
  readonly sealed: readonly number[];
  readonly numbers: readonly number[];
  /** Increases with each step of a change; `begin` is the version at the change's first step. */
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

  of(key: string): number {
    if (this.previous && this.retiring.length > 0) {
      const before = numberIn(this.previous, key);
      if (this.retiring.includes(before)) return before;
    }
    return numberIn(this, key);
  }

  has(number: number, key: string): boolean {
    if (number >= this.first) return numberIn(this, key) === number;
    return this.previous !== null && numberIn(this.previous, key) === number;
  }

  /** The first log of the current epoch; its owner does the work that all logs share. */
  get first(): number {
    return firstOf(this);
  }
}
