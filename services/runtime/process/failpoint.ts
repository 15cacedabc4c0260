// Kills the process at a named point, for tests: STOA_FAILPOINT names a file, and the process dies as by kill -9 where
// the file says `<place>@<store>`. Does nothing without the variable.
import { readFileSync } from 'node:fs';

export type Failpoint =
  /** The edge has read the request and called no service. */
  | 'socket'
  /** The key has no stored answer and no work has started. */
  | 'claim'
  /** The stock is held. */
  | 'hold'
  /** The holds do not expire until the decision. */
  | 'pin'
  /** A payment provider has answered; nothing is written. */
  | 'provider'
  /** Everything is written and nothing is committed. */
  | 'transaction'
  /** Committed; none of what follows is done. */
  | 'commit'
  /** All is done; the caller has no answer. */
  | 'reply'
  | 'publish'
  | 'shut'
  /** Rows are deleted, not committed. */
  | 'clear'
  // Points of the end of an actor log; they have no store.
  | 'end'
  /** The log has its end mark; Postgres lacks some of it. */
  | 'drain'
  /** Postgres has all of the log; it is not marked as sealed. */
  | 'seal'
  /** Sealed; no host knows it. */
  | 'sealed';

let orders = '';

/** Called before the process serves; an empty name disables all points. */
export const watchFailpoint = (file: string): void => {
  orders = file;
};

export const failpoint = (place: Failpoint, storeId = ''): void => {
  if (orders !== '' && readFileSync(orders, 'utf8') === `${place}@${storeId}`) process.kill(process.pid, 'SIGKILL');
};
