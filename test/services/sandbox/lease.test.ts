// The lease on a sandbox: it ends after every failure, and the next holder starts where the last one ended.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isWriteBlocked, withFirstUpdateBlocked } from '#test/support/blocked_write.ts';
import { refuseWrites } from '#test/support/refused_write.ts';
import { eventually, freshDatabase, freshNamespace, type TestDatabase } from '#test/support/server.ts';
import { type Keys, type Reply, type Stoa, startStoa } from '#test/support/stoa.ts';

let database: TestDatabase;
let stoa: Stoa;
let beside: Stoa;
beforeAll(async () => {
  database = await freshDatabase();
  const shared = { databaseUrl: database.url, namespace: freshNamespace() };
  stoa = await startStoa(shared);
  beside = await startStoa(shared);
});
afterAll(async () => {
  await beside?.stop();
  await stoa?.stop();
  await database?.drop();
});

const DAY_S = 86_400;
const RESET = '/v1/sandbox/reset';
const TRAVEL = '/v1/sandbox/time-travel';

const postgres = () => stoa.services.runtime.postgres;
const send = (host: Stoa, { secret_test_key: key }: Keys, path: string, body: unknown, name?: string): Promise<Reply> =>
  host.send('POST', path, { key, body, headers: name === undefined ? {} : { 'Idempotency-Key': name } });
const reset = (keys: Keys) => send(stoa, keys, RESET, {});
const travel = (host: Stoa, keys: Keys, days: number, name?: string) =>
  send(host, keys, TRAVEL, { advance_seconds: days * DAY_S }, name);
const daysAhead = async (host: Stoa, { secret_test_key: key }: Keys): Promise<number> =>
  Math.round((await host.send('GET', '/v1/sandbox/clock', { key })).body.offset_seconds / DAY_S);

const isHeld = async ({ store_id: store }: Keys): Promise<boolean> =>
  (await postgres().sql`select from runtime.sandbox where store = ${store} and holder is not null`).length > 0;

