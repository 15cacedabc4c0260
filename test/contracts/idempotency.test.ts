// Retries at every write: one effect, the first answer again, and no other caller's answer.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { routes } from '#proto/gen/routes.ts';
import type { Route } from '#proto/route.ts';
import { type ManualClock, manualClock } from '#runtime/process/clock.ts';
import { eventually } from '#test/support/server.ts';
import { type Reply, type Stoa, sendTo, startStoa } from '#test/support/stoa.ts';
import { awayFromWindowEnd } from '#test/support/window.ts';
import { BODIES } from './body.ts';
import type { Owner } from './owner.ts';
import { openStoredRows, type StoredRows } from './stored_row.ts';
import { pathOf, secretOf, startsJob } from './target.ts';
import { hostedRoutes, openOwner, waitForJobs } from './world.ts';

let stoa: Stoa;
let clock: ManualClock;
let ledger: StoredRows;
beforeAll(async () => {
  clock = manualClock(Date.now());
  stoa = await startStoa({ clock });
  ledger = await openStoredRows(stoa);
});
afterAll(() => stoa.stop());

/** Status of the same request a day later, if it is too late then, or a repetition. */
const LATE: Readonly<Record<string, number>> = {
  'POST /v1/customers': 409,
  // Ends no session the second time.
  'DELETE /v1/customers/:id/sessions': 200,
  'POST /v1/keys/:id/roll': 409,
  'POST /v1/payments/providers': 409,
  'POST /v1/marketplace/payment-providers': 409,
  'POST /v1/orders/:id/shipments': 409,
  'PATCH /v1/agent/cart-drafts/:id': 409,
  'PATCH /v1/agent/checkout-intents/:id': 409,
  'POST /v1/agent/checkout-intents/:id/cancel': 409,
  'POST /v1/b2b/purchase-orders/:id/confirm': 409,
  'POST /v1/b2b/invoices': 409,
  'POST /v1/b2b/invoices/:id/pay': 409,
  'POST /v1/b2b/invoices/:id/void': 409,
  'POST /v1/b2b/purchase-orders/:id/fulfill': 409,
  'POST /v1/sandbox/payments/:reference': 409,
  'DELETE /v1/mail-templates/:kind': 200,
};

const WRITES = routes
  .filter(
    ({ verb, limit, access }) => verb !== 'GET' && !['auth', 'reset'].includes(limit) && access.session === 'none',
  )
  // Providers repeat callbacks: a retry finds the settled payment.
  .filter(({ access }) => access.key !== 'none')
  // A session that has ended cannot repeat the call that ended it, and sign-ins take no key.
  .filter(({ access }) => access.key !== 'staff')
  .map((route) => [`${route.verb} ${route.path}`, route] as const)
  // Deletions come last, since other calls need what they delete.
  .toSorted(([one], [other]) => Number(one.startsWith('DELETE')) - Number(other.startsWith('DELETE')));

const write = (route: Route, owner: Owner, key: string, body: unknown, path = pathOf(route, owner)): Promise<Reply> =>
  sendTo(stoa.url, route.verb, path, {
    ...secretOf(route, owner),
    ...(body === undefined ? {} : { body }),
    headers: { 'Idempotency-Key': key },
  });

/** Everything stored for the owner. */
const effects = async ({ keys }: Owner): Promise<string> => (await ledger(keys.store_id))[0]!.whole;

/** The names of the records in an endpoint's path. */
const recordsIn = (route: Route): readonly string[] => {
  const names: string[] = [];
  const records = new Proxy({} as Owner['records'], { get: (_, name) => names.push(String(name)) });
  pathOf(route, { keys: {}, records } as Owner);
  return names;
};

/** Calls that change what other calls of their owner depend on: the sandbox, its clock, a rate, whether the merchant sells. */
const ALONE = /\/v1\/(sandbox\/(reset|time-travel)|exchange-rates\/|marketplace\/merchants\/)/;
const owners: Promise<Owner>[] = [];
const uses = new Map<string, number>();
/** An owner of whose records no other write has named this one. */
const ownerOf = (name: string, route: Route): Promise<Owner> => {
  if (ALONE.test(name)) return openOwner(stoa, 'blackbird');
  const named = recordsIn(route);
  const at = Math.max(0, ...named.map((record) => uses.get(record) ?? 0));
  for (const record of named) uses.set(record, at + 1);
  owners[at] ??= openOwner(stoa, 'blackbird');
  return owners[at];
};

interface Acted {
  readonly owner: Owner;
  readonly key: string;
  readonly body: unknown;
}

