// A store for tests of the Agent API: one product, and the calls of its server and of a shopper's agent.
import { expect } from 'vitest';
import { type Keys, type Reply, type Stoa, sendTo } from '#test/support/stoa.ts';

export interface Shop extends Keys {
  readonly variant: string;
  readonly product: string;
  read(path: string): Promise<Reply>;
  write(method: string, path: string, body?: unknown): Promise<Reply>;
  ask(method: string, path: string, body?: unknown): Promise<Reply>;
  order(body: unknown): Promise<Reply>;
  available(): Promise<number>;
}

export const openShop = async (stoa: Stoa, product: Record<string, unknown> = {}): Promise<Shop> => {
  const keys = await stoa.createStore();
  const send = (method: string, path: string, options: Parameters<typeof sendTo>[3] = {}) =>
    sendTo(stoa.url, method, path, { key: keys.secret_key, ...options });
  const made = await send('POST', '/v1/products', {
    body: { name: 'Lesson', price: 10, stock: 5, shipping_info: { requires_shipping: false }, ...product },
  });
  expect(made.status, made.text).toBe(201);
  const variant: string = made.body.variant_id;
  return {
    ...keys,
    variant,
    product: made.body.id,
    read: (path) => send('GET', path),
    write: (method, path, body) => send(method, path, { body }),
    ask: (method, path, body) => send(method, path, { key: keys.publishable_key, ...(body ? { body } : {}) }),
    order: (body) => send('POST', '/v1/orders', { body, signWith: keys.hmac_secret }),
    available: async () => (await send('GET', `/v1/inventory/${variant}`)).body.inventory.available,
  };
};

export const items = (shop: Shop, quantity = 2) => [{ variant_id: shop.variant, quantity }];
export const EMAIL = 'ada@example.com';
