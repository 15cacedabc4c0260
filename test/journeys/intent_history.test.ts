// Random histories of checkout intents on two hosts whose database refuses a part of the writes: begun, changed, cancelled and
// ordered, each request several times at once under its key. In the end an intent holds exactly its pieces, and nothing else does.
// STOA_HISTORIES tries another number of them, STOA_SEED another course of things.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CheckoutIntent } from '#proto/gen/agent.ts';
import type { StoreOrder } from '#proto/gen/order.ts';
import { type Member, openMember } from '#test/support/marketplace.ts';
import { ok } from '#test/support/reply.ts';
import { freshDatabase, freshNamespace, type TestDatabase } from '#test/support/server.ts';
import { type Reply, type Stoa, sendTo, startStoa } from '#test/support/stoa.ts';

const HISTORIES = Number(process.env.STOA_HISTORIES ?? 3);
const SEED = Number(process.env.STOA_SEED ?? Date.now() % 1_000_000_000);
const CLIENTS = 10;
const STEPS = 8;
const VARIANTS = 3;
/** So few that some find too little. */
const STOCK = 30;
const COPIES_MAX = 4;
const LATE_MS_MAX = 20;
/** Share of refused writes. */
const REFUSED = 0.15;
const WRITTEN = ['agent.intent', 'agent.draft', 'orders.decision', 'runtime.idempotency'];
const INTENTS = '/v1/agent/checkout-intents';
const DRAFTS = '/v1/agent/cart-drafts';
const ORDERS = '/v1/orders';

let database: TestDatabase;
let hosts: readonly Stoa[];
beforeAll(async () => {
  database = await freshDatabase();
  const shared = { databaseUrl: database.url, namespace: freshNamespace() };
  hosts = [await startStoa(shared), await startStoa(shared)];
});
afterAll(async () => {
  for (const host of hosts ?? []) await host.stop();
  await database?.drop();
});

/** A whole number from 0 on, below another one. */
type Draw = (below: number) => number;

const drawFrom = (seed: number): Draw => {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
};

/** Delays the store's writes and refuses some, until the returned function is called. */
const troubled = async ({ store }: Member): Promise<() => Promise<void>> => {
  const { sql } = hosts[0]!.services.runtime.postgres;
  await sql.unsafe(`
    create or replace function trouble() returns trigger language plpgsql as $$ begin
      perform pg_sleep(random() * ${LATE_MS_MAX / 1_000});
      if random() < ${REFUSED} then raise lock_not_available; end if;
      return new;
    end $$`);
  for (const table of WRITTEN)
    await sql.unsafe(`
      create trigger trouble before insert or update on ${table} for each row
        when (new.store = '${store}') execute function trouble()`);
  return async () => {
    for (const table of WRITTEN) await sql.unsafe(`drop trigger trouble on ${table}`);
  };
};

const idOf = ({ body }: Reply): string => (body.data ?? body.order).id;