const act = async (name: string, route: Route): Promise<Acted | null> => {
  if (!hostedRoutes(stoa).includes(route)) return null;
  const owner = await ownerOf(name, route);
  const [body, other] = BODIES[name]?.(owner) ?? [undefined, { any: 'thing' }];
  const key = `~ ${randomUUID()} !`;

  const named =
    route.path.includes(':') &&
    !route.path.endsWith(':type') &&
    !route.path.includes(':reference') &&
    !route.path.includes(':kind') &&
    !route.path.startsWith('/v1/webhook-events/');
  const refused = await (named
    ? write(route, owner, key, body, pathOf(route, owner).replace(/[0-9a-f-]{36}|section-[^/]+|EUR$/, 'No_ne'))
    : write(route, owner, key, '{'));
  expect(refused.status, refused.text).toBe(400);

  const first = await write(route, owner, key, body);
  expect([first.status, first.headers.get('idempotent-replayed')], first.text).toEqual([route.status, null]);
  expect(first.body).not.toHaveProperty('idempotent');
  if (startsJob(route)) await waitForJobs(stoa, owner.keys);

  const before = await effects(owner);
  const retry = await write(route, owner, key, body);
  expect([retry.status, retry.headers.get('idempotent-replayed')]).toEqual([first.status, 'true']);
  expect(retry.body).toEqual({ ...first.body, idempotent: true });
  expect(await effects(owner)).toBe(before);
  const retried = await effects(owner);
  const conflict = await write(route, owner, key, other);
  expect([conflict.status, conflict.body.error.code]).toEqual([409, 'idempotency_conflict']);
  expect(await effects(owner)).toBe(retried);
  return { owner, key, body };
};

const acts = new Map<string, Promise<Acted | null>>();
const acted = (name: string, route: Route): Promise<Acted | null> => {
  const done = acts.get(name) ?? act(name, route);
  acts.set(name, done);
  return done;
};

test.each(WRITES)('%s stores no refusal, and acts once under one key', async (name, route) => {
  await acted(name, route);
});

describe('after 24 hours of the tenant’s clock', () => {
  const replayed = new Map<string, string | null>();
  beforeAll(async () => {
    for (const [name, route] of WRITES) await acted(name, route);
    clock.advance(24 * 3_600_000 - 1);
    for (const [name, route] of WRITES) {
      const done = await acted(name, route);
      if (done === null) continue;
      const { headers } = await write(route, done.owner, done.key, done.body);
      replayed.set(name, headers.get('idempotent-replayed'));
    }
    clock.advance(1);
  });

  test.each(WRITES)('the key of %s is free again, and was taken until then', async (name, route) => {
    const done = await acted(name, route);
    if (done === null) return;
    expect(replayed.get(name)).toBe('true');
    const late = await write(route, done.owner, done.key, done.body);
    expect(late.headers.get('idempotent-replayed')).toBeNull();
    expect(late.status, late.text).toBe(LATE[name] ?? (route.verb === 'DELETE' ? 404 : route.status));
  });
});

