// How an owner begins: the snapshots in Postgres and what the log holds beyond them, as far as it follows upon them.

import { Unavailable } from '#runtime/call/fault.ts';
import type { Stored } from '#runtime/nats/bus.ts';
import type { Log } from '#runtime/process/log.ts';
import type { Kinds } from './address.ts';
import type { ReportLoss } from './data_loss.ts';
import type { Journal, LogWriter } from './journal.ts';
import { type OpenedBatch, openBatch, UnreadableBatch, writeBatch } from './journal_record.ts';
import type { LayoutStore } from './layout_table.ts';
import type { Projector } from './projection.ts';
import type { LogPosition, Snapshots } from './snapshot.ts';
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
  readonly projector: (position: LogPosition) => Projector;
  readonly writer: LogWriter;
  /** The journal does not answer for a while. */
  readonly doubt: () => void;
  readonly lost: ReportLoss;
  readonly layouts: LayoutStore;
}

/** The log takes nothing any more, and Postgres has all of it. */
export class LogSealed extends Error {
  constructor() {
    super('This log is sealed.');
    this.name = 'Sealed';
  }
}

export interface Recovered {
  /** The log has its end: it is to be sealed. */
  readonly ended: boolean;
  readonly projector: Projector;
  /** The last batch of the log, and the sequence of the log's newest message. */
  readonly number: number;
  readonly sequence: number;
  readonly tail: Tail;
}

/** Why the log does not follow upon Postgres from some batch on; null while it does. */
type Gap = { readonly text: string; readonly next?: number; readonly err?: unknown } | null;

const OVERTAKEN = 'Another owner still writes this partition to the database.';

const read = (bytes: Uint8Array): OpenedBatch | UnreadableBatch => {
  try {
    return openBatch(bytes);
  } catch (problem) {
    if (problem instanceof UnreadableBatch) return problem;
    throw problem;
  }
};

/** Whether the log's end alone says that it is not the one whose batches Postgres has. */
const gapAtEnd = async (journal: Journal, position: LogPosition, last: Stored | null): Promise<Gap> => {
  if (position.batch === 0) return null;
  if (!last) {
    // Nothing is kept of it: that is as it should be unless the journal itself is younger than the snapshots.
    const lost = (await journal.head()) < position.sequence;
    return lost ? { text: 'the broker lost this log: it goes on from the database' } : null;
  }
  if (position.sequence === 0)
    return { text: 'the log is older than the backup that the database came from: it goes on from the database' };
  if (last.sequence < position.sequence)
    return { text: 'the broker lost the end of this log: it goes on from the database' };
  return null;
};

/**
 * Reads what follows upon Postgres' state, batch by batch. Where a batch is missing or cannot be read, what comes after it
 * counts for nothing: facts that others should stand between come to another state than the one that was acknowledged.
 */
class Follower {
  /** The last batch that follows, and its sequence. */
  number: number;
  sequence: number;
  gap: Gap = null;
  readonly #options: RecoveryOptions;
  readonly #position: LogPosition;
  readonly #projector: Projector;
  #tail: Tail;

  constructor(options: RecoveryOptions, position: LogPosition, projector: Projector) {
    this.#options = options;
    this.#position = position;
    this.#projector = projector;
    this.number = position.batch;
    this.sequence = position.sequence;
    this.#tail = this.begin();
  }

  get tail(): Tail {
    return this.#tail;
  }

