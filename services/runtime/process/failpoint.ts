// Kills the process at a named point, for tests. STOA_FAILPOINT names a file; the process dies as by kill -9 at the
// point that the file names as `<point>@<store>`. Without the variable nothing happens.
import { readFileSync } from 'node:fs';

/**
 * Of a call: `socket`: the edge has read the request and calls no service yet. `claim`: the look-up of the idempotency key
 * found no answer, no work has started. `hold`: stock is held. `pin`: the holds no longer expire, the order is not decided.
 * `provider`: a payment provider has answered, nothing is written. `transaction`: everything is written, not committed.
 * `commit`: committed, before any work that follows. `reply`: all work is done, the caller has no answer.
 * Of a reset: `clear`: rows are deleted, not committed.
 * Of an actor log that is being closed, set without a store id: `end`. `drain`: the end mark is written, Postgres lacks a
 * part of the log. `seal`: Postgres has the whole log. `sealed`: the log is sealed, no host knows.
 */
export type Failpoint =
  | 'socket'
  | 'claim'
  | 'hold'
  | 'pin'
  | 'provider'
  | 'transaction'
  | 'commit'
  | 'reply'
  | 'publish'
  | 'shut'
  | 'clear'
  | 'end'
  | 'drain'
  | 'seal'
  | 'sealed';

let orders = '';

/** Sets the file to read; called before the process serves. An empty name disables all points. */
export const watchFailpoint = (file: string): void => {
  orders = file;
};

export const failpoint = (place: Failpoint, storeId = ''): void => {
  if (orders !== '' && readFileSync(orders, 'utf8') === `${place}@${storeId}`) process.kill(process.pid, 'SIGKILL');
};
