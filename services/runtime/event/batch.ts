// How it travels that events happened: many in one message, so that the broker brings all of them to its disk at once.
// What they say stands in the log.
import type { Environment, Tenant } from '#runtime/call/call.ts';

/** What one statement told of one tenant, as it waits in the outbox. */
export interface EventPack {
  readonly store: string;
  readonly environment: string;
  /** A line an event: `<type> <id>`. */
  readonly heads: string;
  /** Their places in line, with a space in between. */
  readonly places: string;
}

const FOLLOWED = 'Stoa-Followed';
const NO = 'no';
/** Says of a message that no party outside follows any of its tenants; a message without it says nothing of that. */
export const UNFOLLOWED = { [FOLLOWED]: NO } as const;

export const saysUnfollowed = (message: { header(name: string): string | null }): boolean =>
  message.header(FOLLOWED) === NO;

/** That an event happened. */
export interface EventHead {
  readonly tenant: Tenant;
  readonly id: string;
  readonly type: string;
  /** Of two events of one object the later has the larger. */
  readonly sequence: number;
  /** False: when it was published, no party outside followed its tenant's events. */
  readonly followed: boolean;
}

const MIXED = 'batch';

/** `product` of `product.created`. */
const groupOf = (type: string): string => type.split('.', 1)[0]!;

/** What a batch is published to: one of a single group apart, so that it never comes to who wants none of that. */
export const batchSubject = (namespace: string, packs: readonly Pick<EventPack, 'heads'>[]): string => {
  const groups = new Set<string>();
  for (const { heads } of packs) for (const head of heads.split('\n')) groups.add(head.split(/[. ]/, 1)[0]!);
  return `${namespace}.event.${groups.size === 1 ? [...groups][0] : MIXED}`;
};

/** Where to look for events of these types (`product.created`, `product.*`); null: everywhere. */
export const wantedSubjects = (namespace: string, types: readonly string[]): string[] | null => {
  if (types.includes('*')) return null;
  return [MIXED, ...new Set(types.map(groupOf))].map((group) => `${namespace}.event.${group}`);
};

/** `<store> <environment> <type> <id> <place in line>` */
const LINE = /^([\w-]{1,64}) (production|sandbox) ([\w.]{1,100}) (evt_[\w-]{1,100}) (\d{1,16})$/;

/** A line an event, in their order. */
export const packEvents = (packs: readonly EventPack[]): Uint8Array => {
  let lines = '';
  for (const { store, environment, heads, places } of packs) {
    const sequences = places.split(' ');
    heads.split('\n').forEach((head, at) => {
      lines += `${store} ${environment} ${head} ${sequences[at]}\n`;
    });
  }
  return Buffer.from(lines);
};

/** In their order; null in the place of what is no event. */
export const unpackEvents = (message: Uint8Array, followed = true): (EventHead | null)[] => {
  const lines = Buffer.from(message.buffer, message.byteOffset, message.byteLength).toString('latin1').split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines.map((line) => unpack(line, followed));
};

const unpack = (line: string, followed: boolean): EventHead | null => {
  const [whole, store, environment, type, id, place] = LINE.exec(line) ?? [];
  if (whole === undefined || !store || !type || !id) return null;
  return { tenant: { store, environment: environment as Environment }, id, type, sequence: Number(place), followed };
};
