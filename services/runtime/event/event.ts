// Defines an event as a domain emits it: type, resource, tenant and time. The event's id is `evt_<ms of the tenant's
// clock>_<suffix>`.

import { randomBytes } from 'node:crypto';
import type { EventObjects, EventType } from '#proto/gen/event_map.ts';
import type { Tenant } from '#runtime/call/call.ts';
import type { Sql } from '#runtime/postgres/sql.ts';

export interface Occurrence<E extends Event | SerializedEvent = Event> {
  readonly tenant: Tenant;
  readonly event: E;
  readonly createdAt: Date;
}

export type AnyOccurrence = Occurrence<Event | SerializedEvent>;

/** An event of one type. `object` is the resource as the API returns it and becomes `data.object`. */
export interface EventOf<T extends EventType> {
  readonly type: T;
  readonly object: EventObjects[T];
  readonly previousAttributes?: Readonly<Record<string, unknown>>;
  readonly id?: string;
}

export type Event = { readonly [T in EventType]: EventOf<T> }[EventType];

export interface SerializedEvent extends Omit<EventOf<EventType>, 'object'> {
  readonly object: string;
}

/** Returns `previous_attributes`: the old values of the changed fields, except `updated_at`. */
export const changedFields = <T extends object>(before: T, after: T): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(before).filter(
      ([name, value]) => name !== 'updated_at' && JSON.stringify(value) !== JSON.stringify(after[name as keyof T]),
    ),
  );

const SUFFIX_BYTES = 8;

export const eventSuffixes = (count: number): readonly string[] => {
  const random = randomBytes(SUFFIX_BYTES * count).toString('hex');
  const width = 2 * SUFFIX_BYTES;
  return Array.from({ length: count }, (_, at) => random.slice(at * width, at * width + width));
};

export const eventId = (atMs: number, suffix = eventSuffixes(1)[0]!): string => `evt_${atMs}_${suffix}`;

export const eventTime = (id: string): Date => new Date(Number(id.split('_').at(-2)));

export const eventSuffix = (id: string): string => id.slice(id.lastIndexOf('_') + 1);

export const eventTimeSql = (sql: Sql, text: ReturnType<Sql>) =>
  sql`to_timestamp(split_part(${text}, '_', -2)::double precision / 1000)`;
