// Promotions without a code, at their limits, with many callers at once: they never refuse an order and never exceed their
// limit, in any way of ordering.
import { beforeAll, expect, test } from 'vitest';
import type { StoreOrder } from '#proto/gen/order.ts';
import { lineOf, type Member, openMarketplace, openMember } from '#test/support/marketplace.ts';
import { type Reply, type Stoa, sharedStoa } from '#test/support/stoa.ts';

const CALLERS = 30;
/** Each is better than the next, so that it is used up first. */
const PERCENTAGES = [60, 50, 40, 30, 20, 10];
const USES = 3;
const PRICE = 10;
const STOCK = 1_000;

let stoa: Stoa;
beforeAll(async () => {
  stoa = await sharedStoa();
});

const promote = async ({ send }: Member): Promise<void> => {
  for (const value of PERCENTAGES) {
    const promotion = { name: `${value} %`, type: 'percentage', value, usage_limit: USES, status: 'active' };
    expect((await send('POST', '/v1/promotions', promotion)).status).toBe(201);
  }
};

/** Amounts that the callers pay when each promotion is used up to its limit. */
const wanted = (): number[] => [
  ...PERCENTAGES.flatMap((value) => Array<number>(USES).fill(PRICE * (1 - value / 100))),
  ...Array<number>(CALLERS - PERCENTAGES.length * USES).fill(PRICE),
];
const paid = async ({ send }: Member): Promise<number[]> =>
  (await send('GET', '/v1/orders?limit=100')).body.orders
    .map(({ total_amount }: StoreOrder) => total_amount)
    .toSorted((a: number, b: number) => a - b);
const timesUsed = async ({ send }: Member): Promise<number[]> =>
  (await send('GET', '/v1/promotions?limit=100')).body.promotions.map(
    ({ times_used }: { times_used: number }) => times_used,
  );

const all = (ask: (at: number) => Promise<Reply>): Promise<Reply[]> =>
  Promise.all(Array.from({ length: CALLERS }, (_, at) => ask(at)));
/** Each with its text where it was refused. */
const outcomes = (replies: readonly Reply[]): unknown[] =>
  replies.map(({ status, text }) => (status === 201 ? status : text));
const email = (at: number): string => `buyer-${at}@example.com`;

test('orders at once', async () => {
  const member = await openMember(stoa, { stock: STOCK, patient: true });
  await promote(member);
  const items = [{ variant_id: member.variants[0]!, quantity: 1 }];
  const replies = await all((at) => member.sign('POST', '/v1/orders', { items, email: email(at) }));
  expect(outcomes(replies)).toEqual(replies.map(() => 201));
  expect(await paid(member)).toEqual(wanted());
  expect(await timesUsed(member)).toEqual(PERCENTAGES.map(() => USES));
});

test('checkouts over several merchants at once', async () => {
  const marketplace = await openMarketplace(stoa, { merchants: 3, stock: STOCK, patient: true });
  for (const member of marketplace.members) await promote(member);
  const replies = await all((at) => marketplace.checkout(undefined, { email: email(at) }));
  expect(outcomes(replies)).toEqual(replies.map(() => 201));
  for (const member of marketplace.members) {
    expect(await paid(member)).toEqual(wanted());
    expect(await timesUsed(member)).toEqual(PERCENTAGES.map(() => USES));
  }
});

test('checkout intents at once: each order costs what its intent promised', async () => {
  const member = await openMember(stoa, { stock: STOCK, patient: true });
  await promote(member);
  const items = [{ variant_id: member.variants[0]!, quantity: 1 }];
  const started = await all((at) => member.send('POST', '/v1/agent/checkout-intents', { items, email: email(at) }));
  expect(outcomes(started)).toEqual(started.map(() => 201));
  const replies = await all((at) =>
    member.sign('POST', '/v1/orders', { checkout_intent_id: started[at]!.body.data.id }),
  );
  expect(outcomes(replies)).toEqual(replies.map(() => 201));
  expect(replies.map(({ body }) => body.order.total_amount)).toEqual(started.map(({ body }) => body.data.grand_total));
  for (const used of await timesUsed(member)) expect(used).toBeLessThanOrEqual(USES);
});

test('a use for each customer is one for all ways at once, whichever letter case their address has', async () => {
  const marketplace = await openMarketplace(stoa, { stock: STOCK, patient: true });
  const [member] = marketplace.members as [Member, Member];
  const once = {
    name: 'Once',
    type: 'percentage',
    value: 50,
    code: 'ONCE',
    usage_limit_per_customer: 1,
    status: 'active',
  };
  expect((await member.send('POST', '/v1/promotions', once)).status).toBe(201);
  const items = [{ variant_id: member.variants[0]!, quantity: 1 }];
  const codes = { promotion_codes: ['ONCE'] };
  const [lower, upper] = ['ada@example.com', 'ADA@Example.com'];
  const headers = { 'X-Session-Id': crypto.randomUUID() };
  await member.send('POST', '/v1/cart/items', items[0], headers);
  const intent = await member.send('POST', '/v1/agent/checkout-intents', { items, email: upper, ...codes });
  expect(intent.status, intent.text).toBe(201);
  const cart = { cart: true, session_id: headers['X-Session-Id'] };
  const replies = await Promise.all([
    member.sign('POST', '/v1/orders', { items, email: lower, ...codes }),
    member.sign('POST', '/v1/orders', { checkout_intent_id: intent.body.data.id }),
    member.sign('POST', '/v1/orders', { ...cart, email: upper, ...codes }),
    marketplace.checkout([lineOf(member)], { email: upper, ...codes }),
    marketplace.checkout([lineOf(member)], { email: lower, ...codes }),
  ]);
  expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
  for (const { status, body } of replies)
    if (status !== 201) expect([status, body.error.code]).toEqual([400, 'promotion_not_applicable']);
  expect(await paid(member)).toEqual([PRICE / 2]);
  expect(await timesUsed(member)).toEqual([1]);
});