describe('its caller', () => {
  test('reports the first problem even if the lease cannot be ended yet, and retries ending it', async () => {
    const keys = await stoa.createStore();
    const shutting = await refuseWrites(
      postgres(),
      'update on runtime.sandbox',
      keys,
      'lock_not_available',
      'new.shut and not old.shut',
    );
    const lettingGo = await refuseWrites(
      postgres(),
      'update on runtime.sandbox',
      keys,
      'raise_exception',
      'new.holder is null and old.holder is not null',
    );
    try {
      expect((await reset(keys)).status).toBe(503);
      expect(await isHeld(keys)).toBe(true);
    } finally {
      await shutting();
      await lettingGo();
    }
    await eventually(async () => expect(await isHeld(keys)).toBe(false));
    expect((await reset(keys)).status).toBe(200);
  });

  test('ends its lease once Postgres accepts it', async () => {
    const keys = await stoa.createStore();
    const ending = await refuseWrites(
      postgres(),
      'update on runtime.sandbox',
      keys,
      'raise_exception',
      'new.holder is null',
    );
    try {
      expect((await reset(keys)).status).toBe(500);
      expect(await isHeld(keys)).toBe(true);
    } finally {
      await ending();
    }
    await eventually(async () => expect((await reset(keys)).status).toBe(200));
  });

  test('ends its lease after a commit with unknown outcome', async () => {
    const keys = await stoa.createStore();
    const { sql } = postgres();
    await sql.unsafe(`
      create or replace function cut() returns trigger language plpgsql as
        'begin perform pg_terminate_backend(pg_backend_pid()); return null; end';
      create constraint trigger cut after insert on runtime.idempotency deferrable initially deferred for each row
        when (new.store = '${keys.store_id}') execute function cut()`);
    try {
      expect((await travel(stoa, keys, 1, 'cut')).status).toBe(500);
    } finally {
      await eventually(() => sql.unsafe('drop trigger cut on runtime.idempotency'));
    }
    await eventually(async () => expect(await isHeld(keys)).toBe(false));
    expect(await daysAhead(stoa, keys)).toBe(0);
    expect((await travel(stoa, keys, 1, 'cut')).status).toBe(200);
    for (const host of [stoa, beside]) await eventually(async () => expect(await daysAhead(host, keys)).toBe(1));
  });

  test('clears and opens nothing after another call has taken the sandbox', async () => {
    const keys = await stoa.createStore();
    const { secret_test_key: key, store_id: store } = keys;
    expect((await stoa.send('POST', '/v1/products', { key, body: { name: 'Lamp', price: 10 } })).status).toBe(201);
    const { sql } = postgres();
    const ofAnother = () => sql`select from runtime.sandbox where store = ${store} and holder is not null and shut`;
    await withFirstUpdateBlocked(postgres(), 'runtime.sandbox', 'set shut = true', async (release) => {
      const resetting = send(stoa, keys, RESET, {}, 'still');
      await eventually(async () => expect(await isWriteBlocked(postgres())).toBe(true));
      await sql`
        update runtime.sandbox set holder = ${randomUUID()}, leased_until = now() + interval '1 hour', shut = true
        where store = ${store}`;
      release();
      expect((await resetting).status).toBe(500);
    });
    expect(await ofAnother()).toHaveLength(1);
    expect(await sql`select from catalog.product where store = ${store}`).toHaveLength(1);
    // The other holder is gone: its lease has expired.
    await sql`update runtime.sandbox set leased_until = now() where store = ${store}`;
    await eventually(async () => expect((await send(beside, keys, RESET, {}, 'still')).status).toBe(200));
    expect(await sql`select from catalog.product where store = ${store}`).toHaveLength(0);
  });

  test.each([
    ['neither way', {}],
    ['both ways', { advance_seconds: 5, to: '2999-01-01T00:00:00Z' }],
    ['the past', { to: '2001-01-01T00:00:00Z' }],
    ['a moment too far', { to: '2999-01-01T00:00:00Z' }],
  ])('leaves nothing behind where a jump is refused: %s', async (_name, body) => {
    const keys = await stoa.createStore();
    expect((await send(stoa, keys, TRAVEL, body, 'refused')).status).toBe(400);
    expect(await isHeld(keys)).toBe(false);
    expect((await travel(stoa, keys, 1)).status).toBe(200);
    expect((await send(stoa, keys, TRAVEL, body)).status).toBe(400);
    expect(await isHeld(keys)).toBe(false);
  });

  test('holds the lease for as long as clearing takes', { timeout: 120_000 }, async () => {
    const keys = await stoa.createStore();
    const { secret_test_key: key } = keys;
    const made = [
      stoa.send('POST', '/v1/products', { key, body: { name: 'Lamp', price: 10 } }),
      stoa.send('POST', '/v1/categories', { key, body: { name: 'Lamps' } }),
    ];
    for (const { status } of await Promise.all(made)) expect(status).toBe(201);
    const { sql } = postgres();
    // Publishing writes rows meanwhile, so that clearing needs a later snapshot.
    await eventually(async () =>
      expect(await sql`select from runtime.outbox where store = ${keys.store_id}`).toHaveLength(0),
    );
    // Longer than a lease lasts that is not renewed.
    const tables = ['catalog.product', 'catalog.variant', 'catalog.inventory', 'catalog.category'];
    await sql.unsafe(`
      create or replace function linger() returns trigger language plpgsql as
        'begin perform pg_sleep(2.6); return old; end'`);
    for (const table of tables)
      await sql.unsafe(`
        create trigger linger before delete on ${table} for each row
          when (old.store = '${keys.store_id}') execute function linger()`);
    const statuses = new Set<number>();
    let done = false;
    const resetting = send(stoa, keys, RESET, {}, 'long').finally(() => (done = true));
    await eventually(async () => expect(await isHeld(keys)).toBe(true));
    while (!done) {
      statuses.add((await travel(beside, keys, 1)).status);
      await Bun.sleep(100);
    }
    expect((await resetting).status).toBe(200);
    statuses.delete(200);
    expect([...statuses]).toEqual([409]);
    for (const table of tables) await sql.unsafe(`drop trigger linger on ${table}`);
    expect((await stoa.send('GET', '/v1/products', { key })).body.products).toEqual([]);
    expect((await reset(keys)).status).toBe(200);
  });
});

/** On a busy machine a blocked statement may time out: the caller retries. */
const unlessAway = async (ask: () => Promise<Reply>): Promise<Reply> => {
  const reply = await ask();
  return reply.status === 503 ? unlessAway(ask) : reply;
};

/** The answers of two hosts, the second of which gets the sandbox first. */
const overtaking = async (
  first: (host: Stoa) => Promise<Reply>,
  second: (host: Stoa) => Promise<Reply>,
): Promise<readonly Reply[]> => {
  const answers: Reply[] = [];
  await withFirstUpdateBlocked(postgres(), 'runtime.sandbox', 'set holder =', async (release) => {
    const overtaken = unlessAway(() => first(beside));
    await eventually(async () => expect(await isWriteBlocked(postgres())).toBe(true));
    answers.push(await second(stoa));
    release();
    answers.push(await overtaken);
  });
  return answers;
};

