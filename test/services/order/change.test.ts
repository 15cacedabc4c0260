// Changes of an order whose payment is in the ledger but not yet on the order, as after a crash: each change first
// marks the order as paid.
import { beforeAll, expect, test } from 'vitest';
import type { StoreOrder } from '#proto/gen/order.ts';
import type { Tenant } from '#runtime/call/call.ts';
import { receiveElsewhere } from '#services/ledger/index.ts';
import { eventually } from '#test/support/server.ts';
import { type Stoa, sharedStoa } from '#test/support/stoa.ts';
import { basket, createSingleProductStore, placeOrder, type SingleProductStore } from './single_product_store.ts';

let stoa: Stoa;
beforeAll(async () => {
  stoa = await sharedStoa();
});

/** Places an order of 20.00: a gift card pays 5.00, and the ledger holds the other 15.00. */
const placeWithUnrecordedPayment = async (): Promise<{ shop: SingleProductStore; order: StoreOrder }> => {
  const shop = await createSingleProductStore(stoa);
  const { gift_card } = (await shop.write('POST', '/v1/gift-cards', { amount: 5 })).body;
  const order = await placeOrder(shop, { ...basket(shop), gift_card_codes: [gift_card.code] });
  const tenant: Tenant = { store: shop.store_id, environment: 'production' };
  await stoa.services.runtime.postgres.transaction(async (tx) => {
    await receiveElsewhere(tx, tenant, { order: order.id, currency: 'USD', amount: 1_500 });
  }, tenant);
  return { shop, order };
};

const read = async (shop: SingleProductStore, { id }: StoreOrder): Promise<StoreOrder> =>
  (await shop.read(`/v1/orders/${id}`)).body.order;

const expectOrderEvents = (shop: SingleProductStore, types: readonly string[]) =>
  eventually(async () => {
    const { webhook_events } = (await shop.read('/v1/webhook-events?limit=100')).body;
    const published = (webhook_events as { type: string }[]).map(({ type }) => type);
    expect(published.filter((type) => type.startsWith('order.')).toSorted()).toEqual(types);
  });

test('publishes order.paid before a refund of an order whose payment was not yet recorded', async () => {
  const { shop, order } = await placeWithUnrecordedPayment();
  expect(await read(shop, order)).toMatchObject({ payment_status: 'pending', amount_due: 15 });
  const refunded = await shop.write('POST', `/v1/orders/${order.id}/refunds`, { amount: 18 });
  expect(refunded.status, refunded.text).toBe(201);
  expect(await read(shop, order)).toMatchObject({
    ...{ order_status: 'confirmed', payment_status: 'partially_refunded', gift_card_total: 5 },
    ...{ amount_paid: 15, amount_refunded: 18, amount_due: 0 },
  });
  await expectOrderEvents(shop, ['order.created', 'order.paid', 'order.refunded']);
});

test('a cancellation leaves the payment in the order, to be refunded', async () => {
  const { shop, order } = await placeWithUnrecordedPayment();
  const cancelled = await shop.sign('PATCH', `/v1/orders/${order.id}`, { order_status: 'cancelled' });
  expect(cancelled.body.order).toMatchObject({
    ...{ order_status: 'cancelled', payment_status: 'paid', gift_card_total: 0 },
    ...{ amount_paid: 15, amount_due: 0 },
  });
  await expectOrderEvents(shop, ['order.cancelled', 'order.created', 'order.paid']);
});

test('refuses payment_status failed for an order whose payment the ledger received', async () => {
  const { shop, order } = await placeWithUnrecordedPayment();
  const failed = await shop.sign('PATCH', `/v1/orders/${order.id}`, { payment_status: 'failed' });
  expect([failed.status, failed.body.error.param]).toEqual([409, 'payment_status']);
});
