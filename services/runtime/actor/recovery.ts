// How an owner begins: the snapshots in Postgres and what the log holds beyond them.

import { Unavailable } from '#runtime/fault.ts';
import type { Log } from '#runtime/log.ts';
import type { Occurrence } from '#runtime/outbox.ts';
import type { Address, Kinds } from './address.ts';
import { Cell, type Remembered } from './cell.ts';
import type { Journal, Pen } from './journal.ts';
import { evolveBy, FORGOTTEN, readState } from './kind.ts';
import type { Projector } from './projection.ts';
import { type RecordedActor, type RecordedBatch, readBatch, writeBatch } from './record.ts';
import type { Position, Snapshots } from './snapshot.ts';

/** Records that are read before their actors are woken, all at once. */
const PIECE_RECORDS = 20_000;
/** Actors in memory at least before those that are written down are let go. */
const AWAKE_MAX = 10_000;
const LOAD_MAX = 500;
const LOADS_AT_ONCE = 4;

export interface RecoveryOptions {
  readonly partition: number;
  readonly journal: Journal;
  readonly snapshots: Snapshots;
  readonly kinds: Kinds;
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
  /** The actors of the tail, awake. */
  readonly cells: Map<string, Cell>;
  readonly answers: readonly Remembered[];
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
  const { number } = readBatch(last.bytes);
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

const addressOf = (kinds: Kinds, { kind, store, environment, id }: RecordedActor): Address =>
  kinds.address(kinds.named(kind), { store, environment }, id);

/** Wakes those that are not awake yet. */
const wake = async (snapshots: Snapshots, cells: Map<string, Cell>, wanted: readonly Address[]): Promise<void> => {
  const asleep = wanted.filter(({ key }) => !cells.has(key));
  const groups: Address[][] = [];
  for (let at = 0; at < asleep.length; at += LOAD_MAX) groups.push(asleep.slice(at, at + LOAD_MAX));
  const load = async (): Promise<void> => {
    for (let group = groups.pop(); group; group = groups.pop()) {
      const states = await snapshots.load(group);
      group.forEach((address, at) => {
        const cell = new Cell(address);
        const state = states[at];
        cell.wake(readState(address.kind, state ?? null));
        cells.set(address.key, cell);
      });
    }
  };
  await Promise.all(Array.from({ length: LOADS_AT_ONCE }, load));
};

interface Piece {
  readonly batches: RecordedBatch[];
  sequence: number;
  records: number;
  bytes: number;
}

const emptyPiece = (): Piece => ({ batches: [], sequence: 0, records: 0, bytes: 0 });

/** Throws where Postgres or the journal cannot be asked now. */
export const recover = async (options: RecoveryOptions): Promise<Recovered> => {
  const { partition, journal, snapshots, kinds, log } = options;
  const position = await snapshots.position(partition);
  const projector = options.projector(position);
  const { from, to, sequence } = await locate(options, position);
  const cells = new Map<string, Cell>();
  const answers: Remembered[] = [];
  let number = position.batch;

  const replay = async (piece: Piece): Promise<void> => {
    const addresses = new Map<string, Address>();
    const places = piece.batches.map(({ actors }) =>
      actors.map((actor) => {
        const address = addressOf(kinds, actor);
        addresses.set(address.key, address);
        return address;
      }),
    );
    await wake(snapshots, cells, [...addresses.values()]);
    const events: Occurrence[] = [];
    const kept: Remembered[] = [];
    piece.batches.forEach((batch, at) => {
      const own = (places[at] ?? []).map(({ key }) => cells.get(key));
      apply(batch, own, events, kept);
    });
    const changed = [...addresses.keys()].map((key) => cells.get(key)).filter((cell) => cell !== undefined);
    for (const cell of changed) {
      cell.durable = cell.state;
      cell.noteDue();
    }
    for (const answer of kept) answers.push(answer);
    const reached = { batch: number, sequence: piece.sequence };
    projector.replayed(reached, changed, events, kept, piece.records, piece.bytes);
  };

  /** Snapshots are as of a position: an owner who has not heard of us yet may have written newer ones meanwhile. */
  const confirm = async (batch: number): Promise<void> => {
    const now = await snapshots.position(partition);
    if (now.batch !== batch) throw new Unavailable('Another owner still writes this partition to the database.');
  };

  /**
   * A batch of our own, without records: from here on no other owner's batch is accepted, and if the end of the log was
   * not what we saw, we learn it now.
   */
  const open = async (expected: number): Promise<number> => {
    const nonce = options.nonce();
    const bytes = writeBatch(number + 1, nonce, [], []);
    const outcome = await options.pen.append({ number: number + 1, nonce, expected, bytes, doubt: options.doubt });
    if (outcome.kind !== 'stored') throw new Unavailable('Another owner still writes to this partition.');
    number++;
    projector.replayed({ batch: number, sequence: outcome.sequence }, [], [], [], 0, bytes.length);
    return outcome.sequence;
  };

  /** What goes to Postgres while the next piece is read, where a long tail comes to many rows. */
  let writing: Promise<void> = Promise.resolve();
  const written = async (): Promise<void> => {
    await writing;
    if (projector.stopped) throw new Unavailable('Another owner still writes this partition to the database.');
    // Whoever stays and comes again need not be read again.
    if (projector.unwritten === 0 && cells.size > AWAKE_MAX) cells.clear();
  };

  let piece = emptyPiece();
  for await (const stored of to === 0 ? [] : journal.read(partition, from, to)) {
    const batch = readBatch(stored.bytes);
    if (batch.number <= number) continue;
    if (batch.number !== number + 1)
      log.error({ partition, after: number, next: batch.number }, 'the broker lost a part of this log');
    number = batch.number;
    piece.batches.push(batch);
    piece.sequence = stored.sequence;
    piece.records += batch.records.length;
    piece.bytes += stored.bytes.length;
    if (piece.records < PIECE_RECORDS) continue;
    await written();
    await replay(piece);
    piece = emptyPiece();
    if (!projector.laden) continue;
    writing = projector.drain();
    // Heard of before the next piece; whoever gives up before that stops the projector, and hears of it there.
    writing.catch(() => {});
  }
  await written();
  if (piece.batches.length > 0) await replay(piece);
  if (projector.unwritten > 0) await confirm(projector.batch);
  const opened = await open(sequence);
  return { projector, number, sequence: opened, cells, answers };
};

const apply = (
  batch: RecordedBatch,
  cells: readonly (Cell | undefined)[],
  events: Occurrence[],
  answers: Remembered[],
): void => {
  for (const { actor, commandId, now, facts, kept } of batch.records) {
    const cell = cells[actor];
    if (!cell) throw new Error(`Batch ${batch.number} names an actor that it does not have.`);
    const { kind, tenant, id } = cell.address;
    for (const fact of facts) {
      cell.state = evolveBy(kind, cell.state, fact);
      if (fact === FORGOTTEN) continue;
      for (const event of kind.announce?.(cell.state, fact, { tenant, id, now, commandId }) ?? [])
        events.push({ tenant, event, createdAt: new Date(now) });
    }
    cell.changedIn = batch.number;
    if (kept) answers.push({ kept, tenant, batch: null, response: null, forgetAt: Number.POSITIVE_INFINITY });
  }
};
