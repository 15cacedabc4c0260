// Positions in the event log; clients that follow the log send them back as cursors.
import { type CursorKey, decodeCursor, encodeCursor } from '#values/cursor.ts';

export interface EventPosition {
  /** Id of the transaction that published the event; `sequence` orders the events of one transaction. */
  readonly transaction: string;
  readonly sequence: number;
  /**
   * Snapshot of the database when the client started to follow. Transactions visible in it are skipped, even if their
   * ids are greater. Empty once the position is past all of them.
   */
  readonly startSnapshot: string;
}

const TRANSACTION_MAX = 2n ** 63n;
const TRANSACTION_ID = /^\d{1,19}$/;
/** Matches `xmin:xmax:running,running` as Postgres writes it, with at most 100 running transactions. */
const SNAPSHOT = /^(\d{1,19}):(\d{1,19}):((?:\d{1,19}(?:,\d{1,19}){0,99})?)$/;

const isTransaction = (text: string): boolean => TRANSACTION_ID.test(text) && BigInt(text) < TRANSACTION_MAX;

/** Returns whether Postgres would accept the snapshot; a caller can forge a position. */
const isSnapshot = (text: string): boolean => {
  const [, from, to, running] = SNAPSHOT.exec(text) ?? [];
  if (from === undefined || to === undefined || running === undefined) return false;
  const [first, end] = [BigInt(from), BigInt(to)];
  const ids = running === '' ? [] : running.split(',').map(BigInt);
  const ascend = ids.every((id, at) => id >= (at === 0 ? first : ids[at - 1]! + 1n) && id < end);
  return first > 0n && first <= end && end < TRANSACTION_MAX && ascend;
};

export const startPosition = (snapshot: string): EventPosition => {
  const [transaction = '0', end] = snapshot.split(':');
  return { transaction, sequence: 0, startSnapshot: transaction === end || !isSnapshot(snapshot) ? '' : snapshot };
};

export const positionAfter = (
  { transaction, sequence }: { readonly transaction: string; readonly sequence: number },
  { startSnapshot }: EventPosition,
): EventPosition => {
  const end = startSnapshot.split(':')[1];
  return {
    transaction,
    sequence,
    startSnapshot: end !== undefined && BigInt(transaction) < BigInt(end) ? startSnapshot : '',
  };
};

export const writePosition = (scope: string, { transaction, sequence, startSnapshot }: EventPosition): string =>
  encodeCursor(scope, [transaction, sequence, ...(startSnapshot === '' ? [] : [startSnapshot])]);

export const readPosition = (scope: string, text: string): EventPosition | null => {
  const [transaction, sequence, seen = '', ...more]: readonly CursorKey[] = decodeCursor(scope, text) ?? [];
  if (typeof transaction !== 'string' || !isTransaction(transaction)) return null;
  if (typeof sequence !== 'number' || !Number.isSafeInteger(sequence)) return null;
  if (typeof seen !== 'string' || (seen !== '' && !isSnapshot(seen)) || more.length > 0) return null;
  return { transaction, sequence, startSnapshot: seen };
};
