// Races of a checkout intent: other bodies under its key, changes of its cart, and its own changes.
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Member, openMember } from '#test/support/marketplace.ts';
import { refuseWrites } from '#test/support/refused_write.ts';
import { type Reply, type Stoa, sharedStoa } from '#test/support/stoa.ts';

let stoa: Stoa;
beforeAll(async () => {
  stoa = await sharedStoa();
});

const STOCK = 100;
const CALLERS = 10;
/** More calls than database connections. */
const CROWD = 64;

const items = ({ variants }: Member, quantity: number) => [{ variant_id: variants[0], quantity }];
const begin = ({ send }: Member, body: object, headers = {}): Promise<Reply> =>
  send('POST', '/v1/agent/checkout-intents', body, headers);
const listed = async ({ send }: Member) => (await send('GET', '/v1/agent/checkout-intents?limit=100')).body.data;

describe('one key with many concurrent bodies', () => {
  test('creates one intent, and losers release their shares before they are answered', async () => {
    for (let turn = 0; turn < 5; turn++) {
      const member = await openMember(stoa, { stock: STOCK });
      const headers = { 'Idempotency-Key': randomUUID() };
      const replies = await Promise.all(
        Array.from({ length: CALLERS }, (_, at) => begin(member, { items: items(member, at + 1) }, headers)),
      );
      const created = replies.flatMap(({ status }, at) => (status === 201 ? [at + 1] : []));
      expect(created).toHaveLength(1);
      for (const { status, body } of replies.filter((reply) => reply.status !== 201)) {
        expect(status).toBe(409);
        expect(['conflict', 'idempotency_conflict']).toContain(body.error.code);
      }
      expect(await member.level()).toMatchObject({ on_hand: STOCK, available: STOCK - created[0]! });
      expect(await listed(member)).toMatchObject([{ lines: [{ quantity: created[0] }] }]);
    }
  });

  test('places one order of one intent, and holds no other body’s units', async () => {
    const member = await openMember(stoa, { stock: STOCK });
    const created = await Promise.all(
      Array.from({ length: CALLERS }, (_, at) => begin(member, { items: items(member, at + 1), email: 'a@b.example' })),
    );
    const held = created.reduce((sum, _, at) => sum + at + 1, 0);
    expect(await member.level()).toMatchObject({ on_hand: STOCK, available: STOCK - held });
    const headers = { 'Idempotency-Key': randomUUID() };
    const replies = await Promise.all(
      created.map(({ body }) => member.sign('POST', '/v1/orders', { checkout_intent_id: body.data.id }, headers)),
    );
    const sold = replies.flatMap(({ status }, at) => (status === 201 ? [at + 1] : []));
    expect(sold).toHaveLength(1);
    // The other bodies' intents stay open with their holds.
    expect(await member.level()).toMatchObject({ on_hand: STOCK - sold[0]!, available: STOCK - held });
    const statuses = (await listed(member)).map(({ status }: { status: string }) => status);
    expect(statuses.filter((status: string) => status === 'ready')).toHaveLength(CALLERS - 1);
  });
});

describe('one key with many concurrent repetitions', () => {
  test.each([
    ['insert on agent.intent', 'lock_not_available'],
    ['insert on runtime.idempotency', 'lock_not_available'],
    ['insert on agent.intent', 'admin_shutdown'],
  ])('of which the first cannot write (%s, %s) is one intent with all that it says held', async (write, error) => {
    const { postgres } = stoa.services.runtime;
    await postgres.sql`create sequence if not exists public.write_of_a_key`;
    for (let turn = 0; turn < 5; turn++) {
      const member = await openMember(stoa, { stock: STOCK });
      await postgres.sql`alter sequence public.write_of_a_key restart`;
      const first = `nextval('public.write_of_a_key') = 1`;
      const takesAgain = await refuseWrites(postgres, write, member.keys, error, first);
      const headers = { 'Idempotency-Key': randomUUID() };
      const replies = await Promise.all(
        Array.from({ length: 4 }, () => begin(member, { items: items(member, 5) }, headers)),
      );
      await takesAgain();
      for (const { status } of replies) expect([201, 409, 503]).toContain(status);
      const { status, body, text } = await begin(member, { items: items(member, 5) }, headers);
      expect(status, text).toBe(201);
      for (const reply of replies) if (reply.status === 201) expect(reply.body.data.id).toBe(body.data.id);
      expect(await listed(member)).toMatchObject([{ id: body.data.id, lines: [{ quantity: 5 }] }]);
      expect(await member.level()).toMatchObject({ held: 5, available: STOCK - 5 });
    }
  });
});

