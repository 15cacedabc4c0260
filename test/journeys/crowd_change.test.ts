// Changes a level while a crowd buys: returns, a merchant's count, expiring holds, a sandbox's reset.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { StoreOrder } from '#proto/gen/order.ts';
import { as, asStore, clock, insist, keys, levelOf, made, newBuyer, signed, stoa } from '#test/services/b2b/shop.ts';
import type { Shopper } from '#test/support/session.ts';
import {
  type BuyOne,
  buyAtOnce,
  byCart,
  byOrder,
  closeCrowd,
  createScarceVariant,
  emailOf,
  expectStock,
  mixBuyers,
  OUT_OF_STOCK,
  openCrowd,
  orderIntent,
  outcomeOf,
  sellRest,
  startIntent,
  UNITS,
  wasOverloaded,
} from './crowd.ts';

beforeAll(openCrowd);
afterAll(() => closeCrowd());
beforeEach(() => clock.advance(1_000));

const adjust = (variant: string, change: object) =>
  insist((key) => asStore()('POST', '/v1/inventory/adjustments', { variant_id: variant, ...change }, key));

describe('pieces that come back', () => {
  const BACK = 6;
  let ada: Shopper;
  beforeAll(async () => {
    ada = await newBuyer();
  });

  const change = (id: string, body: object) => made(signed('PATCH', `/v1/orders/${id}`, body));
  const ways: readonly (readonly [string, (order: StoreOrder, variant: string) => Promise<unknown>])[] = [
    ['from a cancelled order', ({ id }) => change(id, { order_status: 'cancelled' })],
    [
      'with a refund',
      async ({ id, items }) => {
        await change(id, { payment_status: 'paid' });
        const lines = [{ order_item_id: items[0]!.id, quantity: BACK, restock: true }];
        await made(asStore()('POST', `/v1/orders/${id}/refunds`, { amount: 10 * BACK, items: lines }));
      },
    ],
    [
      'with a return',
      async ({ id }) => {
        await change(id, { payment_status: 'paid' });
        await change(id, { order_status: 'shipped' });
        const asked = { reason_code: 'wrong_size' };
        const { data } = await made(as(ada)('POST', `/v1/orders/${id}/returns`, asked));
        for (const body of [{ status: 'approved' }, { status: 'received', restock: true }])
          await made(asStore()('PATCH', `/v1/returns/${data.id}`, body));
      },
    ],
    ['with an adjustment', (_order, variant) => made(adjust(variant, { delta: BACK }))],
    ['with another count', (_order, variant) => made(adjust(variant, { on_hand: BACK }))],
  ];

  test.each(ways)('%s are there for those who ask next, all of them', { timeout: 60_000 }, async (_, bringBack) => {
    const variant = await createScarceVariant(BACK);
    const items = [{ variant_id: variant, quantity: BACK }];
    const { order } = await made(signed('POST', '/v1/orders', { items, customer_id: ada.id, email: emailOf(0) }));
    expect(await buyAtOnce(variant, Array<BuyOne>(10).fill(byOrder))).toBe(0);
    await bringBack(order, variant);
    wasOverloaded();
    const sold = await buyAtOnce(variant, [...Array<BuyOne>(10).fill(byOrder), ...Array<BuyOne>(10).fill(byCart)]);
    if (!wasOverloaded()) expect(sold).toBe(BACK);
    await expectStock(variant, BACK - sold);
  });
});

test('a merchant who counts in the middle neither sells twice nor keeps a piece back', {
  timeout: 120_000,
}, async () => {
  const variant = await createScarceVariant();
  const ways = await mixBuyers(variant, 200);
  const selling = buyAtOnce(variant, ways);
  let supply = UNITS;
  for (const delta of [7, -12, 20, -5, 3, -30, 11]) {
    const { status, body } = await adjust(variant, { delta });
    if (status < 300) supply += delta;
    else expect([status, body.error.code]).toEqual(OUT_OF_STOCK);
  }
  await sellRest(variant, supply - (await selling));
});

test('a merchant who sets the level in the middle has as many left as they said, less what was sold since', {
  timeout: 120_000,
}, async () => {
  const variant = await createScarceVariant();
  const selling = buyAtOnce(variant, await mixBuyers(variant, 200));
  for (const on_hand of [40, 90, 10]) await made(adjust(variant, { on_hand }));
  await selling;
  const [onHand] = await levelOf(variant);
  expect(onHand).toBeGreaterThanOrEqual(0);
  await sellRest(variant, onHand);
});

test('orders that are cancelled in the middle are bought by others', { timeout: 120_000 }, async () => {
  const variant = await createScarceVariant();
  let cancelled = 0;
  const hesitant: BuyOne = async (of, at) => {
    const reply = await byOrder(of, at);
    if (reply.status !== 201) return reply;
    const id = reply.body.order.id;
    const change = { order_status: 'cancelled', note: id };
    await made(insist((key) => signed('PATCH', `/v1/orders/${id}`, change, key)));
    cancelled++;
    return reply;
  };
  const ways = await mixBuyers(variant, 220);
  const sold = await buyAtOnce(
    variant,
    ways.map((way, at) => (at % 3 === 1 ? hesitant : way)),
  );
  await sellRest(variant, UNITS - sold + cancelled);
});

test('intents that run out as they are ordered, beside a crowd', { timeout: 120_000 }, async () => {
  const variant = await createScarceVariant();
  const started = await Promise.all(Array.from({ length: 100 }, (_, at) => startIntent(variant, at)));
  expect(started.map(({ status }) => status)).toEqual(started.map(() => 201));
  const expiresAt = Date.parse(started[0]!.body.data.expires_at);
  clock.advance(expiresAt - clock.real() - 20);
  const ordering = started.map(async (intent, at) => {
    if (at % 10 === 0) clock.advance(4);
    return outcomeOf(await orderIntent(intent));
  });
  const crowd = Array.from({ length: 90 }, (_, at) => byOrder(variant, at).then(outcomeOf));
  const outcomes = await Promise.all([...ordering, ...crowd]);
  for (const outcome of outcomes)
    if (outcome !== 'sold') expect([OUT_OF_STOCK, [409, 'conflict']]).toContainEqual(outcome);
  await sellRest(variant, UNITS - outcomes.filter((outcome) => outcome === 'sold').length);
});

test('a sandbox that begins anew with production’s catalogue sells all of that', { timeout: 120_000 }, async () => {
  const product = { name: 'Lamp', price: 10, stock: UNITS, shipping_info: { requires_shipping: false } };
  const live = { key: keys.secret_key };
  const { variant_id } = await made(stoa.send('POST', '/v1/products', { ...live, body: product }));
  // Some were sold there: their orders are not the sandbox's.
  for (let at = 0; at < 3; at++) {
    const body = { items: [{ variant_id, quantity: 10 }], email: emailOf(at) };
    await made(stoa.send('POST', '/v1/orders', { ...live, signWith: keys.hmac_secret, body }));
  }
  const reset = () => made(asStore()('POST', '/v1/sandbox/reset', { copy_catalogue: true }));
  await reset();
  await expectStock(variant_id, UNITS - 30);
  const selling = Promise.all(Array.from({ length: 100 }, (_, at) => byOrder(variant_id, at)));
  await reset();
  await selling;
  await reset();
  await sellRest(variant_id, UNITS - 30);
});
