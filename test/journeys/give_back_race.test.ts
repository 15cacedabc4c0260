// Returns every unit of an order to stock once: by refunds, cancellations, returns, an hour that passed, a cancelled purchase
// order. All of them run at once, for each way of ordering.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { StoreOrder } from '#proto/gen/order.ts';
import {
  as,
  asStore,
  balanced,
  type Caller,
  closeShop,
  confirm,
  invoice,
  issue,
  keys,
  newBuyer,
  newVariant,
  openShop,
  pay,
  signed,
  stoa,
} from '#test/services/b2b/shop.ts';
import { openMarketplace } from '#test/support/marketplace.ts';
import { ok } from '#test/support/reply.ts';
import { eventually } from '#test/support/server.ts';
import type { Reply } from '#test/support/stoa.ts';

const STOCK = 50;
const QUANTITY = 4;
const ROUNDS = 3;
const PAID_WITHIN_S = 3_600;

beforeAll(() => openShop());
afterAll(closeShop);

type Work = () => Promise<Reply>;
const many = (count: number, work: (at: number) => Promise<Reply>): Work[] =>
  Array.from({ length: count }, (_, at) => () => work(at));

/** Runs all at once. Work on a closed order is refused; nothing fails. */
const race = async (...work: readonly Work[]): Promise<readonly Reply[]> => {
  const replies = await Promise.all(work.map((begin) => begin()));
  for (const { status, text } of replies) expect([200, 201, 409], text).toContain(status);
  return replies;
};

/** The seller of an order: with their secret key, and signed. */
interface Seller {
  readonly send: Caller;
  readonly sign: Caller;
}
const shop: Seller = { send: (...call) => asStore()(...call), sign: (...call) => signed(...call) };

const refund = ({ send }: Seller, { id, items }: StoreOrder): Promise<Reply> =>
  send('POST', `/v1/orders/${id}/refunds`, {
    items: [{ order_item_id: items[0]!.id, quantity: 1, restock: true }],
  });
const cancel = ({ sign }: Seller, { id }: StoreOrder): Promise<Reply> =>
  sign('PATCH', `/v1/orders/${id}`, { order_status: 'cancelled' });
const orderOf = async ({ send }: Seller, id: string): Promise<StoreOrder> =>
  (await send('GET', `/v1/orders/${id}`)).body.order;
const available = async ({ send }: Seller, variant: string): Promise<number> =>
  (await send('GET', `/v1/inventory/${variant}`)).body.inventory.available;

/** Everything is where it was, and no piece of it can come back once more. */
const isWhole = async (seller: Seller, order: StoreOrder, variant: string): Promise<void> => {
  await eventually(async () => expect(await available(seller, variant)).toBe(STOCK));
  for (let at = 0; at < 2; at++) expect((await refund(seller, order)).status).toBe(409);
  expect(await available(seller, variant)).toBe(STOCK);
};

/** Refunds and cancellations of an order that was not sent. */
const undoing = (seller: Seller, order: StoreOrder): Work[] => [
  ...many(3, () => refund(seller, order)),
  ...many(3, () => cancel(seller, order)),
  ...many(3, () => refund(seller, order)),
];

const newThing = (): Promise<string> => newVariant({ stock: STOCK, shipping_info: { requires_shipping: false } });
const place = async (variant_id: string, more: object = {}): Promise<StoreOrder> => {
  const body = { items: [{ variant_id, quantity: QUANTITY }], email: 'ada@example.com', ...more };
  const { status, text, body: answer } = await signed('POST', '/v1/orders', body);
  expect(status, text).toBe(201);
  return answer.order;
};
const move = async ({ id }: StoreOrder, change: object): Promise<void> => {
  const { status, text } = await signed('PATCH', `/v1/orders/${id}`, change);
  expect(status, text).toBe(200);
};

