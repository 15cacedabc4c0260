// Event types that an endpoint can subscribe to, as the proto files declare them.
import type { EventType } from '#proto/gen/event_map.ts';
import { eventTypes } from '#proto/gen/event_table.ts';

export const ALL_EVENTS = '*';

/** Excludes events that only domains use among themselves. */
export const isEventType = (type: string): type is EventType => Object.hasOwn(eventTypes, type);

export const exampleObject = (type: EventType): Readonly<Record<string, unknown>> => eventTypes[type].example;
