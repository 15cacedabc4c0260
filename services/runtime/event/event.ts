// What happened, as a domain says it: a type of event, the resource that it is about, whose it is and when it came about.
import type { EventObjects, EventType } from '#proto/gen/event_map.ts';
import type { Tenant } from '#runtime/call/call.ts';

/** An event, whose it is and when it came about by that tenant's clock. */
export interface Occurrence<E extends Event | SerializedEvent = Event> {
  readonly tenant: Tenant;
  readonly event: E;
  readonly createdAt: Date;
}

export type AnyOccurrence = Occurrence<Event | SerializedEvent>;

/** An event of one type: its resource as the API shows it becomes `data.object`; the outbox makes the envelope. */
export interface EventOf<T extends EventType> {
  readonly type: T;
  readonly object: EventObjects[T];
  /** Only the changed fields, on update events. */
  readonly previousAttributes?: Readonly<Record<string, unknown>>;
  /** By which it will be known, where its writer wants to know it: see event_id. */
  readonly id?: string;
}

/** An event of any type: its type says what its object holds. */
export type Event = { readonly [T in EventType]: EventOf<T> }[EventType];

/** The same, where its writer has the resource as JSON already. */
export interface SerializedEvent extends Omit<EventOf<EventType>, 'object'> {
  readonly object: string;
}
