// Places where a test cuts the power: STOA_FAILPOINT names a file, and the process dies, as by kill -9, where that file says
// `<place>@<store>` at the moment. Nothing happens anywhere else, and nothing at all without the variable.
import { readFileSync } from 'node:fs';

/** In the order in which a write comes by them. */
export type Failpoint =
  /** The edge has read the request, and asked no service yet. */
  | 'socket'
  /** Nothing is stored under the key, and nothing was begun. */
  | 'claim'
  /** The pieces are held. */
  | 'hold'
  /** They stay held until it is decided. */
  | 'pin'
  /** A provider has answered, which is not written down. */
  | 'provider'
  /** All is written, and nothing of it committed. */
  | 'transaction'
  /** It is committed, and nothing that follows was done. */
  | 'commit'
  /** All is done, and the caller was not told. */
  | 'reply'
  /** An event was committed, and not published. */
  | 'publish'
  // Of a reset, which is of a sandbox.
  /** It is shut and its actors have forgotten; its rows are there. */
  | 'shut'
  /** Its rows are gone, and nothing of that is committed. */
  | 'clear'
  // Of a log that takes nothing any more, which is of no store.
  /** Its callers wait, and it has no mark at its end. */
  | 'end'
  /** It has its mark, and Postgres not all of it. */
  | 'drain'
  /** Postgres has all of it, and was not told so. */
  | 'seal'
  /** It is sealed, and no host knows. */
  | 'sealed';

let orders = '';

/** Before the process serves; an empty name watches nothing. */
export const watchFailpoint = (file: string): void => {
  orders = file;
};

export const failpoint = (place: Failpoint, storeId = ''): void => {
  if (orders !== '' && readFileSync(orders, 'utf8') === `${place}@${storeId}`) process.kill(process.pid, 'SIGKILL');
};