test('one key many times at once, from a cart that changes meanwhile, is one intent with all that it says held', async () => {
  for (let turn = 0; turn < 20; turn++) {
    const member = await openMember(stoa, { stock: STOCK });
    const { id } = (await member.send('POST', '/v1/agent/cart-drafts', { items: items(member, 5) })).body.data;
    const headers = { 'Idempotency-Key': randomUUID() };
    const start = () => begin(member, { cart_draft_id: id }, headers);
    const note = (at: number) => member.send('PATCH', `/v1/agent/cart-drafts/${id}`, { email: `a${at}@b.example` });
    const created = await Promise.all(
      Array.from({ length: 6 }, async (_, at) => {
        await Bun.sleep(at * 3);
        return at % 2 === 0 ? start() : note(at);
      }),
    );
    if (process.env.SHOW) console.log(created.map(({ status }) => status).join());
    const { status, body, text } = await start();
    expect(status, text).toBe(201);
    expect(await listed(member)).toMatchObject([{ id: body.data.id, lines: [{ quantity: 5 }] }]);
    expect(await member.level()).toMatchObject({ held: 5, available: STOCK - 5 });
  }
});

test('a line that is too many, or of nothing, is named as the body has it, however often others stand before it', async () => {
  const member = await openMember(stoa, { stock: STOCK });
  const other = await member.send('POST', '/v1/products', { name: 'Cup', price: 1, stock: 3 });
  const line = (variant_id: string, quantity: number) => ({ variant_id, quantity });
  const [first, second] = [member.variants[0]!, other.body.variant_id];
  const before = [line(first, 1), line(first, 2), line(first.toUpperCase(), 3)];
  const { id } = (await begin(member, { items: [line(first, 1)] })).body.data;
  for (const [wrong, status, param] of [
    [line(second, 9), 409, 'items[3].quantity'],
    [line(randomUUID(), 1), 404, 'items[3].variant_id'],
  ] as const) {
    const body = { items: [...before, wrong] };
    for (const reply of [
      await begin(member, body),
      await member.send('PATCH', `/v1/agent/checkout-intents/${id}`, body),
    ])
      expect([reply.status, reply.body.error.param], reply.text).toEqual([status, param]);
  }
  const changed = await member.send('PATCH', `/v1/agent/checkout-intents/${id}`, { items: before });
  expect(changed.body.data.lines).toMatchObject([{ variant_id: first, quantity: 6 }]);
  expect(await member.level()).toMatchObject({ available: STOCK - 6 });
});

