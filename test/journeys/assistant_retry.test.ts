// Many callers with one idempotency key: what they ask for happens once, and each is answered as the first, or told to come
// again because the first is not done yet.
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Document, openShop, tokenFor } from '#test/edge/assistant/mcp/shop.ts';
import { eventually } from '#test/support/server.ts';
import { allowLocalVerifier } from '#test/support/session.ts';
import { type Stoa, sharedStoa } from '#test/support/stoa.ts';
import { type Answer, isInFlight, type Operation, protocolCallers, stockLevelOf } from './assistant_caller.ts';

const CALLERS = 24;

allowLocalVerifier();
let stoa: Stoa;
beforeAll(async () => {
  stoa = await sharedStoa();
});

/** The checkout that all of them get, at every retry too. */
const once = async (ask: () => Promise<Answer>): Promise<Document> => {
  const answers = await Promise.all(Array.from({ length: CALLERS }, ask));
  const completed = answers.filter(({ checkout }) => checkout !== null);
  for (const answer of answers)
    if (answer.checkout === null)
      expect(isInFlight(answer), `${answer.status} ${JSON.stringify(answer.document)}`).toBe(true);
  const again = await eventually(async () => {
    const answer = await ask();
    expect(answer.checkout, JSON.stringify(answer.document)).not.toBeNull();
    return answer.checkout;
  });
  for (const { checkout } of completed) expect(checkout).toEqual(again);
  return again;
};

describe.each(Object.keys(protocolCallers))('over %s', (protocol) => {
  test('many at once with one key begin, change, complete and cancel a checkout once', async () => {
    const shop = await openShop(stoa);
    const ask = protocolCallers[protocol]!(shop);
    const keys = Array.from({ length: 5 }, () => randomUUID());
    const { id } = await once(() => ask('create', keys[0]!));
    expect(await stockLevelOf(shop)).toEqual([5, 2]);
    expect((await once(() => ask('update', keys[1]!, { id }))).id).toBe(id);
    const token = await tokenFor(stoa, shop, id);
    const done = await once(() => ask('complete', keys[2]!, { id, token }));
    expect([done.id, done.status]).toEqual([id, 'completed']);
    await eventually(async () => {
      const { orders } = (await shop.merchant.test('GET', '/v1/orders')).body;
      expect(orders).toMatchObject([{ id: done.order.id, payment_status: 'paid', amount_due: 0 }]);
      const { payments } = (await shop.merchant.test('GET', '/v1/payments')).body;
      expect(payments).toMatchObject([{ status: 'succeeded', amount: orders[0].total_amount, amount_refunded: 0 }]);
      expect(await stockLevelOf(shop)).toEqual([3, 0]);
    });
    const second = await once(() => ask('create', keys[3]!));
    expect((await once(() => ask('cancel', keys[4]!, { id: second.id }))).status).toBe('canceled');
    await eventually(async () => expect(await stockLevelOf(shop)).toEqual([3, 0]));
    expect((await shop.merchant.test('GET', '/v1/agent/checkout-intents')).body.data).toHaveLength(2);
  });

  test.each<Operation>(['update', 'complete', 'cancel'])(
    'a second %s while the first runs is told to come again',
    async (operation) => {
      const shop = await openShop(stoa);
      const ask = protocolCallers[protocol]!(shop);
      const { id } = (await ask('create', randomUUID())).checkout;
      const token = await tokenFor(stoa, shop, id);
      const key = randomUUID();
      const asked: Promise<Answer>[] = [];
      await stoa.services.runtime.postgres.transaction(async ({ sql }) => {
        await sql`select from agent.intent where id = ${id} for update`;
        asked.push(...[0, 1].map(() => ask(operation, key, { id, token })));
        const early = await Promise.race(asked);
        expect(isInFlight(early), `${early.status} ${JSON.stringify(early.document)}`).toBe(true);
      });
      const answers = await Promise.all(asked);
      expect(answers.filter(({ checkout }) => checkout !== null)).toHaveLength(1);
      const [first] = answers.filter(({ checkout }) => checkout !== null);
      expect((await ask(operation, key, { id, token })).checkout).toEqual(first!.checkout);
    },
  );
});
