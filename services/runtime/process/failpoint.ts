// Places where a test cuts the power: STOA_FAILPOINT=<place>@<store> kills this process, as kill -9 would, when it gets
// there for that store. Nothing happens anywhere else, and nothing at all without the variable.

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
  | 'publish';

let armed: { readonly place: string; readonly store: string } | null = null;

/** Before the process serves; `text` is `<place>@<store>`, or empty. */
export const armFailpoint = (text: string): void => {
  const [place = '', store = ''] = text.split('@');
  armed = place === '' ? null : { place, store };
};

export const failpoint = (place: Failpoint, storeId: string): void => {
  if (armed !== null && place === armed.place && storeId === armed.store) process.kill(process.pid, 'SIGKILL');
};
