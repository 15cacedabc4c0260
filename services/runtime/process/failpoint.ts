// Kills or holds the process at a named point, for tests. STOA_FAILPOINT names a file; the process dies as by kill -9 at
// the point that the file names as `<point>@<store>`. Work waits at a point for as long as the file names it as
// `hold <point>@<store>`. Without the variable nothing happens.
import { readFileSync } from 'node:fs';

/**
 * Points of a call: at `socket` the edge has read the request and calls no service yet; at `claim` the look-up of the
 * idempotency key found no answer and no work has started; at `hold` the stock is held; at `provider` a payment provider has answered and nothing is written; at
 * `transaction` everything is written, at `commit` it is committed, and at `reply` only the caller lacks the answer.
 * Points of a reset: at `clear` the rows are deleted, before the commit. Points of an actor log that is being closed, set
 * without a store id: `end`; at `drain` the end mark is written and Postgres lacks a part of the log; at `seal` Postgres
 * has the whole log; at `sealed` no host knows yet that the log is sealed.
 * Points of an erasure: at `erase` a slice of records is erased, at `erase_trace` a slice of the logs.
 * Points of a job: at `job_claim` it is claimed, at `job_run` its work is done, and at `job_note` what became of it is
 * written.
 */
export type Failpoint =
  | 'socket'
  | 'claim'
  | 'hold'
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
  | 'sealed'
  | 'erase'
  | 'erase_trace'
  | 'job_claim'
  | 'job_run'
  | 'job_note';

let orders = '';

/** Sets the file to read; called before the process serves. An empty name disables all points. */
export const watchFailpoint = (file: string): void => {
  orders = file;
};

export const failpoint = (place: Failpoint, storeId = ''): void => {
  if (orders !== '' && readFileSync(orders, 'utf8') === `${place}@${storeId}`) process.kill(process.pid, 'SIGKILL');
};

const HELD_MS = 20;

/** Waits at the point while the file holds it: at `load` a catalogue is to be read into memory. */
export const holdpoint = async (place: 'load', storeId: string): Promise<void> => {
  while (orders !== '' && readFileSync(orders, 'utf8') === `hold ${place}@${storeId}`) await Bun.sleep(HELD_MS);
};
