// Holds of orders that are being placed: concurrent attempts under one key share one, and one may expire too early.
import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { isWriteBlocked, withFirstWriteBlocked } from '#test/support/blocked_write.ts';
import { openMember } from '#test/support/marketplace.ts';
import { refuseWrites } from '#test/support/refused_write.ts';
import { moveSandboxClock } from '#test/support/sandbox_clock.ts';
import { eventually } from '#test/support/server.ts';
import { type Reply, type Stoa, sharedStoa } from '#test/support/stoa.ts';

let stoa: Stoa;
beforeAll(async () => {
  stoa = await sharedStoa();
});

const MINUTE_MS = 60_000;
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

test('sells each unit once when a hold expires while its order is being committed', async () => {
  const { postgres } = stoa.services.runtime;
  const member = await openMember(stoa, { stock: STOCK });
  const items = [{ variant_id: member.variants[0], quantity: STOCK }];
  const replies: Reply[] = [];
  const promised: string[] = [];
  await withFirstWriteBlocked(postgres, 'orders.decision', async (release) => {
    const ordering = member.sign('POST', '/v1/orders', { items, email: 'a@b.example' });
    await eventually(async () => expect(await isWriteBlocked(postgres)).toBe(true));
    await moveSandboxClock(stoa.services.runtime, member.store, 2 * MINUTE_MS);
    const begin = () => member.send('POST', '/v1/agent/checkout-intents', { items, email: 'a@b.example' });
    for (const { status, body } of await Promise.all(Array.from({ length: TRIES }, begin)))
      if (status === 201) promised.push(body.data.id);
    release();
    replies.push(await ordering);
  });
  for (const id of promised) replies.push(await member.sign('POST', '/v1/orders', { checkout_intent_id: id }));
  const placed = replies.filter(({ status }) => status === 201).map(({ body }) => body.order.id);
  expect(placed, JSON.stringify(replies.map(({ text }) => text))).toHaveLength(1);
  expect((await member.orders()).map(({ id }: { id: string }) => id)).toEqual(placed);
  for (const id of promised) await member.send('POST', `/v1/agent/checkout-intents/${id}/cancel`);
  await eventually(async () => expect(await member.level()).toMatchObject({ on_hand: 0, held: 0, available: 0 }));
});
