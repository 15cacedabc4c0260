// A store for tests of orders: it sells one product, reports its stock and places orders.
import { expect } from 'vitest';
import type { StoreOrder } from '#proto/gen/order.ts';
import { type Keys, type Reply, type Stoa, sendTo } from '#test/support/stoa.ts';

export interface SingleProductStore extends Keys {
  readonly variant: string;
  readonly product: string;
  read(path: string): Promise<Reply>;
  write(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>;
  sign(method: string, path: string, body: unknown, headers?: Record<string, string>): Promise<Reply>;
}

/** Creates a store with one product that needs no shipping: five units at 10.00 each. */
export const createSingleProductStore = async (
  stoa: Stoa,
  product: Record<string, unknown> = {},
): Promise<SingleProductStore> => {
  const keys = await stoa.createStore();
  const send = (method: string, path: string, options: Parameters<typeof sendTo>[3] = {}) =>
    sendTo(stoa.url, method, path, { key: keys.secret_key, ...options });
  const made = await send('POST', '/v1/products', {
    body: { name: 'Gift wrap', price: 10, stock: 5, shipping_info: { requires_shipping: false }, ...product },
  });
  expect(made.status, made.text).toBe(201);
  return {
    ...keys,
    product: made.body.id,
    variant: made.body.variant_id,
    read: (path) => send('GET', path),
    write: (method, path, body, headers = {}) => send(method, path, { body, headers }),
    sign: (method, path, body, headers = {}) => send(method, path, { body, headers, signWith: keys.hmac_secret }),
  };
};

export const stockOf = async (shop: SingleProductStore): Promise<number> =>
  (await shop.read(`/v1/products/${shop.product}`)).body.stock;

export const basket = (shop: SingleProductStore, quantity = 2) => ({
  items: [{ variant_id: shop.variant, quantity }],
  email: 'ada@example.com',
});

export const placeOrder = async (shop: SingleProductStore, body: unknown): Promise<StoreOrder> => {
  const reply = await shop.sign('POST', '/v1/orders', body);
  expect(reply.status, reply.text).toBe(201);
  return reply.body.order;
};
