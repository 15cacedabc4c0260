// Formats an order's event for the Universal Commerce Protocol: the whole order, in a message signed with the store's
// key.
import { contentDigest, messageSignature, type SignedComponent } from '#runtime/outbound/message_signature.ts';
import { ucpOrder } from '#services/commerce/ucp_order.ts';
import type { OrderEvent } from './order_event.ts';
import type { PlatformSigner } from './signing_key.ts';

export interface PlatformMessage {
  readonly body: string;
  readonly headers: Record<string, string>;
}

interface UcpMessageInput {
  readonly url: string;
  readonly base: string;
  /** URL at which the platform found the store's profile. */
  readonly profile: string;
  readonly signer: PlatformSigner;
  readonly nowMs: number;
}

export const ucpOrderEvent = (
  { id, created_at, order }: OrderEvent,
  { url, base, profile, signer, nowMs }: UcpMessageInput,
): PlatformMessage => {
  const body = JSON.stringify(ucpOrder(order, base));
  const { host, pathname, search } = new URL(url);
  const headers = {
    'content-type': 'application/json',
    'ucp-agent': `profile="${profile}"`,
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(Date.parse(created_at) / 1000)),
    // The event's id, so every attempt sends the same key.
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
