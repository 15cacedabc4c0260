// Who holds a sandbox lets it go, whatever went wrong, and who comes next begins where they ended.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { firstHalted, isHalted } from '#test/support/halt.ts';
import { refusing } from '#test/support/refusal.ts';
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

const postgres = () => stoa.services.foundation.postgres;
const reset = ({ secret_test_key: key }: Keys) => stoa.send('POST', '/v1/sandbox/reset', { key, body: {} });

const isHeld = async ({ store_id: store }: Keys): Promise<boolean> =>
  (await postgres().sql`select from sandbox.clock where store = ${store} and busy is not null`).length > 0;

test('its caller hears of the first problem though the sandbox cannot be let go, which is tried again', async () => {
  const keys = await stoa.createStore();
  const shutting = await refusing(postgres(), 'insert on runtime.renewal', keys, 'lock_not_available');
  const lettingGo = await refusing(postgres(), 'update on sandbox.clock', keys, 'raise_exception', 'new.busy is null');
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

test('it is held no longer than its lease lasts where the end of it cannot be written down', async () => {
  const keys = await stoa.createStore();
  const ending = await refusing(postgres(), 'update on sandbox.clock', keys, 'raise_exception', 'new.busy is null');
  try {
    expect((await reset(keys)).status).toBe(500);
  } finally {
    await ending();
  }
  await eventually(async () => expect((await reset(keys)).status).toBe(200));
});

const DAY_S = 86_400;
const RESET = '/v1/sandbox/reset';
const TRAVEL = '/v1/sandbox/time-travel';
const daysAhead = async (host: Stoa, { secret_test_key: key }: Keys): Promise<number> =>
  Math.round((await host.send('GET', '/v1/sandbox/clock', { key })).body.offset_seconds / DAY_S);
const travel = (host: Stoa, { secret_test_key: key }: Keys, days: number): Promise<Reply> =>
  host.send('POST', TRAVEL, { key, body: { advance_seconds: days * DAY_S } });

/** What two hosts answer, of which the one that is asked first comes to the sandbox once the other has had it. */
const overtaking = async (
  first: (host: Stoa) => Promise<Reply>,
  second: (host: Stoa) => Promise<Reply>,
): Promise<readonly Reply[]> => {
  const answers: Reply[] = [];
  await firstHalted(postgres(), 'sandbox.clock', async (release) => {
    const overtaken = first(beside);
    await eventually(async () => expect(await isHalted(postgres())).toBe(true));
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
  ])('$path of the same key is answered as that one, and holds nothing', async ({ path, body, ahead }) => {
    const keys = await stoa.createStore();
    const sent = { key: keys.secret_test_key, body, headers: { 'Idempotency-Key': 'once' } };
    const send = (host: Stoa) => host.send('POST', path, sent);
    const [answer, again] = await overtaking(send, send);
    expect(answer!.status, answer!.text).toBe(200);
    expect(again!.body).toEqual({ ...answer!.body, idempotent: true });
    for (const host of [stoa, beside]) expect(await daysAhead(host, keys)).toBe(ahead);
    expect((await reset(keys)).status).toBe(200);
  });

  test('goes on from there, by all that it wants', async () => {
    const keys = await stoa.createStore();
    const answers = await overtaking(
      (host) => travel(host, keys, 1),
      (host) => travel(host, keys, 10),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(await daysAhead(beside, keys)).toBe(11);
  });

  test('does so though its host has not heard of that', async () => {
    const keys = await stoa.createStore();
    expect((await travel(stoa, keys, 1)).status).toBe(200);
    await eventually(async () => expect(await daysAhead(beside, keys)).toBe(1));
    beside.services.foundation.clock.setOffset({ store: keys.store_id, environment: 'sandbox' }, 0);
    expect((await travel(beside, keys, 1)).status).toBe(200);
    expect(await daysAhead(beside, keys)).toBe(2);
  });
});
