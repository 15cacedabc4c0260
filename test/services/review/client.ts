// Support for tests of reviews: a server, stores with a product, signed-in shoppers and paid orders.
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { ProductReview } from '#proto/gen/review.ts';
import type { Tenant } from '#runtime/call/call.ts';
import { eventually } from '#test/support/server.ts';
import { type Keys, type Reply, type Stoa, sharedStoa } from '#test/support/stoa.ts';

export let stoa: Stoa;

export const startReviewServer = async (): Promise<void> => {
  stoa = await sharedStoa();
};

export interface Shopper {
  readonly id: string;
  readonly token: string;
}

type Environment = Tenant['environment'];

/** One environment of a store, with its keys. */
export interface Shop {
  readonly keys: Keys;
  readonly tenant: Tenant;
  readonly secret: string;
  readonly publishable: string;
  readonly hmac: string;
}

export const shopIn = (keys: Keys, environment: Environment = 'production'): Shop => {
  const sandbox = environment === 'sandbox';
  return {
    keys,
    tenant: { store: keys.store_id, environment },
    secret: sandbox ? keys.secret_test_key : keys.secret_key,
    publishable: sandbox ? keys.publishable_test_key : keys.publishable_key,
    hmac: sandbox ? keys.hmac_test_secret : keys.hmac_secret,
  };
};

/** Lifts limits and quotas, which these tests do not cover. */
export const openShop = async (environment: Environment = 'production'): Promise<Shop> =>
  shopIn(await stoa.createStore({ plan: 'enterprise' }), environment);

export interface Product {
  readonly id: string;
  readonly variant: string;
}

export const addProduct = async (shop: Shop, given: Record<string, unknown> = {}): Promise<Product> => {
  const body = { name: 'Mug', price: 10, stock: 1_000, shipping_info: { requires_shipping: false }, ...given };
  const reply = await stoa.send('POST', '/v1/products', { key: shop.secret, body });
  return { id: reply.body.id, variant: reply.body.variant_id };
};

let shoppers = 0;

/** Each shopper has a separate network, so that none meets the limit of one. */
export const signUp = async (shop: Shop, given: Record<string, unknown> = {}): Promise<Shopper> => {
  const name = ++shoppers;
  const body = { email: `shopper-${name}@example.com`, password: 'correct horse battery', ...given };
  const headers = { 'X-Shopper-IP': `2001:db8:${name.toString(16)}::1` };
  // Hashing passwords limits concurrent registrations, so a refused one is repeated.
  const reply = await eventually(async () => {
    const sent = await stoa.send('POST', '/v1/auth/register', { key: shop.secret, body, headers });
    expect(sent.status, sent.text).toBe(201);
    return sent;
  });
  return { id: reply.body.customer.id, token: reply.body.session.access_token };
};

export const review = (product: Product, given: Record<string, unknown> = {}): Record<string, unknown> => ({
  product_id: product.id,
  rating: 5,
  title: 'Keeps tea warm',
  body: 'And looks well on the table.',
  ...given,
});

export const write = (
  shop: Shop,
  shopper: Shopper,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Reply> =>
  stoa.send('POST', '/v1/reviews', {
    key: shop.publishable,
    body,
    headers: { 'x-auth-token': shopper.token, ...headers },
  });

export const moderate = (shop: Shop, id: string, body: unknown): Promise<Reply> =>
  stoa.send('PATCH', `/v1/reviews/${id}`, { key: shop.secret, body });

export const approve = (shop: Shop, id: string): Promise<Reply> => moderate(shop, id, { status: 'approved' });
export const reject = (shop: Shop, id: string, reason = 'Not about the product.'): Promise<Reply> =>
  moderate(shop, id, { status: 'rejected', rejection_reason: reason });

export const approved = async (
  shop: Shop,
  product: Product,
  given: Record<string, unknown> = {},
): Promise<ProductReview> => {
  const { body } = await write(shop, await signUp(shop), review(product, given));
  return (await approve(shop, body.review.id)).body.review;
};

export const order = async (
  shop: Shop,
  shopper: Shopper,
  product: Product,
  change: Record<string, unknown> | null = { payment_status: 'paid' },
): Promise<string> => {
  const signed = { key: shop.secret, signWith: shop.hmac };
  const body = { items: [{ variant_id: product.variant, quantity: 1 }], customer_id: shopper.id };
  const placed = await stoa.send('POST', '/v1/orders', { ...signed, body });
  const { id } = placed.body.order;
  if (change) await stoa.send('PATCH', `/v1/orders/${id}`, { ...signed, body: change });
  return id;
};

export const list = (shop: Shop, query = '', key = shop.publishable): Promise<Reply> =>
  stoa.send('GET', `/v1/reviews${query}`, { key });

export const read = (shop: Shop, id: string, key = shop.publishable): Promise<Reply> =>
  stoa.send('GET', `/v1/reviews/${id}`, { key });

export const vote = (shop: Shop, id: string, session: string = randomUUID()): Promise<Reply> =>
  stoa.send('POST', `/v1/reviews/${id}/helpful`, { key: shop.publishable, headers: { 'X-Session-Id': session } });

export const errorOf = ({ status, body }: Reply): readonly unknown[] => [status, body.error?.code, body.error?.param];

export const eventsOf = async (shop: Shop, type: string): Promise<readonly Record<string, unknown>[]> => {
  const { sql } = stoa.services.runtime.postgres;
  const { store, environment } = shop.tenant;
  const rows = await sql<{ payload: string }[]>`
    select payload from runtime.event
    where store = ${store} and environment = ${environment} and type = ${type} order by sequence`;
  return rows.map(({ payload }) => JSON.parse(payload).data.object);
};
