// A system for tests of returns and disputes: a store with one product, its shoppers, and orders that are paid and
// delivered.
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { StoreOrder } from '#proto/gen/order.ts';
import type { OrderReturn } from '#proto/gen/order_return.ts';
import { type ManualClock, manualClock } from '#runtime/process/clock.ts';
import { allowLocalVerifier, openShopperSessions, type Shopper, type ShopperSessions } from '#test/support/session.ts';
import { type Keys, type Reply, type Stoa, startStoa } from '#test/support/stoa.ts';

const DAY_MS = 86_400_000;

export type Caller = (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Reply>;

export interface Buyer extends Shopper {
  readonly send: Caller;
}

export interface DeliveredOrders {
  readonly stoa: Stoa;
  readonly clock: ManualClock;
  readonly keys: Keys;
  readonly other: Keys;
  readonly sessions: ShopperSessions;
  /** Sends a request with the store's secret test key. */
  readonly store: Caller;
  readonly variant: string;
  buyer(options?: Parameters<ShopperSessions['signIn']>[1]): Promise<Buyer>;
  as(shopper: Shopper): Buyer;
  /** Places an order of `quantity` units at 10.00 each. */
  place(buyer: Pick<Shopper, 'id'>, quantity?: number, more?: object): Promise<StoreOrder>;
  move(order: string, change: object): Promise<StoreOrder>;
  /** Placed, paid and delivered. */
  delivered(buyer: Pick<Shopper, 'id'>, quantity?: number, more?: object): Promise<StoreOrder>;
  order(id: string): Promise<StoreOrder>;
  available(): Promise<number>;
  credit(buyer: Buyer): Promise<{ balance: number; entries: { amount: number; order_id: string | null }[] }>;
  /** Checks that all ledger accounts of the store sum to zero. */
  balanced(): Promise<void>;
  close(): Promise<void>;
}

export const answer = <T = OrderReturn>(reply: Reply, status = 200): T => {
  expect(reply.status, reply.text).toBe(status);
  return reply.body.data;
};

export const problem = ({ status, body }: Reply): unknown[] => [status, body.error.code, body.error.param];

export const startDeliveredOrders = async (): Promise<DeliveredOrders> => {
  allowLocalVerifier();
  const clock = manualClock(Date.now() + DAY_MS);
  const stoa = await startStoa({ clock });
  const [keys, other] = [await stoa.createStore({ plan: 'enterprise' }), await stoa.createStore()];
  const doorkeeper = await openShopperSessions(stoa);
  const caller =
    (key: string, session: Readonly<Record<string, string>> = {}): Caller =>
    (method, path, body, headers = {}) =>
      stoa.send(method, path, { key, headers: { ...session, ...headers }, ...(body === undefined ? {} : { body }) });
  const store = caller(keys.secret_test_key);
  const sign = async (method: string, path: string, body: unknown): Promise<StoreOrder> => {
    const reply = await stoa.send(method, path, { key: keys.secret_test_key, signWith: keys.hmac_test_secret, body });
    expect(reply.status, reply.text).toBeLessThan(300);
    return reply.body.order;
  };
  const made = await store('POST', '/v1/products', {
    name: 'Mug',
    price: 10,
    stock: 900_000,
    shipping_info: { requires_shipping: false },
  });
  expect(made.status, made.text).toBe(201);
  const variant: string = made.body.variant_id;
  const as = (shopper: Shopper): Buyer => ({ ...shopper, send: caller(keys.publishable_test_key, shopper.headers) });
  const move = (order: string, change: object) => sign('PATCH', `/v1/orders/${order}`, change);
  const place: DeliveredOrders['place'] = (buyer, quantity = 4, more = {}) =>
    sign('POST', '/v1/orders', {
      items: [{ variant_id: variant, quantity }],
      customer_id: buyer.id,
      email: `${randomUUID()}@example.com`,
      ...more,
    });
  return {
    stoa,
    clock,
    keys,
    other,
    sessions: doorkeeper,
    store,
    variant,
    as,
    place,
    move,
    buyer: async (options) => as(await doorkeeper.signIn(keys, options)),
    delivered: async (buyer, quantity, more) => {
      const { id, payment_status } = await place(buyer, quantity, more);
      if (payment_status !== 'paid') await move(id, { payment_status: 'paid' });
      return move(id, { order_status: 'delivered' });
    },
    order: async (id) => (await store('GET', `/v1/orders/${id}`)).body.order,
    available: async () => (await store('GET', `/v1/inventory/${variant}`)).body.inventory.available,
    credit: async ({ id, send }) => (await send('GET', `/v1/store-credit?customer_id=${id}`)).body.store_credit,
    balanced: async () => {
      const [row] = await stoa.services.runtime.postgres.sql<{ sum: number }[]>`
        select coalesce(sum(amount), 0)::bigint as sum from ledger.entry where store = ${keys.store_id}`;
      expect(row!.sum).toBe(0);
    },
    close: async () => {
      doorkeeper.stop();
      await stoa.stop();
    },
  };
};
