// Payments of orders that were cancelled meanwhile: ended where the provider can, otherwise recorded and refunded.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { StoreOrder } from '#proto/gen/order.ts';
import { PAYMENT_WINDOW_MS } from '#services/order/unpaid.ts';
import { type Member, openMarketplace } from '#test/support/marketplace.ts';
import { eventually } from '#test/support/server.ts';
import type { Reply } from '#test/support/stoa.ts';
import { errorOf, type PaymentSystem, startPaymentSystem } from './payment_system.ts';
import { startPaystack } from './provider/paystack.ts';
import type { Provider } from './provider/stand_in.ts';
import { startStripe } from './provider/stripe.ts';

const CALLERS = 16;
/** Whether each provider can end a started payment. */
const ENDS = { card_checkout: true, bank_africa: false } as const;

let shop: PaymentSystem;
let variant: string;
const providers = new Map<string, Provider>();
beforeAll(async () => {
  const started = [await startStripe(() => Date.now()), await startPaystack()];
  for (const provider of started) {
    process.env[provider.variable] = provider.standIn.url;
    providers.set(provider.name, provider);
  }
  process.env.STOA_ALLOW_LOCAL_WEBHOOKS = '1';
  shop = await startPaymentSystem({ currency: 'NGN' });
  const product = { name: 'Gift wrap', price: 100, stock: 1_000, shipping_info: { requires_shipping: false } };
  variant = (await write('POST', '/v1/products', product)).body.variant_id;
});
afterAll(async () => {
  await shop.close();
  for (const { standIn } of providers.values()) await standIn.stop();
});

const write = (method: string, path: string, body?: unknown): Promise<Reply> =>
  shop.send(method, path, {
    key: shop.keys.secret_test_key,
    signWith: shop.keys.hmac_test_secret,
    ...(body === undefined ? {} : { body }),
  });
const placed = async (): Promise<StoreOrder> => {
  const reply = await write('POST', '/v1/orders', {
    items: [{ variant_id: variant, quantity: 1 }],
    email: 'ada@example.com',
  });
  expect(reply.status, reply.text).toBe(201);
  return reply.body.order;
};
const orderOf = async ({ id }: StoreOrder): Promise<StoreOrder> => (await write('GET', `/v1/orders/${id}`)).body.order;
const startPayment = async (order: StoreOrder, provider = 'card_checkout') => {
  const { status, body, text } = await write('POST', '/v1/payments/initialize', {
    provider,
    currency: 'NGN',
    amount: order.amount_due,
    email: 'ada@example.com',
    order_id: order.id,
  });
  expect(status, text).toBe(200);
  return body;
};
const cancel = ({ id }: StoreOrder): Promise<Reply> =>
  write('PATCH', `/v1/orders/${id}`, { order_status: 'cancelled' });
const succeed = (reference: string): Promise<Reply> =>
  write('POST', `/v1/sandbox/payments/${reference}`, { outcome: 'succeed' });
const paymentOf = async ({ id }: StoreOrder) => (await write('GET', `/v1/payments?order_id=${id}`)).body.payments[0];
const eventTypesOf = async ({ id }: StoreOrder) =>
  (
    await shop.recordedEvents(shop.keys.store_id, 'sandbox', [
      'order.paid',
      'order.cancelled',
      'payment.succeeded',
      'payment.failed',
      'payment.refunded',
    ])
  )
    .filter(({ object }) => object.id === id || object.order_id === id)
    .map(({ type }) => type);
const isBalanced = async (): Promise<void> => {
  const { balanced } = (await shop.stoa.services.runtime.ask(
    'LedgerAdmin/GetTrialBalance',
    { store: '', environment: 'production' },
    { store: shop.keys.store_id },
  )) as { balanced: boolean };
  expect(balanced).toBe(true);
};

test('expires the open payment of a cancelled order, and refuses its simulated success', async () => {
  const order = await placed();
  const { reference } = await startPayment(order);
  expect((await cancel(order)).status).toBe(200);
  expect(errorOf(await succeed(reference))).toEqual([409, 'conflict', 'outcome']);
  await eventually(async () =>
    expect(await paymentOf(order)).toMatchObject({ status: 'expired', failure: 'order_cancelled' }),
  );
  expect(await eventTypesOf(order)).toEqual(['order.cancelled', 'payment.failed']);
  expect(await orderOf(order)).toMatchObject({ order_status: 'cancelled', payment_status: 'pending', amount_paid: 0 });
});

test('expires an unpaid order with its payment, and keeps an order whose payment arrived first', async () => {
  const [left, paid] = [await placed(), await placed()];
  const { postgres } = shop.stoa.services.runtime;
  const references = [(await startPayment(left)).reference, (await startPayment(paid)).reference];
  await postgres.sql`
    insert into orders.unpaid (store, environment, order_id, due_at)
    select ${shop.keys.store_id}, 'sandbox', id, ${new Date(shop.clock.real() + PAYMENT_WINDOW_MS)}
    from unnest(${[left.id, paid.id]}::uuid[]) as id`;
  expect((await succeed(references[1])).status).toBe(200);
  await postgres.sql`update orders.unpaid set due_at = now() - interval '1 hour'`;
  await eventually(async () => expect((await orderOf(left)).order_status).toBe('cancelled'));
  expect(errorOf(await succeed(references[0]))).toEqual([409, 'conflict', 'outcome']);
  expect(await orderOf(paid)).toMatchObject({ order_status: 'confirmed', payment_status: 'paid' });
});

