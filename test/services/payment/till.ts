// A store for tests of authorised payments: it sells one lamp, and authorises the payments of its orders with the
// simulator or with a stand-in of a provider.
import { expect } from 'vitest';
import type { StoreOrder } from '#proto/gen/order.ts';
import type { Environment } from '#runtime/call/call.ts';
import type { Keys, Reply } from '#test/support/stoa.ts';
import type { PaymentSystem } from './payment_system.ts';
import type { Provider } from './provider/stand_in.ts';

export const PRICE = 26.6;

export interface Till {
  readonly keys: Keys;
  write(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>;
  placed(more?: Record<string, unknown>): Promise<StoreOrder>;
  orderOf(order: Pick<StoreOrder, 'id'>): Promise<StoreOrder>;
  initialize(order: StoreOrder, more?: Record<string, unknown>): Promise<Reply>;
  /** Places an order and authorises its payment. */
  authorized(): Promise<{ readonly order: StoreOrder; readonly reference: string; readonly session: string }>;
  paymentOf(order: Pick<StoreOrder, 'id'>): Promise<{ readonly [field: string]: unknown }>;
  eventTypesOf(order: StoreOrder): Promise<string[]>;
}

const TYPES = [
  'order.paid',
  'order.cancelled',
  'payment.authorized',
  'payment.captured',
  'payment.voided',
  'payment.succeeded',
  'payment.failed',
  'payment.refunded',
];

/** Opens a store in dollars with one product, and connects it to a stand-in of a provider if one is named. */
export const openTill = async (
  shop: Pick<PaymentSystem, 'stoa' | 'send' | 'recordedEvents'>,
  provider: Provider | null = null,
): Promise<Till> => {
  const keys = await shop.stoa.createStore({ currency: 'USD' });
  const environment: Environment = 'sandbox';
  const write: Till['write'] = (method, path, body, headers = {}) =>
    shop.send(method, path, {
      key: keys.secret_test_key,
      signWith: keys.hmac_test_secret,
      ...(body === undefined ? {} : { body }),
      headers,
    });
  const product = { name: 'Lamp', price: PRICE, stock: 1_000, shipping_info: { requires_shipping: false } };
  const { variant_id } = (await write('POST', '/v1/products', product)).body;
  if (provider) expect((await write('POST', '/v1/payments/providers', provider.connection)).status).toBe(201);
  const placed: Till['placed'] = async (more = {}) => {
    const items = [{ variant_id, quantity: 1 }];
    const { status, body, text } = await write('POST', '/v1/orders', { items, email: 'ada@example.com', ...more });
    expect(status, text).toBe(201);
    return body.order;
  };
  const initialize: Till['initialize'] = (order, more = {}) =>
    write('POST', '/v1/payments/initialize', {
      provider: provider?.name ?? 'card_checkout',
      amount: order.amount_due,
      email: 'ada@example.com',
      order_id: order.id,
      capture: 'manual',
      ...more,
    });
  const paymentOf: Till['paymentOf'] = async ({ id }) =>
    (await write('GET', `/v1/payments?order_id=${id}`)).body.payments[0];
  return {
    keys,
    write,
    placed,
    initialize,
    paymentOf,
    orderOf: async ({ id }) => (await write('GET', `/v1/orders/${id}`)).body.order,
    authorized: async () => {
      const order = await placed();
      const { status, body, text } = await initialize(order);
      expect(status, text).toBe(200);
      const { reference, session_id: session } = body;
      provider?.pay(session);
      const answer = provider
        ? await write('POST', '/v1/payments/verify', { provider: provider.name, reference })
        : await write('POST', `/v1/sandbox/payments/${reference}`, { outcome: 'succeed' });
      expect(answer.body, answer.text).toMatchObject({ success: false, status: 'authorized', amount: PRICE });
      return { order, reference, session };
    },
    eventTypesOf: async ({ id }) =>
      (await shop.recordedEvents(keys.store_id, environment, TYPES))
        .filter(({ object }) => object.id === id || object.order_id === id)
        .map(({ type }) => type),
  };
};

/** Checks that the books of all stores are balanced, and returns what an order's account holds in cents. */
export const heldBy = async (shop: PaymentSystem, { keys }: Till, { id }: Pick<StoreOrder, 'id'>): Promise<number> => {
  const { balanced } = (await shop.stoa.services.runtime.ask(
    'LedgerAdmin/GetTrialBalance',
    { store: '', environment: 'production' },
    { store: keys.store_id },
  )) as { balanced: boolean };
  expect(balanced).toBe(true);
  const [row] = await shop.stoa.services.runtime.postgres.sql`
    select coalesce(sum(balance), 0)::bigint as balance from ledger.account
    where store = ${keys.store_id} and kind = 'order' and subject = ${id}`;
  return Number(row!.balance);
};
