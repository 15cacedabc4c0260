// Completes a checkout over one protocol while another cancels it: exactly one of the two happens, and the answers match
// order, money and stock.
import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { openShop, type Shop, tokenFor } from '#test/edge/assistant/mcp/shop.ts';
import { eventually } from '#test/support/server.ts';
import { allowLocalVerifier } from '#test/support/session.ts';
import { type Stoa, sharedStoa } from '#test/support/stoa.ts';
import { type Answer, protocolCallers, stockLevelOf } from './assistant_caller.ts';

const CALLERS = 8;
/** Head starts of the completing callers, so that either side wins now and then. */
const LEADS_MS = [0, 10, 15, 20, 25, 40];

allowLocalVerifier();
let stoa: Stoa;
beforeAll(async () => {
  stoa = await sharedStoa();
});

const pairs = Object.keys(protocolCallers).flatMap((completes) =>
  Object.keys(protocolCallers).map((cancels) => [completes, cancels] as const),
);

const many = async (delayMs: number, ask: () => Promise<Answer>): Promise<Answer[]> => {
  await Bun.sleep(Math.max(0, delayMs));
  return Promise.all(Array.from({ length: CALLERS }, ask));
};

const succeeded = (answers: readonly Answer[], status: string): Answer[] =>
  answers.filter(({ checkout }) => checkout?.status === status);

/** All amounts of the books, which add up to nothing, and what buyers have paid. */
const booksOf = async ({ merchant }: Shop): Promise<{ sum: number; paid: number }> => {
  const [row] = await stoa.services.runtime.postgres.sql<[{ sum: number; paid: number }]>`
    select coalesce(sum(amount), 0)::int as sum, coalesce(sum(amount) filter (where kind = 'order'), 0)::int as paid
    from ledger.entry where store = ${merchant.keys.store_id} and environment = 'sandbox'`;
  return row;
};

test.each(pairs)(
  'a checkout that is completed over %s and canceled over %s at once is one of both',
  async (completes, cancels) => {
    for (const lead of LEADS_MS) {
      const shop = await openShop(stoa);
      const [complete, cancel] = [protocolCallers[completes]!(shop), protocolCallers[cancels]!(shop)];
      const { id } = (await complete('create', randomUUID())).checkout;
      const token = await tokenFor(stoa, shop, id);
      const [completions, cancellations] = await Promise.all([
        many(-lead, () => complete('complete', randomUUID(), { id, token })),
        many(lead, () => cancel('cancel', randomUUID(), { id })),
      ]);
      const [completed, canceled] = [succeeded(completions, 'completed'), succeeded(cancellations, 'canceled')];
      expect(completed.length + canceled.length, JSON.stringify([completions, cancellations])).toBe(1);
      for (const { status } of [...completions, ...cancellations]) expect(status).toBeLessThan(500);
      const isSold = completed.length === 1;
      await eventually(async () => {
        const { data: intent } = (await shop.merchant.test('GET', `/v1/agent/checkout-intents/${id}`)).body;
        const { orders } = (await shop.merchant.test('GET', '/v1/orders')).body;
        const { payments } = (await shop.merchant.test('GET', '/v1/payments')).body;
        const paid = payments.filter(({ status }: { status: string }) => status === 'succeeded');
        expect(intent.status).toBe(isSold ? 'completed' : 'cancelled');
        expect(orders).toMatchObject(
          isSold
            ? [{ id: completed[0]!.checkout.order.id, payment_status: 'paid', amount_due: 0, amount_paid: 25 }]
            : [],
        );
        expect(paid).toMatchObject(isSold ? [{ order_id: orders[0].id, amount: 25, amount_refunded: 0 }] : []);
        expect(payments.filter(({ status }: { status: string }) => status === 'pending')).toEqual([]);
        expect(await stockLevelOf(shop)).toEqual(isSold ? [3, 0] : [5, 0]);
        expect(await booksOf(shop)).toEqual({ sum: 0, paid: isSold ? 2_500 : 0 });
      });
      // The outcome is final.
      expect((await cancel('cancel', randomUUID(), { id })).checkout).toBeNull();
      expect((await complete('complete', randomUUID(), { id, token })).checkout).toBeNull();
    }
  },
);
