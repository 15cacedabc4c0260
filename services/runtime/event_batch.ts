// How events travel: many in one message, so that the broker brings all of them to its disk at once.
import type { Environment, Tenant } from './call.ts';

/** An event as it is written in the outbox. */
export interface Packed {
  readonly store: string;
  readonly environment: string;
  readonly type: string;
  /** Its envelope. */
  readonly payload: string;
}

/** An event as it arrives, its envelope not yet read. */
export interface Unpacked {
  readonly tenant: Tenant;
  readonly id: string;
  readonly type: string;
  readonly bytes: Uint8Array;
}

const NEWLINE = 10;
/** `<store> <environment> <type> <envelope>`; an envelope begins with its id. */
const HEAD = /^([\w-]{1,64}) (production|sandbox) ([\w.]{1,100}) (?=\{"id":"(evt_[\w-]{1,100})")/;
const HEAD_BYTES_MAX = 400;

/** A line an event, in their order: JSON has no line break of its own. */
export const packEvents = (events: readonly Packed[]): Uint8Array =>
  Buffer.from(
    events.map(({ store, environment, type, payload }) => `${store} ${environment} ${type} ${payload}\n`).join(''),
  );

/** In their order; null in the place of what is no event. */
export const unpackEvents = (message: Uint8Array): (Unpacked | null)[] => {
  const events: (Unpacked | null)[] = [];
  const whole = Buffer.from(message.buffer, message.byteOffset, message.byteLength);
  for (let from = 0; from < whole.length; ) {
    const newline = whole.indexOf(NEWLINE, from);
    const to = newline < 0 ? whole.length : newline;
    events.push(unpack(whole.subarray(from, to)));
    from = to + 1;
  }
  return events;
};

const unpack = (line: Buffer): Unpacked | null => {
  const [head, store, environment, type, id] = HEAD.exec(line.toString('latin1', 0, HEAD_BYTES_MAX)) ?? [];
  if (head === undefined || !store || !type || !id) return null;
  return {
    tenant: { store, environment: environment as Environment },
    id,
    type,
    bytes: line.subarray(head.length),
  };
};