describe('a change of lines', () => {
  const opened = async (quantity: number) => {
    const member = await openMember(stoa, { stock: STOCK });
    const { id } = (await begin(member, { items: items(member, quantity) })).body.data;
    const path = `/v1/agent/checkout-intents/${id}`;
    const change = (wanted: number): Promise<Reply> =>
      member.send('PATCH', path, { items: items(member, wanted) }, { 'Idempotency-Key': randomUUID() });
    return { member, change, quantity: async () => (await member.send('GET', path)).body.data.lines[0].quantity };
  };

  test.each([3, 7])('rolled back to %i keeps the held units', async (wanted) => {
    const { member, change, quantity } = await opened(5);
    const { postgres } = stoa.services.runtime;
    const takesAgain = await refuseWrites(postgres, 'insert on runtime.idempotency', member.keys, 'lock_not_available');
    try {
      expect((await change(wanted)).status).toBe(503);
    } finally {
      await takesAgain();
    }
    expect(await quantity()).toBe(5);
    expect(await member.level()).toMatchObject({ held: 5, available: STOCK - 5 });
    expect((await change(wanted)).status).toBe(200);
    expect(await member.level()).toMatchObject({ held: wanted, available: STOCK - wanted });
  });

  test('made many times at once leaves as many held as it says in the end', async () => {
    const { member, change, quantity } = await opened(CROWD / 2);
    const replies = await Promise.all(Array.from({ length: CROWD }, (_, at) => change(at + 1)));
    const refused = replies.filter(({ status }) => status !== 200);
    // A busy host may answer 503: the number held at the end shows which changes were made.
    for (const { body } of refused) expect(body.error.code).toBeOneOf(['conflict', 'service_unavailable']);
    const left = await quantity();
    expect(await member.level()).toMatchObject({ held: left, available: STOCK - left });
  });
});

describe('an intent that ends during a change of its lines', () => {
  test.each(['cancelled', 'ordered'] as const)('%s meanwhile leaves nothing held', async (end) => {
    for (let turn = 0; turn < 8; turn++) {
      const member = await openMember(stoa, { stock: STOCK, variants: 2 });
      const [first, second] = member.variants;
      const wanted = { items: [{ variant_id: first, quantity: 3 }], email: 'a@b.example' };
      const { id } = (await begin(member, wanted)).body.data;
      const path = `/v1/agent/checkout-intents/${id}`;
      const ends = {
        cancelled: () => member.send('POST', `${path}/cancel`),
        ordered: () => member.sign('POST', '/v1/orders', { checkout_intent_id: id }),
      };
      const over = async (): Promise<void> => {
        await Bun.sleep(turn);
        while ((await ends[end]()).status >= 300) await Bun.sleep(1);
      };
      await Promise.all([member.send('PATCH', path, { items: [{ variant_id: second, quantity: 1 }] }), over()]);
      for (const variant of member.variants) expect(await member.level(variant)).toMatchObject({ held: 0 });
    }
  });
});

describe('a cart draft that changes while it becomes an intent', () => {
  test('loses no change that was acknowledged: it stands in the intent, or the draft is still open', async () => {
    for (let turn = 0; turn < 8; turn++) {
      const member = await openMember(stoa, { stock: STOCK });
      const made = await member.send('POST', '/v1/agent/cart-drafts', { items: items(member, 1) });
      const { id } = made.body.data;
      const change = (quantity: number) =>
        member.send('PATCH', `/v1/agent/cart-drafts/${id}`, { items: items(member, quantity) });
      const [created, ...changes] = await Promise.all([
        begin(member, { cart_draft_id: id }),
        ...Array.from({ length: 6 }, (_, at) => change(at + 2)),
      ]);
      for (const { status, text } of changes) expect([200, 409], text).toContain(status);
      const draft = (await member.send('GET', `/v1/agent/cart-drafts/${id}`)).body.data;
      const retained = changes.flatMap(({ status }, at) => (status === 200 ? [at + 2] : []));
      const [{ quantity }] = draft.items;
      expect([1, ...retained]).toContain(quantity);
      if (retained.length > 0) expect(retained).toContain(quantity);
      if (created!.status === 201) {
        expect([draft.status, created!.body.data.lines[0].quantity]).toEqual(['converted', quantity]);
        expect(await member.level()).toMatchObject({ available: STOCK - quantity });
      } else {
        expect([created!.status, draft.status]).toEqual([409, 'open']);
        expect(await member.level()).toMatchObject({ available: STOCK });
      }
    }
  });
});
