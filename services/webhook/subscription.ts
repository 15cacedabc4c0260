// What an endpoint can hear of: the types of the specification's table, "Event types", as the proto files declare them.
import type { EventType } from '#proto/gen/event_map.ts';
import { eventTypes } from '#proto/gen/event_table.ts';

/** "An endpoint subscribes to a chosen list of types or to all events." */
export const ALL = '*';

/** Domains tell each other more than merchants are told. */
export const isEventType = (type: string): type is EventType => Object.hasOwn(eventTypes, type);

/** A type's `data.object` as it could be. */
export const exampleObject = (type: EventType): Readonly<Record<string, unknown>> => eventTypes[type].example;