  /** Begins a tail after all that is in Postgres by now. */
  begin(): Tail {
    const { partition, snapshots, kinds, timers, lost } = this.#options;
    const projector = this.#projector;
    this.#tail = new Tail({
      partition,
      after: projector.batch,
      snapshots,
      kinds,
      timers,
      overtaken: () => projector.overtaken(),
      lost,
    });
    return this.#tail;
  }

  /** Up to the gap, or to the end. */
  async follow(last: Stored): Promise<void> {
    const { partition, journal } = this.#options;
    // With the last batch that Postgres has: that it lies where it should says that this is the same log.
    const from = Math.max(1, this.#position.sequence);
    if (last.sequence === this.#position.sequence) this.#check(last);
    else
      for await (const stored of journal.read(partition, from, last.sequence)) {
        if (stored.sequence === this.#position.sequence) this.#check(stored);
        else await this.#take(stored);
        if (this.gap) return;
      }
  }

  #check({ bytes }: Stored): void {
    const batch = read(bytes);
    // One that cannot be read is in Postgres, whatever it says.
    if (batch instanceof UnreadableBatch) return;
    const { nonce = batch.nonce } = this.#position;
    if (batch.number === this.number && batch.nonce === nonce) return;
    this.gap = { text: 'this is another log than the database has: it goes on from the database', next: batch.number };
  }

  async #take({ bytes, sequence }: Stored): Promise<void> {
    const projector = this.#projector;
    try {
      const batch = openBatch(bytes);
      if (batch.number !== this.number + 1) {
        this.gap = { text: 'the broker lost a part of this log: it goes on from what was before', next: batch.number };
        return;
      }
      this.#tail.add(batch);
      this.number = batch.number;
      this.sequence = sequence;
      projector.replayed(
        { batch: batch.number, sequence, nonce: batch.nonce },
        this.#tail,
        batch.records.length,
        batch.length,
      );
    } catch (problem) {
      if (!(problem instanceof UnreadableBatch)) throw problem;
      this.gap = { text: 'a batch of this log cannot be read: it goes on from what was before', err: problem };
      return;
    }
    // More than a host that works leaves behind.
    if (!projector.full) return;
    await projector.drain();
    if (projector.stopped) throw new Unavailable(OVERTAKEN);
    this.begin();
  }
}

/** Whether an owner has written the mark at the log's end, and no backup makes that a thing of the past. */
const isEnded = async ({ partition, layouts }: RecoveryOptions, last: Stored | null): Promise<boolean> => {
  const batch = last && read(last.bytes);
  if (!batch || batch instanceof UnreadableBatch || !batch.ends) return false;
  const layout = await layouts.read();
  if (!layout.numbers.includes(partition)) throw new LogSealed();
  return layout.retiring.includes(partition);
};

/** Throws `Sealed`, and otherwise where Postgres or the journal cannot be asked now. */
export const recover = async (options: RecoveryOptions): Promise<Recovered> => {
  const { partition, journal, snapshots, lost } = options;
  const position = await snapshots.position(partition);
  const projector = options.projector(position);
  const follower = new Follower(options, position, projector);
  const last = await journal.last(partition);
  const gapAtTheEnd = await gapAtEnd(journal, position, last);
  if (last && !gapAtTheEnd) await follower.follow(last);
  const gap = gapAtTheEnd ?? follower.gap;
  if (!gap && (await isEnded(options, last))) {
    const { number, sequence, tail } = follower;
    return { ended: true, projector, tail, number, sequence };
  }
  const opened = await open(options, (last ? endOf(last, follower) : follower.number) + 1, last?.sequence ?? 0);
  const { number, sequence, nonce } = opened;
  // The mark at its end may have been trimmed with the log since. A layout of today that has this log says that no mark
  // came before this batch.
  if (!(await options.layouts.read()).numbers.includes(partition)) throw new LogSealed();
  projector.opened({ batch: number, sequence, nonce }, opened.bytes);
  // Else the next owner would meet the gap again, and take what is acknowledged from now on for a part of it.
  if (gap || (position.batch > 0 && position.sequence === 0)) {
    await projector.drain();
    if (projector.stopped) throw new Unavailable(OVERTAKEN);
    follower.begin();
  }
  // That the log's end is what was seen, and that no other owner took the batches to Postgres, is sure by now.
  if (gap) {
    const { text, ...fields } = gap;
    lost({ text, fields: { position, after: follower.number, last: last?.sequence ?? null, ...fields } });
  }
  return { ended: false, projector, tail: follower.tail, number, sequence };
};

/** No batch of the log has a higher number, whether or not its last one can be read. */
const endOf = (last: Stored, { number, sequence }: Follower): number => {
  const batch = read(last.bytes);
  const reached = sequence > last.sequence ? 0 : sequence;
  return Math.max(number, batch instanceof UnreadableBatch ? number + last.sequence - reached : batch.number);
};

/**
 * A batch of our own, without records: from here on no other owner's batch is accepted, and if the end of the log was
 * not what we saw, we learn it now.
 */
const open = async ({ writer, nonce, doubt }: RecoveryOptions, number: number, expected: number) => {
  const own = nonce();
  const bytes = writeBatch(number, own, [], []);
  const outcome = await writer.append({ number, nonce: own, expected, bytes, doubt });
  if (outcome.kind !== 'stored') throw new Unavailable('Another owner still writes to this partition.');
  return { number, sequence: outcome.sequence, nonce: own, bytes: bytes.length };
};
