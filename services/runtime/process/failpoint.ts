// Kills the process at a named point, for tests. STOA_FAILPOINT names a file; the process dies as by kill -9 at the
// point that the file names as `<point>@<store>`. Without the variable nothing happens.
import { readFileSync } from 'node:fs';

export type Failpoint =
  /** After the edge has read the request, before it calls a service. */
  | 'socket'
  /** After the look-up of the idempotency key found no answer, before any work starts. */
  | 'claim'
  /** After the stock is held. */
  | 'hold'
  /** After the holds are pinned, so that they do not expire before the order is decided. */
  | 'pin'
  /** After a payment provider has answered, before anything is written. */
  | 'provider'
  /** After everything is written, before the commit. */
  | 'transaction'
  /** After the commit, before any work that follows it. */
  | 'commit'
  /** After all work, before the caller gets the answer. */
  | 'reply'
  | 'publish'
  | 'shut'
  /** After a reset has deleted rows, before the commit. */
  | 'clear'
  // Points while an actor log is being closed; they are set without a store id.
  | 'end'
  /** After the end mark is written, before Postgres has the whole log. */
  | 'drain'
  /** After Postgres has the whole log, before the log is sealed. */
  | 'seal'
  /** After the log is sealed, before any host knows. */
  | 'sealed';

let orders = '';

/** Sets the file to read; called before the process serves. An empty name disables all points. */
export const watchFailpoint = (file: string): void => {
  orders = file;
};

export const failpoint = (place: Failpoint, storeId = ''): void => {
  if (orders !== '' && readFileSync(orders, 'utf8') === `${place}@${storeId}`) process.kill(process.pid, 'SIGKILL');
};
