// A store with shoppers in front of it, for tests over HTTP: anonymous ones with a browsing session, and signed-in ones.
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { CartItem, ShoppingCart } from '#proto/gen/cart.ts';
import type { Product } from '#proto/gen/product.ts';
import { type Merchant, openMerchant, type StoredEvent } from '#test/support/catalog.ts';
import { subscribeEvents, untyped } from '#test/support/event.ts';
import type { Reply, Stoa } from '#test/support/stoa.ts';

type Send = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Readonly<Record<string, string>>,
) => Promise<Reply>;

export interface Visitor {
  readonly session: string;
  readonly send: Send;
}

export interface Customer {
  readonly id: string;
  readonly email: string;
  readonly token: string;
  readonly send: Send;
}

export interface Storefront extends Merchant {
  readonly unnamed: Send;
  visitor(session?: string): Visitor;
  newCustomer(): Promise<Customer>;
  /** A visitor with one new product in the cart. */
  withItem(
    quantity?: number,
    product?: Readonly<Record<string, unknown>>,
  ): Promise<{ visitor: Visitor; made: Product; cart: ShoppingCart; item: CartItem }>;
  readonly events: readonly StoredEvent[];
}

export const cartOf = (reply: Reply): ShoppingCart => {
  expect([reply.status, reply.text]).toEqual([200, expect.any(String)]);
  return reply.body.cart;
};
export const problemOf = ({ status, body }: Reply): unknown[] => [status, body.error.code, body.error.param];
export const held = ({ items }: ShoppingCart): unknown[] => items.map(({ name, quantity }) => [name, quantity]);
export const add = ({ send }: Pick<Visitor, 'send'>, body: object): Promise<Reply> =>
  send('POST', '/v1/cart/items', body);
export const readCart = async ({ send }: Pick<Visitor, 'send'>): Promise<ShoppingCart> =>
  cartOf(await send('GET', '/v1/cart'));

let addresses = 0;

export const openStorefront = async (
  stoa: Stoa,
  { store = {}, environment = 'production' }: { store?: object; environment?: 'production' | 'sandbox' } = {},
): Promise<Storefront> => {
  const merchant = await openMerchant(stoa, { ...store });
  const { keys } = merchant;
  const live = environment === 'production';
  const key = live ? keys.publishable_key : keys.publishable_test_key;
  const secretKey = live ? keys.secret_key : keys.secret_test_key;
  const sender =
    (own: Readonly<Record<string, string>>): Send =>
    (method, path, body, headers = {}) =>
      stoa.send(method, path, { key, headers: { ...own, ...headers }, ...(body === undefined ? {} : { body }) });
  const events: StoredEvent[] = [];
  subscribeEvents(stoa.services.runtime, ({ type, data, previous_attributes }, tenant) => {
    if (tenant.store === keys.store_id && tenant.environment === environment)
      events.push({ type, object: untyped(data.object), ...(previous_attributes ? { previous_attributes } : {}) });
  });
  const storefront: Storefront = {
    ...merchant,
    tenant: { ...merchant.tenant, environment },
    async createProduct(body = {}) {
      const product = { name: 'Trail shoe', price: 19.99, stock: 5, ...body };
      const reply = await stoa.send('POST', '/v1/products', { key: secretKey, body: product });
      if (reply.status !== 201) throw new Error(`${reply.status} ${reply.text}`);
      return reply.body;
    },
    unnamed: sender({}),
    visitor: (session = randomUUID()) => ({ session, send: sender({ 'X-Session-Id': session }) }),
    async newCustomer() {
      const reply = await stoa.send('POST', '/v1/auth/register', {
        key: secretKey,
        body: { email: `${randomUUID()}@example.com`, password: 'correct horse battery' },
        // Each shopper has an address, so that none meets the limit of one.
        headers: { 'X-Shopper-IP': `2001:db8:c:${(++addresses).toString(16)}::1` },
      });
      if (reply.status !== 201) throw new Error(`${reply.status} ${reply.text}`);
      const { customer, session } = reply.body;
      const token = session.access_token as string;
      return { id: customer.id, email: customer.email, token, send: sender({ 'x-auth-token': token }) };
    },
    async withItem(quantity = 2, product = {}) {
      const visitor = storefront.visitor();
      const made = await storefront.createProduct(product);
      const cart = cartOf(await add(visitor, { variant_id: made.variant_id, quantity }));
      return { visitor, made, cart, item: cart.items[0] as CartItem };
    },
    events,
  };
  return storefront;
};
