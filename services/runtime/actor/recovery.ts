// Recovers a partition for a new owner: reads the position in Postgres, then the log after it, up to the first gap.

import { Unavailable } from '#runtime/call/fault.ts';
import type { Stored } from '#runtime/nats/bus.ts';
import type { Timers } from '#runtime/process/clock.ts';
import type { Log } from '#runtime/process/log.ts';
import type { Kinds } from './address.ts';
import type { ReportLoss } from './data_loss.ts';
import type { Journal, LogWriter } from './journal.ts';
import { type OpenedBatch, openBatch, UnreadableBatch, writeBatch } from './journal_record.ts';
import type { LayoutStore } from './layout_table.ts';
import type { Projector } from './projection.ts';
import type { LogPosition, Snapshots } from './snapshot.ts';
import { Tail } from './tail.ts';

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
  readonly doubt: () => void;
  readonly lost: ReportLoss;
  readonly layouts: LayoutStore;
}

export class LogSealed extends Error {
  constructor() {
    super('This log is sealed.');
    this.name = 'Sealed';
  }
}

export interface Recovered {
  readonly ended: boolean;
  readonly projector: Projector;
  readonly number: number;
  readonly sequence: number;
  readonly tail: Tail;
}

/** Why the log has a gap, and the number of the batch after the gap if known; null: no gap. */
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

const gapAtEnd = async (journal: Journal, position: LogPosition, last: Stored | null): Promise<Gap> => {
  if (position.batch === 0) return null;
  if (!last) {
    // A missing message was trimmed, unless the journal has never reached the snapshots' sequence.
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
 * Reads the log after Postgres' position batch by batch. Discards everything after a missing or unreadable batch,
 * because states without its facts would differ from the acknowledged ones.
 */
class Follower {
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

  async follow(last: Stored): Promise<void> {
    const { partition, journal } = this.#options;
    // Reads the last projected batch as well, to check that this is the same log.
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
    if (!projector.full) return;
    await projector.drain();
    if (projector.stopped) throw new Unavailable(OVERTAKEN);
    this.begin();
  }
}

/** Tells whether the log has its end mark and the layout agrees; after a restored backup the layout may not. */
const isEnded = async ({ partition, layouts }: RecoveryOptions, last: Stored | null): Promise<boolean> => {
  const batch = last && read(last.bytes);
  if (!batch || batch instanceof UnreadableBatch || !batch.ends) return false;
  const layout = await layouts.read();
  if (!layout.numbers.includes(partition)) throw new LogSealed();
  return layout.retiring.includes(partition);
};

/**
 * Recovers the partition. Throws `LogSealed` for a sealed log, and throws where Postgres or the journal is unavailable.
 */
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
  // Reads the layout after `open` has appended its batch. The log's end mark may have been trimmed, but a log still in
  // the layout now was not ended before that batch.
  if (!(await options.layouts.read()).numbers.includes(partition)) throw new LogSealed();
  projector.opened({ batch: number, sequence, nonce }, opened.bytes);
  // Projects at once after a gap: the next owner would find the same gap and discard acknowledged batches after it.
  if (gap || (position.batch > 0 && position.sequence === 0)) {
    await projector.drain();
    if (projector.stopped) throw new Unavailable(OVERTAKEN);
    follower.begin();
  }
  // Reports the loss only now, when it is certain: the log's end was as read, and no other owner projected the missing
  // batches.
  if (gap) {
    const { text, ...fields } = gap;
    lost({ text, fields: { position, after: follower.number, last: last?.sequence ?? null, ...fields } });
  }
  return { ended: false, projector, tail: follower.tail, number, sequence };
};

const endOf = (last: Stored, { number, sequence }: Follower): number => {
  const batch = read(last.bytes);
  const reached = sequence > last.sequence ? 0 : sequence;
  return Math.max(number, batch instanceof UnreadableBatch ? number + last.sequence - reached : batch.number);
};

/**
 * Appends an empty batch, after which no other owner's batch is accepted. The append fails if the log's end has changed
 * since it was read.
 */
const open = async ({ writer, nonce, doubt }: RecoveryOptions, number: number, expected: number) => {
  const own = nonce();
  const bytes = writeBatch(number, own, [], []);
  const outcome = await writer.append({ number, nonce: own, expected, bytes, doubt });
  if (outcome.kind !== 'stored') throw new Unavailable('Another owner still writes to this partition.');
  return { number, sequence: outcome.sequence, nonce: own, bytes: bytes.length };
};