describe('one that comes to it after another', () => {
  test.each([
    { path: RESET, body: {}, ahead: 0 },
    { path: TRAVEL, body: { advance_seconds: DAY_S }, ahead: 1 },
    { path: TRAVEL, body: { advance_seconds: 2 * DAY_S }, ahead: 2 },
  ])('$path $body of the same key is answered as that one, and holds nothing', async ({ path, body, ahead }) => {
    const keys = await stoa.createStore();
    const once = (host: Stoa) => send(host, keys, path, body, 'once');
    const [answer, again] = await overtaking(once, once);
    expect(answer!.status, answer!.text).toBe(200);
    expect(again!.body).toEqual({ ...answer!.body, idempotent: true });
    expect(await isHeld(keys)).toBe(false);
    for (const host of [stoa, beside]) expect(await daysAhead(host, keys)).toBe(ahead);
    expect((await reset(keys)).status).toBe(200);
  });

  test('continues from the previous holder’s time by its full duration', async () => {
    const keys = await stoa.createStore();
    const answers = await overtaking(
      (host) => travel(host, keys, 1),
      (host) => travel(host, keys, 10),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(await daysAhead(beside, keys)).toBe(11);
  });

  test('continues even though its host missed the notice', async () => {
    const keys = await stoa.createStore();
    expect((await travel(stoa, keys, 1)).status).toBe(200);
    await eventually(async () => expect(await daysAhead(beside, keys)).toBe(1));
    beside.services.runtime.clock.setOffset({ store: keys.store_id, environment: 'sandbox' }, 0);
    expect((await travel(beside, keys, 1)).status).toBe(200);
    expect(await daysAhead(beside, keys)).toBe(2);
  });

  test('refuses a time that is past by then, and holds no lease', async () => {
    const keys = await stoa.createStore();
    const to = new Date(Date.now() + DAY_S * 1_000).toISOString();
    const [, late] = await overtaking(
      (host) => send(host, keys, TRAVEL, { to }, 'late'),
      (host) => travel(host, keys, 10),
    );
    expect([late!.status, late!.body.error.param]).toEqual([400, 'to']);
    expect(await isHeld(keys)).toBe(false);
    for (const host of [stoa, beside]) expect(await daysAhead(host, keys)).toBe(10);
  });

  test('leaves the clock unchanged when a reset is retried after a clock advance', async () => {
    const keys = await stoa.createStore();
    const ending = await refuseWrites(
      postgres(),
      'update on runtime.sandbox',
      keys,
      'raise_exception',
      'new.holder is null',
    );
    try {
      expect((await send(stoa, keys, RESET, {}, 'cleared')).status).toBe(500);
    } finally {
      await ending();
    }
    await eventually(async () => expect((await travel(stoa, keys, 5)).status).toBe(200));
    const retried = await send(beside, keys, RESET, {}, 'cleared');
    expect(retried.status, retried.text).toBe(200);
    expect(new Date(retried.body.now).getTime()).toBeGreaterThan(Date.now() + 4 * DAY_S * 1_000);
    for (const host of [stoa, beside]) expect(await daysAhead(host, keys)).toBe(5);
  });
});

describe('of many who come at once, over two hosts,', () => {
  const CALLERS = 16;
  const hosts = (at: number): Stoa => (at % 2 ? beside : stoa);
  /** Retries as long as the answer says so. */
  const patiently = async (ask: () => Promise<Reply>): Promise<Reply> => {
    for (;;) {
      const reply = await ask();
      if (reply.status !== 409) return reply;
      await Bun.sleep(Math.random() * 50);
    }
  };

  test.each([1, 3])('makes one advance for many calls with one key: %i days', { timeout: 120_000 }, async (days) => {
    const keys = await stoa.createStore();
    for (const round of [1, 2, 3]) {
      const asked = Array.from({ length: CALLERS }, (_, at) =>
        patiently(() => travel(hosts(at), keys, days, `round-${round}`)),
      );
      const replies = await Promise.all(asked);
      expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200));
      expect(new Set(replies.map(({ body }) => body.now)).size).toBe(1);
      expect(replies.filter(({ body }) => body.idempotent !== true)).toHaveLength(1);
      for (const host of [stoa, beside])
        await eventually(async () => expect(await daysAhead(host, keys)).toBe(round * days));
    }
    expect(await isHeld(keys)).toBe(false);
  });

  test('makes an advance for each of many keys', { timeout: 120_000 }, async () => {
    const keys = await stoa.createStore();
    const asked = Array.from({ length: CALLERS }, (_, at) =>
      patiently(() => travel(hosts(at), keys, 1, `caller-${at}`)),
    );
    const replies = await Promise.all(asked);
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200));
    for (const host of [stoa, beside]) await eventually(async () => expect(await daysAhead(host, keys)).toBe(CALLERS));
    expect(await isHeld(keys)).toBe(false);
  });
});
