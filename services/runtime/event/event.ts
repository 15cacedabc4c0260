// Defines an event as a domain emits it: its type, resource, tenant and time.
import type { EventObjects, EventType } from '#proto/gen/event_map.ts';
import type { Tenant } from '#runtime/call/call.ts';

export interface Occurrence<E extends Event | SerializedEvent = Event> {
  readonly tenant: Tenant;
  readonly event: E;
  readonly createdAt: Date;
}

export type AnyOccurrence = Occurrence<Event | SerializedEvent>;

/** An event of one type. The resource in API form becomes `data.object`. */
export interface EventOf<T extends EventType> {
  readonly type: T;
  readonly object: EventObjects[T];
  readonly previousAttributes?: Readonly<Record<string, unknown>>;
  readonly id?: string;
}

export type Event = { readonly [T in EventType]: EventOf<T> }[EventType];

/** An event whose resource is already JSON text. */
export interface SerializedEvent extends Omit<EventOf<EventType>, 'object'> {
  readonly object: string;
}