describe.each(Array.from({ length: ROUNDS }, (_, round) => round + 1))('round %i: pieces come back once', () => {
  test('where a cart’s order is refunded and cancelled', async () => {
    const variant = await newThing();
    const headers = { 'X-Session-Id': crypto.randomUUID() };
    await asStore()('POST', '/v1/cart/items', { variant_id: variant, quantity: QUANTITY }, headers);
    const order = await place(variant, { items: undefined, cart: true, session_id: headers['X-Session-Id'] });
    await move(order, { payment_status: 'paid' });
    await race(...undoing(shop, order));
    await isWhole(shop, order, variant);
  });

  test('where an order was sent in part, and the rest is refunded and cancelled', async () => {
    const variant = await newThing();
    const order = await place(variant);
    await move(order, { payment_status: 'paid' });
    const sent = { carrier: 'DHL', tracking_number: '1', items: [{ order_item_id: order.items[0]!.id, quantity: 1 }] };
    await race(
      ...undoing(shop, order),
      ...many(2, () => asStore()('POST', `/v1/orders/${order.id}/shipments`, sent)),
      ...undoing(shop, order).slice(0, 3),
    );
    const back = await available(shop, variant);
    expect(back).toBeLessThanOrEqual(STOCK);
    // The shopper's remaining units are refunded as well, and then none.
    for (let at = back; at < STOCK; at++) expect((await refund(shop, order)).status).toBe(201);
    await isWhole(shop, order, variant);
  });

  test('where returns are received while the order is refunded', async () => {
    const variant = await newThing();
    const buyer = await newBuyer();
    const order = await place(variant, { customer_id: buyer.id });
    await move(order, { payment_status: 'paid' });
    await move(order, { order_status: 'delivered' });
    const items = [{ order_item_id: order.items[0]!.id, quantity: 1 }];
    const returns: string[] = [];
    for (let at = 0; at < 2; at++) {
      const asked = await as(buyer)('POST', `/v1/orders/${order.id}/returns`, { reason_code: 'damaged', items });
      expect(asked.status, asked.text).toBe(201);
      returns.push(asked.body.data.id);
      await asStore()('PATCH', `/v1/returns/${asked.body.data.id}`, { status: 'approved' });
    }
    await race(
      ...many(3, () => refund(shop, order)),
      ...returns.flatMap((id) =>
        many(3, () => asStore()('PATCH', `/v1/returns/${id}`, { status: 'received', restock: true })),
      ),
      ...many(3, () => refund(shop, order)),
    );
    expect((await orderOf(shop, order.id)).items[0]!.quantity_returned).toBe(QUANTITY);
    await isWhole(shop, order, variant);
  });

  test('where an order of a checkout page is not paid in time, paid and cancelled', async () => {
    const variant = await newThing();
    const started = await asStore()('POST', '/v1/agent/checkout-intents', {
      items: [{ variant_id: variant, quantity: QUANTITY }],
      email: 'ada@example.com',
    });
    const placed = ok(
      await stoa.services.runtime.ask(
        'IntentOrder/PlaceIntentOrder',
        { store: keys.store_id, environment: 'sandbox' },
        { checkout_intent_id: started.body.data.id, agent: null, pay_later: true },
      ),
    );
    const order = await orderOf(shop, placed.order.id);
    const payment = await signed('POST', '/v1/payments/initialize', {
      provider: 'card_checkout',
      order_id: order.id,
      amount: order.amount_due,
      email: 'ada@example.com',
    });
    expect(payment.status, payment.text).toBe(200);
    await race(
      () => asStore()('POST', '/v1/sandbox/time-travel', { advance_seconds: PAID_WITHIN_S + 1 }),
      ...undoing(shop, order),
      () => asStore()('POST', `/v1/sandbox/payments/${payment.body.reference}`, { outcome: 'succeed' }),
    );
    expect(await orderOf(shop, order.id)).toMatchObject({ order_status: 'cancelled' });
    await isWhole(shop, order, variant);
  });

  test('where the order of a purchase order is refunded and cancelled, and its invoice paid', async () => {
    const variant = await newThing();
    const buyer = await newBuyer();
    const purchase = await confirm(await issue(buyer, [{ variant_id: variant, quantity: QUANTITY, unit_price: 8 }]));
    const billed = await invoice(purchase);
    const order = await orderOf(shop, purchase.order_id!);
    await race(
      ...undoing(shop, order),
      ...many(2, () => as(buyer)('POST', `/v1/b2b/purchase-orders/${purchase.id}/cancel`)),
      () => asStore()('POST', `/v1/b2b/invoices/${billed.id}/pay`, { amount: billed.amount_due }),
      ...undoing(shop, order).slice(0, 3),
    );
    await isWhole(shop, order, variant);
  });

  test('where a purchase order that was paid is refunded and cancelled', async () => {
    const variant = await newThing();
    const purchase = await confirm(
      await issue(await newBuyer(), [{ variant_id: variant, quantity: QUANTITY, unit_price: 8 }]),
    );
    await pay(await invoice(purchase));
    const order = await orderOf(shop, purchase.order_id!);
    await race(...undoing(shop, order));
    await isWhole(shop, order, variant);
  });

  test('where a checkout over several merchants is paid, and each order refunded and cancelled', async () => {
    const marketplace = await openMarketplace(stoa, { patient: true, stock: STOCK });
    const { checkout } = (await marketplace.checkout()).body;
    const paying = await marketplace.send('POST', `/v1/cart/checkout/${checkout.group_id}/pay`, {
      provider: 'card_checkout',
    });
    expect(paying.status, paying.text).toBe(200);
    const sold = await Promise.all(
      marketplace.members.map(async (member) => ({ member, order: (await member.orders())[0]! })),
    );
    await race(
      () => marketplace.send('POST', `/v1/sandbox/payments/${paying.body.reference}`, { outcome: 'succeed' }),
      ...sold.flatMap(({ member, order }) => undoing(member, order)),
    );
    for (const { member, order } of sold) await isWhole(member, order, member.variants[0]!);
  });
});

test('and every posting adds up', async () => expect(await balanced()).toBe(true));
