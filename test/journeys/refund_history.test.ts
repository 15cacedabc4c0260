// Sums the refunds of random histories of orders, returns, refunds, offers and disputes: never more than the payments, and a
// balanced ledger. A short form by default; STOA_HISTORIES=1000 for the long one, STOA_SEED for another history.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { OrderDispute } from '#proto/gen/dispute.ts';
import type { StoreOrder } from '#proto/gen/order.ts';
import type { OrderReturn } from '#proto/gen/order_return.ts';
import { type Buyer, type DeliveredOrders, startDeliveredOrders } from '#test/services/order/delivered_order.ts';
import type { Reply } from '#test/support/stoa.ts';

const HISTORIES = Number(process.env.STOA_HISTORIES ?? 40);
const SEED = Number(process.env.STOA_SEED ?? 20_261_123);
const QUANTITY = 4;

let shop: DeliveredOrders;
let buyer: Buyer;
beforeAll(async () => {
  shop = await startDeliveredOrders();
  buyer = await shop.buyer();
});
afterAll(() => shop.close());

const step = fc.record({
  what: fc.constantFrom('ask', 'ask', 'decide', 'decide', 'decide', 'offer', 'accept', 'withdraw', 'refund', 'dispute'),
  status: fc.constantFrom('approved', 'received', 'refunded', 'rejected'),
  resolution: fc.constantFrom('refund', 'store_credit'),
  which: fc.nat(),
  quantity: fc.integer({ min: 1, max: QUANTITY }),
  /** In cents. */
  amount: fc.integer({ min: 1, max: 4_000 }),
  restock: fc.boolean(),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** Accepts a refusal of a closed order; fails on a fault. */
const tolerated = ({ status, text }: Reply): void => {
  expect([200, 201, 400, 409], text).toContain(status);
};

const play = async (order: StoreOrder, { what, which, ...given }: Step): Promise<void> => {
  const returns: OrderReturn[] = (await buyer.send('GET', `/v1/returns?order_id=${order.id}`)).body.data;
  const chosen = returns[which % Math.max(1, returns.length)];
  const items = [{ order_item_id: order.items[0]!.id, quantity: given.quantity }];
  const amount = given.amount / 100;
  const decide = (body: object) => shop.store('PATCH', `/v1/returns/${chosen!.id}`, body);
  if (what === 'ask')
    return tolerated(await buyer.send('POST', `/v1/orders/${order.id}/returns`, { reason_code: 'damaged', items }));
  if (what === 'refund')
    return tolerated(
      await shop.store('POST', `/v1/orders/${order.id}/refunds`, given.restock ? { items } : { amount }),
    );
  if (what === 'dispute') {
    const body = { order_id: order.id, reason_code: 'damaged', description: 'Everything is broken.' };
    const opened = await buyer.send('POST', '/v1/disputes', body);
    tolerated(opened);
    if (opened.status !== 201) return;
    const dispute: OrderDispute = opened.body.data;
    await shop.store('PATCH', `/v1/disputes/${dispute.id}`, { status: 'under_review' });
    const resolved = { status: 'resolved', resolution: given.resolution, amount };
    const reply = await shop.store('PATCH', `/v1/disputes/${dispute.id}`, resolved);
    tolerated(reply);
    if (reply.status !== 200) await shop.store('PATCH', `/v1/disputes/${dispute.id}`, { status: 'rejected' });
    return;
  }
  if (!chosen) return;
  if (what === 'offer') return tolerated(await decide({ credit_offer: { amount } }));
  if (what === 'withdraw') return tolerated(await decide({ credit_offer: null }));
  if (what === 'accept') return tolerated(await buyer.send('POST', `/v1/returns/${chosen.id}/accept-credit`));
  const { status, restock } = given;
  tolerated(await decide({ status, ...(status === 'received' && { restock }) }));
};

test(`${HISTORIES} random histories never give back more than was paid, in money or in pieces`, {
  timeout: 900_000,
}, async () => {
  const before = await shop.available();
  let gone = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), fc.boolean(), async (steps, atOnce) => {
      const order = await shop.delivered(buyer, QUANTITY);
      if (atOnce) await Promise.all(steps.map((each) => play(order, each)));
      else for (const each of steps) await play(order, each);
      const after = await shop.order(order.id);
      expect(after.amount_refunded).toBeLessThanOrEqual(QUANTITY * 10);
      const sum = after.refunds.reduce((cents, { amount }) => cents + Math.round(amount * 100), 0);
      expect(sum).toBe(Math.round(after.amount_refunded * 100));
      expect(after.items[0]!.quantity_returned).toBeLessThanOrEqual(QUANTITY);
      expect(after.payment_status).toBe(
        sum === 0 ? 'paid' : sum === QUANTITY * 1_000 ? 'refunded' : 'partially_refunded',
      );
      gone += QUANTITY - after.items[0]!.quantity_returned;
    }),
    { numRuns: HISTORIES, seed: SEED, endOnFailure: true },
  );
  // Pieces that came back may stay off the shelf; none comes out of nothing.
  expect(await shop.available()).toBeLessThanOrEqual(before - gone);
  await shop.balanced();
});
