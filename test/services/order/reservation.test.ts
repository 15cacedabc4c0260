// Concurrent attempts to place one order under one key: a hold that one attempt releases may already be sold by
// another.
import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { openMember } from '#test/support/marketplace.ts';
import { refuseWrites } from '#test/support/refused_write.ts';
import { type Stoa, sharedStoa } from '#test/support/stoa.ts';

let stoa: Stoa;
beforeAll(async () => {
  stoa = await sharedStoa();
});

const STOCK = 5;
const TRIES = 4;
/** Each refused attempt writes twice: in the shared transaction and in its own. */
const FAILING = 2;

test('keeps the hold of an order whose first attempt cannot write until a later attempt places it', async () => {
  const { postgres } = stoa.services.runtime;
  await postgres.sql`create sequence if not exists public.decision_of_a_key`;
  // The first is refused; those that come after it take their time.
  const first = `case nextval('public.decision_of_a_key') when 1 then true when ${FAILING} then true else pg_sleep(0.08) is null end`;
  const triedSoFar = async (): Promise<number> => {
    const [seen] = await postgres.sql<{ last: number }[]>`
      select case when is_called then last_value else 0 end as last from public.decision_of_a_key`;
    return seen!.last;
  };
  for (let turn = 0; turn < 5; turn++) {
    const member = await openMember(stoa, { stock: STOCK });
    const items = [{ variant_id: member.variants[0], quantity: STOCK }];
    await postgres.sql`alter sequence public.decision_of_a_key restart`;
    const takesAgain = await refuseWrites(
      postgres,
      'insert on orders.decision',
      member.keys,
      'lock_not_available',
      first,
    );
    const headers = { 'Idempotency-Key': randomUUID() };
    const order = () => member.sign('POST', '/v1/orders', { items, email: 'a@b.example' }, headers);
    const placements = Promise.all(Array.from({ length: TRIES }, order));
    let over = false;
    const promised: string[] = [];
    const asking = (async () => {
      while (!over && (await triedSoFar()) < FAILING) await Bun.sleep(1);
      while (!over) {
        const { status, body } = await member.send('POST', '/v1/agent/checkout-intents', { items });
        if (status === 201) promised.push(body.data.id);
        await Bun.sleep(2);
      }
    })();
    const replies = await placements.finally(() => (over = true));
    await asking;
    await takesAgain();
    const placed = replies.filter(({ status }) => status === 201).map(({ body }) => body.order.id);
    expect(new Set(placed).size, JSON.stringify(replies.map(({ text }) => text))).toBeLessThanOrEqual(1);
    expect(promised.length + new Set(placed).size).toBeLessThanOrEqual(1);
    const { on_hand, held } = await member.level();
    expect([on_hand, held]).toEqual(placed.length > 0 ? [0, 0] : [STOCK, promised.length * STOCK]);
  }
});
