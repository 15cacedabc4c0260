// How an owner begins: the snapshots in Postgres and what the log holds beyond them.

import { Unavailable } from '#runtime/fault.ts';
import type { Log } from '#runtime/log.ts';
import type { Kinds } from './address.ts';
import type { Journal, Pen } from './journal.ts';
import type { Projector } from './projection.ts';
import { openBatch, writeBatch } from './record.ts';
import type { Position, Snapshots } from './snapshot.ts';
import { Tail } from './tail.ts';
import type { Timers } from './timer.ts';

export interface RecoveryOptions {
  readonly partition: number;
  readonly journal: Journal;
  readonly snapshots: Snapshots;
  readonly kinds: Kinds;
  readonly timers: Timers;
  readonly log: Log;
  readonly nonce: () => string;
  readonly projector: (position: Position) => Projector;
  readonly pen: Pen;
  /** The journal does not answer for a while. */
  readonly doubt: () => void;
}

export interface Recovered {
  readonly projector: Projector;
  /** The last batch of the log, and the sequence of the log's newest message. */
  readonly number: number;
  readonly sequence: number;
  readonly tail: Tail;
}

/** What the log holds beyond the snapshots, and where it ends. */
const locate = async (
  { partition, journal, log }: RecoveryOptions,
  position: Position,
): Promise<{ from: number; to: number; sequence: number }> => {
  const last = await journal.last(partition);
  if (!last) {
    // Nothing is kept of it: that is as it should be unless the journal itself is younger than the snapshots.
    const head = position.batch === 0 ? 0 : await journal.head();
    if (head < position.sequence)
      log.error({ partition, position, head }, 'the broker lost this log: it goes on from the database');
    return { from: 1, to: 0, sequence: 0 };
  }
  const { number } = openBatch(last.bytes);
  if (number < position.batch)
    log.error(
      { partition, position, last: number },
      'the broker lost the end of this log: it goes on from the database',
    );
  if (number <= position.batch) return { from: 1, to: 0, sequence: last.sequence };
  // A journal that was made anew counts its sequences anew.
  const from = last.sequence > position.sequence ? position.sequence + 1 : 1;
  return { from, to: last.sequence, sequence: last.sequence };
};

/** Throws where Postgres or the journal cannot be asked now. */
export const recover = async (options: RecoveryOptions): Promise<Recovered> => {
  const { partition, journal, snapshots, kinds, timers, log } = options;
  const position = await snapshots.position(partition);
  const projector = options.projector(position);
  const { from, to, sequence } = await locate(options, position);
  const begin = (): Tail => {
    const { batch } = projector;
    return new Tail({
      partition,
      after: batch,
      snapshots,
      kinds,
      timers,
      overtaken: () => projector.overtaken(),
    });
  };
  let tail = begin();
  let number = position.batch;
  for await (const stored of to === 0 ? [] : journal.read(partition, from, to)) {
    const batch = openBatch(stored.bytes);
    if (batch.number <= number) continue;
    if (batch.number !== number + 1)
      log.error({ partition, after: number, next: batch.number }, 'the broker lost a part of this log');
    number = batch.number;
    const length = tail.add(batch);
    projector.replayed({ batch: number, sequence: stored.sequence }, tail, batch.records.length, length);
    // More than a host that works leaves behind.
    if (!projector.full) continue;
    await projector.drain();
    if (projector.stopped) throw new Unavailable('Another owner still writes this partition to the database.');
    tail = begin();
  }
  const opened = await open(options, number + 1, sequence);
  projector.opened({ batch: opened.number, sequence: opened.sequence }, opened.bytes);
  return { projector, tail, number: opened.number, sequence: opened.sequence };
};

/**
 * A batch of our own, without records: from here on no other owner's batch is accepted, and if the end of the log was
 * not what we saw, we learn it now.
 */
const open = async ({ pen, nonce, doubt }: RecoveryOptions, number: number, expected: number) => {
  const own = nonce();
  const bytes = writeBatch(number, own, [], []);
  const outcome = await pen.append({ number, nonce: own, expected, bytes, doubt });
  if (outcome.kind !== 'stored') throw new Unavailable('Another owner still writes to this partition.');
  return { number, sequence: outcome.sequence, bytes: bytes.length };
};