describe('a key', () => {
  const category = (key: string, idempotencyKey: string, body: unknown = { name: 'Lamps' }, path = '/v1/categories') =>
    stoa.send('POST', path, { key, body, headers: { 'Idempotency-Key': idempotencyKey } });

  test('separates keys of another tenant, environment, path and verb', async () => {
    const [mine, theirs] = [await stoa.createStore(), await stoa.createStore()];
    const replies = [
      await category(mine.secret_key, 'k'),
      await category(theirs.secret_key, 'k'),
      await category(mine.secret_test_key, 'k'),
      await category(mine.secret_key, 'k', { name: 'Lamps' }, '/v1/product-collections'),
    ];
    for (const { status, body } of replies) expect([status, body.idempotent]).toEqual([201, undefined]);
    const ids = replies.map(({ body }) => (body.category ?? body.collection).id);
    expect(new Set(ids).size).toBe(4);
    const patched = await stoa.send('PATCH', `/v1/categories/${ids[0]}`, {
      key: mine.secret_key,
      body: { name: 'Lamps' },
      headers: { 'Idempotency-Key': 'k' },
    });
    expect([patched.status, patched.body.idempotent]).toEqual([200, undefined]);
  });

  test('compares bytes: another spelling of the same JSON is another body, letter case in a key counts', async () => {
    const { secret_key: key } = await stoa.createStore();
    expect((await category(key, 'k', '{"name":"Lamps"}')).status).toBe(201);
    expect((await category(key, 'k', '{ "name":"Lamps"}')).status).toBe(409);
    expect((await category(key, 'K', '{"name":"Lamps"}')).body.idempotent).toBeUndefined();
  });

  test.each(['a', '~'.repeat(255), '!"#$%&\'()*+,-./:;<=>?@[]^_`{|}~', 'a b'])('may be "%s"', async (text) => {
    const { secret_key: key } = await stoa.createStore();
    expect((await category(key, text)).status).toBe(201);
    expect((await category(key, text)).body.idempotent).toBe(true);
  });

  test('lets one of forty concurrent callers act; the others get its answer or wait', async () => {
    const { secret_key: key } = await stoa.createStore();
    const replies = await Promise.all(Array.from({ length: 40 }, () => category(key, 'storm')));
    const fresh = replies.filter(({ status, body }) => status === 201 && !body.idempotent);
    expect(fresh).toHaveLength(1);
    for (const { status, body, headers } of replies)
      if (status === 201) expect(body.category.id).toBe(fresh[0]!.body.category.id);
      else expect([status, body.error.code, headers.get('retry-after')]).toEqual([409, 'conflict', '1']);
    expect((await stoa.send('GET', '/v1/categories', { key })).body.categories).toHaveLength(1);
  });

  test('ignores a key on a read', async () => {
    const { secret_key: key } = await stoa.createStore();
    const read = () => stoa.send('GET', '/v1/categories', { key, headers: { 'Idempotency-Key': 'k' } });
    expect((await read()).body).toEqual({ categories: [] });
    await category(key, 'k');
    expect((await read()).body.categories).toHaveLength(1);
  });

  test('keeps its answer where no reader finds it', async () => {
    const { secret_key: key, store_id: store } = await stoa.createStore();
    await category(key, 'secret-of-a-key', { name: 'Secret of an answer' });
    const { sql } = stoa.services.runtime.postgres;
    const rows = await sql`select r::text as text, answer from runtime.idempotency r where store = ${store}`;
    expect(rows).toHaveLength(1);
    for (const word of ['Secret of an answer', 'secret-of-a-key'])
      expect([rows[0]!.text.includes(word), Buffer.from(rows[0]!.answer).includes(word)]).toEqual([false, false]);
  });
});

describe('signed calls', () => {
  beforeEach(() => awayFromWindowEnd('key_hour', 20_000));

  const push = (owner: Owner['keys'], headers: Record<string, string>, body: unknown = { products: [] }) =>
    stoa.send('POST', '/v1/ingestion/push', { key: owner.secret_key, signWith: owner.hmac_secret, body, headers });

  test('need an idempotency key', async () => {
    const keys = await stoa.createStore();
    const { status, body } = await push(keys, { 'Idempotency-Key': '' });
    expect([status, body.error.param]).toEqual([400, 'Idempotency-Key']);
  });

  test('replays signed calls with a newer signature, and even at the limit', async () => {
    const keys = await stoa.createStore();
    const first = await push(keys, { 'Idempotency-Key': 'nightly' });
    await stoa.services.runtime.ask(
      'StoreAdmin/SetLimits',
      { store: '', environment: 'production' },
      { store: keys.store_id, key_hour: 1 },
    );
    await eventually(async () => {
      const limited = await push(keys, { 'Idempotency-Key': randomUUID() });
      expect([limited.status, limited.body.error?.code]).toEqual([429, 'rate_limited']);
    });
    const retry = await push(keys, { 'Idempotency-Key': 'nightly' });
    expect([retry.status, retry.body.job.id, retry.body.idempotent]).toEqual([202, first.body.job.id, true]);
    // The limit is checked before anything else.
    for (const [headers, body] of [
      [{ 'X-Signature': 'AAAA' }],
      [{ 'X-Timestamp': '' }],
      [{}, { products: 'none' }],
      [{}, { products: [{ external_id: 'a', name: 'A', price: 1 }] }],
    ] as const) {
      const other = await push(keys, { 'Idempotency-Key': 'nightly', ...headers }, body);
      expect([other.status, other.body.error?.code]).toEqual([429, 'rate_limited']);
    }
  });
});

test('the document says of each sign-in and credential that it takes no key, and of no other write', async () => {
  const { paths } = (await sendTo(stoa.url, 'GET', '/openapi.json', {})).body;
  for (const { verb, path, limit } of routes) {
    if (verb === 'GET') continue;
    const described = paths[path.replace(/:(\w+)/g, '{$1}')]?.[verb.toLowerCase()];
    if (!described) continue;
    const { description, parameters } = described;
    const takesKey = JSON.stringify(parameters ?? []).includes('IdempotencyKey');
    const isCredential = ['auth', 'reset'].includes(limit);
    expect(description.includes('An `Idempotency-Key` has no effect'), `${verb} ${path}`).toBe(isCredential);
    if (isCredential) expect(takesKey, `${verb} ${path}`).toBe(false);
  }
});