test('many cancellations and successes at once leave a payment from before the cancellation, or none', async () => {
  for (let round = 0; round < 4; round++) {
    const order = await placed();
    const { reference } = await startPayment(order, 'bank_africa');
    const replies = await Promise.all(
      Array.from({ length: CALLERS }, (_, at) => (at % 2 === round % 2 ? cancel(order) : succeed(reference))),
    );
    for (const { status } of replies) expect([200, 409]).toContain(status);
    await eventually(async () => {
      const { status, needs_review } = await paymentOf(order);
      const { order_status, payment_status, amount_paid } = await orderOf(order);
      expect([order_status, needs_review]).toEqual(['cancelled', false]);
      expect([
        ['succeeded', 'paid', 100],
        ['expired', 'pending', 0],
        ['refunded', 'pending', 0],
      ]).toContainEqual([status, payment_status, amount_paid]);
    });
    const orderEvents = (await eventTypesOf(order)).filter((type) => type.startsWith('order.'));
    expect([['order.cancelled'], ['order.paid', 'order.cancelled']]).toContainEqual(orderEvents);
  }
  await isBalanced();
});

test.each(Object.entries(ENDS))(
  'refunds a success that arrives through %s after the cancellation',
  async (name, ends) => {
    const provider = providers.get(name)!;
    const connected = await write('POST', '/v1/payments/providers', provider.connection);
    expect(connected.status, connected.text).toBe(201);
    const order = await placed();
    const { session_id } = await startPayment(order, name);
    // The shopper has paid, and the provider's report is in transit while the merchant cancels.
    if (!ends) provider.pay(session_id);
    expect((await cancel(order)).status).toBe(200);
    if (ends) {
      await eventually(async () => expect(await paymentOf(order)).toMatchObject({ status: 'expired' }));
      expect(await eventTypesOf(order)).toEqual(['order.cancelled', 'payment.failed']);
      return;
    }
    const { url, headers, body } = provider.report(session_id);
    const search = url ? new URL(url).search : '';
    for (const _ of [1, 2]) {
      const path = `/v1/payments/callbacks/${name}/${shop.keys.store_id}/sandbox${search}`;
      expect((await shop.stoa.send('POST', path, { body, headers })).status).toBe(200);
    }
    // The payment needs review until the provider has refunded it.
    await eventually(async () =>
      expect(await paymentOf(order)).toMatchObject({ status: 'refunded', amount_refunded: 100, needs_review: false }),
    );
    expect(await eventTypesOf(order)).toEqual(['order.cancelled', 'payment.succeeded', 'payment.refunded']);
    expect(await orderOf(order)).toMatchObject({
      order_status: 'cancelled',
      payment_status: 'pending',
      amount_paid: 0,
    });
    await isBalanced();
  },
);

describe('a payment of several merchants’ orders', () => {
  const startGroupPayment = async () => {
    const marketplace = await openMarketplace(shop.stoa);
    const group = (await marketplace.checkout()).body.checkout;
    const pay = await marketplace.send('POST', `/v1/cart/checkout/${group.group_id}/pay`, {
      provider: 'card_checkout',
    });
    expect(pay.status, pay.text).toBe(200);
    const outcome = () =>
      marketplace.send('POST', `/v1/sandbox/payments/${pay.body.reference}`, { outcome: 'succeed' });
    return {
      members: marketplace.members as [Member, Member],
      orders: group.orders as { order_id: string }[],
      outcome,
    };
  };
  const cancelIn = async ({ sign }: Member, { order_id }: { order_id: string }): Promise<void> => {
    const { status, text } = await sign('PATCH', `/v1/orders/${order_id}`, { order_status: 'cancelled' });
    expect(status, text).toBe(200);
  };

  test('keeps only the shares of orders that are still open', async () => {
    const { members, orders, outcome } = await startGroupPayment();
    const [one, two] = members;
    await cancelIn(one, orders[0]!);
    expect((await outcome()).status).toBe(200);
    await eventually(async () =>
      expect((await one.send('GET', '/v1/payments')).body.payments).toMatchObject([
        { status: 'refunded', amount_refunded: 10, needs_review: false },
      ]),
    );
    expect(await one.orders()).toMatchObject([
      { order_status: 'cancelled', payment_status: 'pending', amount_paid: 0 },
    ]);
    expect(await two.orders()).toMatchObject([{ order_status: 'confirmed', payment_status: 'paid', amount_paid: 10 }]);
    const { webhook_events } = (await one.send('GET', '/v1/webhook-events?type=order.paid')).body;
    expect(webhook_events).toEqual([]);
  });

  test('refuses to succeed once all of them are cancelled', async () => {
    const { members, orders, outcome } = await startGroupPayment();
    for (const [at, member] of members.entries()) await cancelIn(member, orders[at]!);
    expect((await outcome()).status).toBe(409);
  });
});
