// Verifies webhooks: the signature over the raw body, and its age. Answers the event with its type.

import type { EventEnvelope } from '#proto/gen/client/message.ts';
import type { EventObjects, EventType } from '#proto/gen/event_map.ts';

export type { EventObjects, EventType };

/** Past 256 kB the resource is left out: it is read by its id. */
export interface Truncated {
  readonly id: string;
  readonly truncated: true;
}

type Whole<T> = T & { readonly truncated?: undefined };

interface EventOf<T extends EventType> extends Omit<EventEnvelope, 'type' | 'data'> {
  readonly type: T;
  readonly data: { readonly object: Whole<EventObjects[T]> | Truncated };
}

/** An event. `type` names the resource in it. */
export type WebhookEvent = { [T in EventType]: EventOf<T> }[EventType];

export type WebhookFault =
  | 'missing_signature'
  | 'malformed_signature'
  | 'stale'
  | 'wrong_signature'
  | 'unreadable_body';

/** A delivery that is not to be believed. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError';
  readonly code: WebhookFault;

  constructor(code: WebhookFault, message: string) {
    super(message);
    this.code = code;
  }
}

export interface Delivery {
  /** The raw body. A body that was parsed and written again has other bytes. */
  readonly body: string | Uint8Array;
  /** The header `X-Svc-Signature`. */
  readonly signature: string | null | undefined;
}

export interface VerifyOptions {
  /** How old a delivery may be; 300 seconds unless said. */
  readonly toleranceS?: number;
  readonly nowMs?: number;
}

const TOLERANCE_S = 300;
const HEX = /^[0-9a-f]{64}$/i;

/** The event of a delivery that is genuine and fresh; throws a `WebhookError` otherwise. One of several secrets is enough. */
export const verifyWebhook = async (
  delivery: Request | Delivery,
  secret: string | readonly string[],
  { toleranceS = TOLERANCE_S, nowMs = Date.now() }: VerifyOptions = {},
): Promise<WebhookEvent> => {
  const { body, signature } = await deliveryOf(delivery);
  if (!signature) throw new WebhookError('missing_signature', 'The header X-Svc-Signature is missing.');
  const { time, hex } = partsOf(signature);
  if (!(Math.abs(nowMs / 1_000 - Number(time)) <= toleranceS))
    throw new WebhookError('stale', `The delivery was signed more than ${toleranceS} seconds ago, or ahead.`);
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  const secrets = typeof secret === 'string' ? [secret] : secret;
  if (!(await isSigned(concatenated(`${time}.`, bytes), hex, secrets)))
    throw new WebhookError('wrong_signature', 'No signature is made with this secret over this body.');
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    throw new WebhookError('unreadable_body', 'The body is not JSON.');
  }
};

const deliveryOf = async (delivery: Request | Delivery): Promise<Delivery> =>
  'signature' in delivery
    ? delivery
    : { body: new Uint8Array(await delivery.arrayBuffer()), signature: delivery.headers.get('x-svc-signature') };

/** `t=1769850600,v1=…,v1=…`: while a secret is rotated both of them sign. */
const partsOf = (signature: string): { readonly time: string; readonly hex: readonly string[] } => {
  const parts = signature.split(',').map((part) => part.trim().split('='));
  const time = parts.find(([name]) => name === 't')?.[1] ?? '';
  const hex = parts.flatMap(([name, value = '']) => (name === 'v1' && HEX.test(value) ? [value] : []));
  if (!/^\d{1,12}$/.test(time) || hex.length === 0)
    throw new WebhookError('malformed_signature', 'The header X-Svc-Signature is not t=…,v1=….');
  return { time, hex };
};

const concatenated = (text: string, bytes: Uint8Array): Uint8Array<ArrayBuffer> => {
  const head = new TextEncoder().encode(text);
  const whole = new Uint8Array(head.length + bytes.length);
  whole.set(head);
  whole.set(bytes, head.length);
  return whole;
};

/** WebCrypto compares in constant time. */
const isSigned = async (
  message: Uint8Array<ArrayBuffer>,
  signatures: readonly string[],
  secrets: readonly string[],
): Promise<boolean> => {
  for (const secret of secrets) {
    const raw = new TextEncoder().encode(secret);
    const key = await crypto.subtle.importKey('raw', raw, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
    for (const hex of signatures) {
      const args = Uint8Array.from(hex.match(/../g)!, (byte) => Number.parseInt(byte, 16));
      if (await crypto.subtle.verify('HMAC', key, args, message)) return true;
    }
  }
  return false;
};