/** Runs many clients at once. Returns the ids of acknowledged intents. */
const happen = async (member: Member, draw: Draw): Promise<ReadonlySet<string>> => {
  const { secret_test_key: key, hmac_test_secret: signWith } = member.keys;
  const acknowledged = new Set<string>();
  let count = 0;
  /** Several times at once, here and there; null: it came to nothing. */
  const ask = async (method: string, path: string, body: object = {}): Promise<string | null> => {
    const headers = { 'Idempotency-Key': `key ${count++}` };
    const options = { key, body, headers, ...(path === ORDERS && { signWith }) };
    const copies = Array.from({ length: 1 + draw(COPIES_MAX) }, async () => {
      const host = hosts[draw(hosts.length)]!;
      await Bun.sleep(draw(LATE_MS_MAX));
      return sendTo(host.url, method, path, options);
    });
    const replies = await Promise.all(copies);
    for (const { status, text } of replies) expect([200, 201, 409, 503], text).toContain(status);
    const ids = new Set(replies.filter(({ status }) => status < 300).map(idOf));
    expect(ids.size).toBeLessThanOrEqual(1);
    for (const id of ids) acknowledged.add(id);
    return [...ids][0] ?? null;
  };
  const items = () => {
    const first = draw(VARIANTS);
    const both = draw(3) === 0 ? [first, (first + 1) % VARIANTS] : [first];
    return both.map((at) => ({ variant_id: member.variants[at]!, quantity: 1 + draw(3) }));
  };
  const email = 'ada@example.com';
  const intents: string[] = [];
  const begin = async (intentInput: object): Promise<void> => {
    const id = await ask('POST', INTENTS, { email, ...intentInput });
    if (id) intents.push(id);
  };
  const beginFromCart = async (): Promise<void> => {
    const cart = await ask('POST', DRAFTS, { items: items() });
    const changes = [{ email }, { items: items() }];
    if (cart)
      await Promise.all([
        begin({ cart_draft_id: cart }),
        ...changes.map((change) => ask('PATCH', `${DRAFTS}/${cart}`, change)),
      ]);
  };
  const step = async (): Promise<unknown> => {
    const id = intents[draw(intents.length)];
    const way = draw(10);
    if (!id || way < 3) return begin({ items: items() });
    if (way < 5) return beginFromCart();
    if (way < 8) return ask('PATCH', `${INTENTS}/${id}`, { items: items() });
    if (way < 9) return ask('POST', `${INTENTS}/${id}/cancel`);
    return ask('POST', ORDERS, draw(2) === 0 ? { checkout_intent_id: id } : { items: items(), email });
  };
  const client = async (): Promise<void> => {
    for (let steps = 0; steps < STEPS; steps++) await step();
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  return acknowledged;
};

/** Pieces of a variant in these lists of lines. */
const piecesOf = (
  variant: string,
  lists: readonly (readonly { readonly variant_id: string; readonly quantity: number }[])[],
): number => lists.flat().reduce((sum, line) => sum + (line.variant_id === variant ? line.quantity : 0), 0);

test('holds exactly an intent’s stock through any history', {
  timeout: 600_000,
}, async () => {
  for (let at = 0; at < HISTORIES; at++) {
    const seed = SEED + at;
    const member = await openMember(hosts[0]!, { stock: STOCK, variants: VARIANTS });
    const calm = await troubled(member);
    const acknowledged = await happen(member, drawFrom(seed)).finally(calm);
    const intents: CheckoutIntent[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { body } = await member.send(
        'GET',
        `${INTENTS}?limit=100${cursor && `&cursor=${encodeURIComponent(cursor)}`}`,
      );
      intents.push(...body.data);
      cursor = body.pagination.next_cursor;
    }
    const orders: StoreOrder[] = (await member.send('GET', `${ORDERS}?limit=100`)).body.orders;
    const { sql, ask } = { ...hosts[0]!.services.runtime.postgres, ...hosts[0]!.services.runtime };
    const drafts = await sql<{ id: string }[]>`select id from agent.draft where store = ${member.store}`;
    const stored = new Set([...intents, ...orders, ...drafts].map(({ id }) => id));
    expect(acknowledged.difference(stored), `seed ${seed}`).toEqual(new Set());
    const open = intents.filter(({ status }) => status === 'open' || status === 'ready');
    const tenant = { store: member.store, environment: 'sandbox' } as const;
    const { levels } = ok(await ask('Stock/LookAtStock', tenant, { variant_ids: [...member.variants] }));
    for (const { variant_id, on_hand, held } of levels) {
      const sold = piecesOf(
        variant_id,
        orders.map(({ items }) => items),
      );
      const promised = piecesOf(
        variant_id,
        open.map(({ lines }) => lines),
      );
      expect([on_hand, held], `seed ${seed}`).toEqual([STOCK - sold, promised]);
      expect(promised, `seed ${seed}`).toBeLessThanOrEqual(on_hand);
    }
  }
});
