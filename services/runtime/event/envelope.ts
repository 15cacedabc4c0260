// Writes the envelope of an event, as webhooks deliver it. The database appends the sequence.

import type { EventObjects, EventType } from '#proto/gen/event_map.ts';
import type { AnyOccurrence, Event } from './event.ts';

export interface TruncatedObject {
  readonly id: string | null;
  readonly truncated: true;
  readonly checkout_intent_id?: string;
  readonly refund?: EventObjects['order.refunded']['refund'];
}

export interface EnvelopeOf<T extends EventType> {
  readonly id: string;
  readonly type: T;
  readonly created_at: string;
  readonly store_id: string;
  readonly api_version: 'v1';
  readonly data: { readonly object: EventObjects[T] | TruncatedObject };
  readonly previous_attributes?: Record<string, unknown>;
  /** The later of two events of one object has the larger sequence. */
  readonly sequence: number;
}

export type EventEnvelope<T extends EventType = EventType> = { readonly [K in T]: EnvelopeOf<K> }[T];

/** "At most 256 KB", read as thousands, which satisfies either reading. */
const ENVELOPE_BYTES_MAX = 256_000;
/** Longest text that the database appends: `,"sequence":9007199254740991}`. */
const SEQUENCE_BYTES = 30;
const DRAFT_BYTES_MAX = ENVELOPE_BYTES_MAX - SEQUENCE_BYTES;

const fits = (text: string): boolean =>
  text.length * 3 <= DRAFT_BYTES_MAX || Buffer.byteLength(text) <= DRAFT_BYTES_MAX;

/** Removes line breaks: an envelope is one line. */
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
 * The envelope without its sequence. A resource that is too large shrinks to its id and the fields that subscribers
 * are chosen by.
 */
export const draftEnvelope = (id: string, { tenant, event, createdAt }: AnyOccurrence): string => {
  const { type, object, previousAttributes } = event;
  // No escaping: none of these values holds a special character.
  const known = `"id":"${id}","type":"${type}","created_at":"${createdAt.toISOString()}","store_id":"${tenant.store}"`;
  const head = `{${known},"api_version":"v1","data":{"object":`;
  const previous =
    previousAttributes === undefined ? '' : `,"previous_attributes":${JSON.stringify(previousAttributes)}`;
  const whole = `${head}${objectText(object)}}${previous}`;
  if (fits(whole)) return whole;
  const small = `${head}${truncated(object)}}`;
  return fits(small + previous) ? small + previous : small;
};
