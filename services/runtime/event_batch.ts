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

const MIXED = 'batch';

/** `product` of `product.created`. */
const groupOf = (type: string): string => type.split('.', 1)[0]!;

/** What a batch is published to: one of a single group apart, so that it never comes to who wants none of that. */
export const batchSubject = (namespace: string, events: readonly Pick<Packed, 'type'>[]): string => {
  const groups = new Set(events.map(({ type }) => groupOf(type)));
  return `${namespace}.event.${groups.size === 1 ? [...groups][0] : MIXED}`;
};

/** Where to look for events of these types (`product.created`, `product.*`); null: everywhere. */
export const wantedSubjects = (namespace: string, types: readonly string[]): string[] | null => {
  if (types.includes('*')) return null;
  return [MIXED, ...new Set(types.map(groupOf))].map((group) => `${namespace}.event.${group}`);
};

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
