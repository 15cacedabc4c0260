// A platform that shops over UCP's REST binding.
import { ADDRESS, BUYER, type Document, type Shop } from '#test/edge/assistant/mcp/shop.ts';

export const VERSION = '2026-04-08';

interface Sent {
  readonly key?: string | null;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export const sending =
  (shop: Shop) =>
  async (method: string, path: string, { key = shop.merchant.keys.publishable_test_key, body, headers }: Sent = {}) => {
    const answer = await fetch(`${shop.base}${path}`, {
      method,
      headers: {
        ...(key === null ? {} : { Authorization: `Bearer ${key}` }),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, headers: answer.headers, document: (text ? JSON.parse(text) : null) as Document };
  };

/** What a first checkout says. */
export const sent = (shop: Shop) => ({
  line_items: [{ item: { id: shop.mug }, quantity: 2 }],
  buyer: BUYER,
  fulfillment: { methods: [{ type: 'shipping', destinations: [ADDRESS] }] },
});
