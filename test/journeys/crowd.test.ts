// A crowd wants one thing, by every way in which it is sold: each piece is sold at once, and none besides, since no caller is
// refused while one is free.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  as,
  asStore,
  closeShop,
  insist,
  issue,
  keys,
  levelOf,
  newBuyer,
  newVariant,
  openShop,
  signed,
  stoa,
} from '#test/services/b2b/shop.ts';
import { openOperator } from '#test/support/mall.ts';
import { eventually } from '#test/support/server.ts';
import type { Shopper } from '#test/support/session.ts';
import type { Keys, Reply } from '#test/support/stoa.ts';

const PIECES = 150;
const CALLERS = 200;
/** `STOA_WAVES=100` for more. */
const WAVES = Number(process.env.STOA_WAVES ?? 3);
const SOLD_OUT = [409, 'insufficient_stock'];

let ada: Shopper;
/** In no session. */
const stranger: Shopper = { id: '', headers: {} };
let neighbour: Keys;
let ample: string;
let operatorKey: string;
beforeAll(async () => {
  await openShop({ plan: 'enterprise' });
  ada = await newBuyer();
  neighbour = await stoa.createStore({ plan: 'enterprise', country: 'KE' });
  ample = await newVariant({ stock: 1_000_000, shipping_info: { requires_shipping: false } }, neighbour);
  operatorKey = (await openOperator(stoa, [keys.store_id, neighbour.store_id])).operator_test_key;
});
afterAll(() => closeShop());

const scarce = () => newVariant({ stock: PIECES, shipping_info: { requires_shipping: false } });
const emailOf = (at: number): string => `shopper${at}@example.com`;
const outcome = ({ status, body }: Reply) => (status < 300 ? 'sold' : [status, body.error.code]);

/** One piece for one caller, who asks again until they are told something final. */
type Way = (variant: string, at: number) => Promise<Reply>;

const byOrder: Way = (variant, at) => {
  const body = { items: [{ variant_id: variant, quantity: 1 }], email: emailOf(at) };
  return insist((key) => signed('POST', '/v1/orders', body, key));
};

const byIntent: Way = async (variant, at) => {
  const wanted = { items: [{ variant_id: variant, quantity: 1 }], email: emailOf(at) };
  const begun = await insist((key) => as(stranger)('POST', '/v1/agent/checkout-intents', wanted, key));
  if (begun.status !== 201) return begun;
  return insist((key) => signed('POST', '/v1/orders', { checkout_intent_id: begun.body.data.id }, key));
};

const byCart: Way = async (variant, at) => {
  const session = { 'X-Session-Id': randomUUID() };
  const line = { variant_id: variant, quantity: 1 };
  const added = await insist((key) => as(stranger)('POST', '/v1/cart/items', line, { ...session, ...key }));
  if (added.status !== 200) return added;
  const body = { cart: true, session_id: session['X-Session-Id'], email: emailOf(at) };
  return insist((key) => signed('POST', '/v1/orders', body, key));
};

const byCheckout: Way = (variant, at) => {
  const lines = [
    { store_id: keys.store_id, variant_id: variant, quantity: 1 },
    { store_id: neighbour.store_id, variant_id: ample, quantity: 1 },
  ];
  const body = {
    lines,
    email: emailOf(at),
    shipping_address: { line1: '12 Moi Avenue', city: 'Nairobi', country: 'KE' },
  };
  return insist((headers) => stoa.send('POST', '/v1/cart/checkout', { key: operatorKey, body, headers }));
};

/** All of them at once. */
const wave = async (variant: string, ways: readonly Way[]) => {
  const outcomes = (await Promise.all(ways.map((way, at) => way(variant, at)))).map(outcome);
  const refused = outcomes.filter((each) => each !== 'sold');
  expect(refused).toEqual(refused.map(() => SOLD_OUT));
  return ways.length - refused.length;
};

const nothingIsLeft = (variant: string) => eventually(async () => expect(await levelOf(variant)).toEqual([0, 0]));

test('single orders: of 200 callers 150 get one of 150 pieces', { timeout: 120_000 }, async () => {
  const sold: number[] = [];
  for (let count = 0; count < WAVES; count++) {
    const variant = await scarce();
    sold.push(await wave(variant, Array<Way>(CALLERS).fill(byOrder)));
    await nothingIsLeft(variant);
  }
  expect(sold).toEqual(Array(WAVES).fill(PIECES));
});

test('orders, carts, purchase orders, checkouts over several merchants and intents at once', {
  timeout: 240_000,
}, async () => {
  const sold: number[] = [];
  for (let count = 0; count < WAVES; count++) {
    const variant = await scarce();
    const agreed: string[] = [];
    for (let at = 0; at < 10; at++)
      agreed.push((await issue(ada, [{ variant_id: variant, quantity: 1, unit_price: 7.5 }])).id);
    const byPurchaseOrder: Way = (_variant, at) =>
      insist((key) => asStore()('POST', `/v1/b2b/purchase-orders/${agreed[at / 20]}/confirm`, undefined, key));
    const ways = Array.from({ length: CALLERS }, (_, at): Way => {
      if (at % 20 === 0) return byPurchaseOrder;
      return [byOrder, byIntent, byCheckout, byCart][at % 4]!;
    });
    sold.push(await wave(variant, ways));
    await nothingIsLeft(variant);
  }
  expect(sold).toEqual(Array(WAVES).fill(PIECES));
});
