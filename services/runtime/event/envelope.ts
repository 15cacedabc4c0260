// An event as it is told: the specification's webhook envelope, written once, with its place in line left to the database.

import type { EventObjects, EventType } from '#proto/gen/event_map.ts';
import type { AnyOccurrence, Event } from './event.ts';

/** What stays of a resource that is too large for a webhook. */
export interface TruncatedObject {
  readonly id: string | null;
  readonly truncated: true;
  /** Of an order that came of one: whom it is told depends on it. */
  readonly checkout_intent_id?: string;
  /** Of `order.refunded`: what it is about. */
  readonly refund?: EventObjects['order.refunded']['refund'];
}

/** The specification's webhook envelope, of one type of event. */
export interface EnvelopeOf<T extends EventType> {
  readonly id: string;
  readonly type: T;
  readonly created_at: string;
  readonly store_id: string;
  readonly api_version: 'v1';
  readonly data: { readonly object: EventObjects[T] | TruncatedObject };
  readonly previous_attributes?: Record<string, unknown>;
  /** Of two events of one object the later has the larger. */
  readonly sequence: number;
}

/** The envelope of one of these types: its type says what its object holds. */
export type EventEnvelope<T extends EventType = EventType> = { readonly [K in T]: EnvelopeOf<K> }[T];

/** "Payload size: at most 256 KB"; read as thousands, which satisfies either reading. */
const ENVELOPE_BYTES_MAX = 256_000;
/** `,"sequence":9007199254740991}` is added to what is bounded here. */
const SEQUENCE_BYTES = 30;
const DRAFT_BYTES_MAX = ENVELOPE_BYTES_MAX - SEQUENCE_BYTES;

const fits = (text: string): boolean =>
  text.length * 3 <= DRAFT_BYTES_MAX || Buffer.byteLength(text) <= DRAFT_BYTES_MAX;

/** In one line, as all JSON is that this house writes. */
const objectText = (object: Event['object'] | string): string => {
  if (typeof object !== 'string') return JSON.stringify(object);
  return object.includes('\n') ? object.replaceAll('\n', ' ') : object;
};

const truncated = (object: Event['object'] | string): string => {
  const resource: Partial<Record<'id' | 'checkout_intent_id' | 'refund', unknown>> =
    typeof object === 'string' ? JSON.parse(object) : object;
  const { id, checkout_intent_id, refund } = resource;
  return JSON.stringify({
    id: id ?? null,
    truncated: true,
    ...(checkout_intent_id ? { checkout_intent_id } : {}),
    ...(refund ? { refund } : {}),
  });
};

/**
 * The envelope without its end: its place in line is given by the database. What is too large for a webhook shrinks to
 * the resource's id and what its readers are chosen by; they fetch the rest.
 */
export const draftEnvelope = (id: string, { tenant, event, createdAt }: AnyOccurrence): string => {
  const { type, object, previousAttributes } = event;
  // Nothing of these needs to be escaped.
  const known = `"id":"${id}","type":"${type}","created_at":"${createdAt.toISOString()}","store_id":"${tenant.store}"`;
  const head = `{${known},"api_version":"v1","data":{"object":`;
  const previous =
    previousAttributes === undefined ? '' : `,"previous_attributes":${JSON.stringify(previousAttributes)}`;
  const whole = `${head}${objectText(object)}}${previous}`;
  if (fits(whole)) return whole;
  const small = `${head}${truncated(object)}}`;
  return fits(small + previous) ? small + previous : small;
};
