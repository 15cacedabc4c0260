// A place in the order in which events are told, and how a follower of the log carries it.
import { type CursorKey, decodeCursor, encodeCursor } from '#values/cursor.ts';

export interface EventPosition {
  /** The transaction that told an event, and its place in line. */
  readonly told: string;
  readonly sequence: number;
  /**
   * Where older transactions ran when a follower began: the database's snapshot of then. What it shows was told
   * before, though it lies behind. Empty once all of that lies before.
   */
  readonly seen: string;
}

const TRANSACTION_MAX = 2n ** 63n;
const TRANSACTION_ID = /^\d{1,19}$/;
/** `xmin:xmax:running,running`, as Postgres writes it; of more than so many running ones no track is kept. */
const SNAPSHOT = /^(\d{1,19}):(\d{1,19}):((?:\d{1,19}(?:,\d{1,19}){0,99})?)$/;

const isTransaction = (text: string): boolean => TRANSACTION_ID.test(text) && BigInt(text) < TRANSACTION_MAX;

/** Whether Postgres would take it: a caller who knows how can make a position that we never gave out. */
const isSnapshot = (text: string): boolean => {
  const [, from, to, running] = SNAPSHOT.exec(text) ?? [];
  if (from === undefined || to === undefined || running === undefined) return false;
  const [first, end] = [BigInt(from), BigInt(to)];
  const ids = running === '' ? [] : running.split(',').map(BigInt);
  const ascend = ids.every((id, at) => id >= (at === 0 ? first : ids[at - 1]! + 1n) && id < end);
  return first > 0n && first <= end && end < TRANSACTION_MAX && ascend;
};

/** Where a follower begins. */
export const beginAt = (snapshot: string): EventPosition => {
  const [told = '0', end] = snapshot.split(':');
  return { told, sequence: 0, seen: told === end || !isSnapshot(snapshot) ? '' : snapshot };
};

/** Behind this event, for a follower who came from there. */
export const behind = (
  { told, sequence }: { readonly told: string; readonly sequence: number },
  { seen }: EventPosition,
): EventPosition => {
  const end = seen.split(':')[1];
  return { told, sequence, seen: end !== undefined && BigInt(told) < BigInt(end) ? seen : '' };
};

export const writePosition = (scope: string, { told, sequence, seen }: EventPosition): string =>
  encodeCursor(scope, [told, sequence, ...(seen === '' ? [] : [seen])]);

/** Null: it is none of this list's. */
export const readPosition = (scope: string, text: string): EventPosition | null => {
  const [told, sequence, seen = '', ...more]: readonly CursorKey[] = decodeCursor(scope, text) ?? [];
  if (typeof told !== 'string' || !isTransaction(told)) return null;
  if (typeof sequence !== 'number' || !Number.isSafeInteger(sequence)) return null;
  if (typeof seen !== 'string' || (seen !== '' && !isSnapshot(seen)) || more.length > 0) return null;
  return { told, sequence, seen };
};
