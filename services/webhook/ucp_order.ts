// An order's event as the Universal Commerce Protocol tells of it: the whole order as it stands, in a message that the store's
// own key has signed.
import { contentDigest, messageSignature, type SignedComponent } from '#runtime/outbound/message_signature.ts';
import { ucpOrder } from '#services/commerce/ucp_order.ts';
import type { OrderEvent } from './order_event.ts';
import type { PlatformSigner } from './signing_key.ts';

export interface PlatformMessage {
  readonly body: string;
  readonly headers: Record<string, string>;
}

interface Told {
  /** Where it is sent. */
  readonly url: string;
  /** The store's address for assistants. */
  readonly base: string;
  /** The store's profile as the platform found it. */
  readonly profile: string;
  readonly signer: PlatformSigner;
  readonly nowMs: number;
}

export const ucpOrderEvent = (
  { id, created_at, order }: OrderEvent,
  { url, base, profile, signer, nowMs }: Told,
): PlatformMessage => {
  const body = JSON.stringify(ucpOrder(order, base));
  const { host, pathname, search } = new URL(url);
  const headers = {
    'content-type': 'application/json',
    'ucp-agent': `profile="${profile}"`,
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(Date.parse(created_at) / 1000)),
    // What writes is known by a key; the same at every attempt.
    'idempotency-key': id,
    'content-digest': contentDigest(body),
  };
  const components: SignedComponent[] = [
    ['@method', 'POST'],
    ['@authority', host],
    ['@path', pathname],
    ...(search ? [['@query', search] as const] : []),
    ...Object.entries(headers),
  ];
  return { body, headers: { ...headers, ...messageSignature(components, signer, nowMs) } };
};
