// The HMAC secret of an environment is rotated without a stop: both secrets are accepted, with a way back.
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { NO_TENANT, Refusal } from '#runtime/call/call.ts';
import { eventually } from '#test/support/server.ts';
import { type Keys, type Stoa, sharedStoa } from '#test/support/stoa.ts';

const DAY_MS = 24 * 3_600_000;

let stoa: Stoa;
let keys: Keys;
beforeAll(async () => {
  stoa = await sharedStoa();
});
beforeEach(async () => {
  keys = await stoa.createStore();
});

const rotate = async (step: 'start' | 'undo' | 'finish', environment: 'production' | 'sandbox' = 'production') => {
  const input = { store: keys.code, environment, step };
  const answer = await stoa.services.runtime.ask('StoreAdmin/RotateHmacSecret', NO_TENANT, input);
  return answer instanceof Refusal ? answer.code : answer;
};
const started = async (): Promise<string> => {
  const answer = await rotate('start');
  if (typeof answer === 'string' || !answer.hmac_secret)
    throw new Error(`no secret was made: ${JSON.stringify(answer)}`);
  return answer.hmac_secret;
};
const push = async (signWith: string, key = keys.secret_key) =>
  (await stoa.send('POST', '/v1/ingestion/push', { key, signWith, body: { products: [] } })).status;

const acceptsOnly = async (accepted: string, refused: string): Promise<void> => {
  await eventually(async () => expect(await push(refused)).toBe(401));
  expect(await push(accepted)).toBe(202);
};

test('accepts both secrets from the answer on, and the new one alone after the finish', async () => {
  expect(await push(keys.hmac_secret)).toBe(202);
  const before = Date.now();
  const made = await started();
  expect([await push(made), await push(keys.hmac_secret)]).toEqual([202, 202]);
  const { runtime } = stoa.services;
  const status = await runtime.ask('StoreAdmin/GetHmacRotation', NO_TENANT, { store: keys.code });
  const until = status instanceof Refusal ? 0 : Date.parse(status.both_until ?? '');
  expect(until).toBeGreaterThanOrEqual(before + DAY_MS);
  expect(until).toBeLessThanOrEqual(Date.now() + DAY_MS);
  expect(await rotate('finish')).toEqual({ environment: 'production', hmac_secret: null, both_until: null });
  await acceptsOnly(made, keys.hmac_secret);
});

test('returns to the old secret while the new one still works, until the finish', async () => {
  const made = await started();
  expect(await rotate('undo')).toMatchObject({ hmac_secret: null, both_until: expect.any(String) });
  expect([await push(made), await push(keys.hmac_secret)]).toEqual([202, 202]);
  expect(await rotate('finish')).toMatchObject({ both_until: null });
  await acceptsOnly(keys.hmac_secret, made);
});

test('accepts the replaced secret no longer than its time', async () => {
  const made = await started();
  const { postgres } = stoa.services.runtime;
  await postgres.sql`
    update store.environment set previous_hmac_until = now() where store = ${keys.store_id} and environment = 'production'`;
  // Another change of the store makes hosts and edges read it again.
  await stoa.services.runtime.ask('StoreAdmin/SetPlan', NO_TENANT, { store: keys.code, plan: 'growth' });
  await acceptsOnly(made, keys.hmac_secret);
  expect(await rotate('undo')).toBe('conflict');
  expect(await rotate('finish')).toBe('conflict');
  const next = await started();
  expect([await push(next), await push(made)]).toEqual([202, 202]);
});

test('rotates once for twenty callers at once, and refuses the others', async () => {
  const answers = await Promise.all(Array.from({ length: 20 }, () => rotate('start')));
  const made = answers.flatMap((answer) => (typeof answer === 'string' ? [] : [answer.hmac_secret!]));
  expect(made).toHaveLength(1);
  expect(answers.filter((answer) => answer === 'conflict')).toHaveLength(19);
  expect([await push(made[0]!), await push(keys.hmac_secret)]).toEqual([202, 202]);
});

test('leaves the other environment and the secrets of single keys as they are', async () => {
  await started();
  const till = { name: 'Till', type: 'secret', environment: 'production' } as const;
  const options = { key: keys.secret_key, signWith: keys.hmac_secret, body: till };
  const { status, body } = await stoa.send('POST', '/v1/keys', options);
  expect(status).toBe(201);
  expect(await push(body.key.hmac_secret, body.key.secret)).toBe(202);
  expect(await push(keys.hmac_secret, body.key.secret)).toBe(401);
  expect(await push(keys.hmac_test_secret, keys.secret_test_key)).toBe(202);
  expect(await rotate('finish', 'sandbox')).toBe('conflict');
});

test('ends both secrets where a leaked one is replaced at once', async () => {
  const made = await started();
  const { runtime } = stoa.services;
  const leaked = await runtime.ask('StoreAdmin/RotateKeys', NO_TENANT, { store: keys.code, kind: 'hmac' });
  const value = leaked instanceof Refusal ? '' : leaked.value;
  await acceptsOnly(value, keys.hmac_secret);
  expect(await push(made)).toBe(401);
});
