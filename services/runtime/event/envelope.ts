// Writes an event's envelope, which webhooks deliver. The database appends the sequence.

import type { EventObjects, EventType } from '#proto/gen/event_map.ts';
import { withoutTexts } from '#values/personal_text.ts';
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
  readonly sequence: number;
}

export type EventEnvelope<T extends EventType = EventType> = { readonly [K in T]: EnvelopeOf<K> }[T];

/** 256 KB read as thousands, which also satisfies a limit in units of 1,024. */
const ENVELOPE_BYTES_MAX = 256_000;
/** Length of the longest text that the database appends: `,"sequence":9007199254740991}`. */
const SEQUENCE_BYTES = 30;
const DRAFT_BYTES_MAX = ENVELOPE_BYTES_MAX - SEQUENCE_BYTES;

const fits = (text: string): boolean =>
  text.length * 3 <= DRAFT_BYTES_MAX || Buffer.byteLength(text) <= DRAFT_BYTES_MAX;

/** Removes line breaks, because an envelope must be one line. */
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
 * Writes the envelope without its sequence. If the resource is too large, writes only its id and the fields by
 * which subscribers are chosen.
 */
export const draftEnvelope = (id: string, { tenant, event, createdAt }: AnyOccurrence): string => {
  const { type, object, previousAttributes } = event;
  // These values need no escaping, since none contains a special character.
  const known = `"id":"${id}","type":"${type}","created_at":"${createdAt.toISOString()}","store_id":"${tenant.store}"`;
  const head = `{${known},"api_version":"v1","data":{"object":`;
  const previous =
    previousAttributes === undefined ? '' : `,"previous_attributes":${JSON.stringify(previousAttributes)}`;
  const whole = `${head}${objectText(object)}}${previous}`;
  if (fits(whole)) return whole;
  const small = `${head}${truncated(object)}}`;
  return fits(small + previous) ? small + previous : small;
};

/** Returns a logged event of an erased person without texts; ids, amounts and times stay. */
export const withoutPerson = (payload: string): string => {
  const { data, previous_attributes: previous, sequence, ...head } = JSON.parse(payload);
  return JSON.stringify({
    ...head,
    data: withoutTexts(data),
    ...(previous && { previous_attributes: withoutTexts(previous) }),
    sequence,
  });
};
