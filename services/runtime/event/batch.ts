// Encodes event notifications: many in one message, so that the broker syncs them to disk together. The event log holds
// the events' content.
import type { Environment, Tenant } from '#runtime/call/call.ts';

export interface EventPack {
  readonly store: string;
  readonly environment: string;
  /** One line `<type> <id>` for each event. */
  readonly heads: string;
  readonly places: string;
}

const FOLLOWED = 'Stoa-Followed';
const NO = 'no';
/** Header that says that no tenant of the message has a webhook subscriber. Without the header that is unknown. */
export const UNFOLLOWED = { [FOLLOWED]: NO } as const;

export const saysUnfollowed = (message: { header(name: string): string | null }): boolean =>
  message.header(FOLLOWED) === NO;

export interface EventHead {
  readonly tenant: Tenant;
  readonly id: string;
  readonly type: string;
  /** The later of two events of one object has the higher sequence. */
  readonly sequence: number;
  /** False: the tenant had no external subscriber when the event was published. */
  readonly followed: boolean;
}

const MIXED = 'batch';

const groupOf = (type: string): string => type.split('.', 1)[0]!;

/**
 * Returns the subject for a batch of events. If all belong to one group of types, it is that group's subject, so that
 * consumers of other groups do not receive the batch.
 */
export const batchSubject = (namespace: string, packs: readonly Pick<EventPack, 'heads'>[]): string => {
  const groups = new Set<string>();
  for (const { heads } of packs) for (const head of heads.split('\n')) groups.add(head.split(/[. ]/, 1)[0]!);
  return `${namespace}.event.${groups.size === 1 ? [...groups][0] : MIXED}`;
};

/** Returns the subjects that carry events of these types (`product.created`, `product.*`); null: all subjects. */
export const wantedSubjects = (namespace: string, types: readonly string[]): string[] | null => {
  if (types.includes('*')) return null;
  return [MIXED, ...new Set(types.map(groupOf))].map((group) => `${namespace}.event.${group}`);
};

/** A line `<store> <environment> <type> <id> <sequence>`. */
const LINE = /^([\w-]{1,64}) (production|sandbox) ([\w.]{1,100}) (evt_[\w-]{1,100}) (\d{1,16})$/;

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
