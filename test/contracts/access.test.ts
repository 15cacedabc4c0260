// Checks access: every endpoint of the route table against a running system with every kind of key.
import { beforeAll, describe, expect, test } from 'vitest';
import { routes } from '#proto/gen/routes.ts';
import { NO_TENANT } from '#runtime/call/call.ts';
import { ok } from '#test/support/reply.ts';
import { eventually } from '#test/support/server.ts';
import { type Keys, type Reply, type SendOptions, type Stoa, sharedStoa } from '#test/support/stoa.ts';

const ID = '00000000-0000-7000-8000-000000000000';

/** — no key, P publishable or secret, S secret, T secret of the sandbox, O an operator's, M a staff session and no key. */
type Key = '—' | 'P' | 'S' | 'T' | 'O' | 'M';

const LETTERS: Readonly<Record<string, Key>> = {
  none: '—',
  publishable: 'P',
  secret: 'S',
  secret_test: 'T',
  operator: 'O',
  staff: 'M',
};
const VALUES: Readonly<Record<string, string>> = { type: 'terms', store: 'nobody' };

/** Endpoints with a test of their own instead of these: a reason each. */
const SPECIAL: Readonly<Record<string, string>> = {
  'POST /v1/payments/callbacks/:provider/:store_id/:environment': 'a provider signs it instead of sending a key',
  'POST /v1/mail-bounces/:store_id/:environment/:token': 'a mail provider sends the secret of the URL, and no key',
  'POST /v1/connect/authorize/validate': 'an OAuth client sends its own secret, and no key',
  'POST /v1/connect/revoke': 'the same',
  'POST /v1/connect/token': 'the same',
  'POST /v1/staff/invitations/accept': 'a mailed token stands in for a key',
  'POST /v1/staff/session': 'a password or a mailed token stands in for a key',
  'POST /v1/staff/session/link': 'only the reader of the mail is signed in',
  'POST /v1/auth/reset-password': 'keys that may not reset passwords are counted, and soon throttled',
};

const asked = routes.filter(({ verb, path }) => !(`${verb} ${path}` in SPECIAL));

const pathWithIds = (path: string): string => path.replace(/:(\w+)/g, (_, name: string) => VALUES[name] ?? ID);

/** Every endpoint of the route table, so that a new one is tested by being there. */
const ENDPOINTS = asked.map(({ verb, path, access }) => [LETTERS[access.key]!, verb, pathWithIds(path)] as const);

const PATHS = routes.map(({ verb, path }) => [verb, pathWithIds(path)] as const);

test('every endpoint with a test of its own is one', () => {
  const named = new Set(routes.map(({ verb, path }) => `${verb} ${path}`));
  expect(Object.keys(SPECIAL).filter((endpoint) => !named.has(endpoint))).toEqual([]);
});

/** Open to a live key only, because both environments share them. */
const LIVE_ONLY = [
  'PUT /v1/store/policies/terms',
  'GET /v1/keys',
  'POST /v1/keys',
  `PATCH /v1/keys/${ID}`,
  `POST /v1/keys/${ID}/roll`,
  `DELETE /v1/keys/${ID}`,
  'GET /v1/staff',
  `PATCH /v1/staff/${ID}`,
  `DELETE /v1/staff/${ID}`,
  'GET /v1/staff/invitations',
  'POST /v1/staff/invitations',
  `DELETE /v1/staff/invitations/${ID}`,
];

/** Endpoints that shoppers' keys may call, and that an operator's key without `store_id` calls over all of its merchants. */
const OVER_ALL_MERCHANTS = ['GET /v1/products', 'POST /v1/search'];

/** Endpoints that shoppers' keys may call and an operator may not call for its merchants. */
const STORE_ONLY = /^\/v1\/(agent|b2b|webhook-endpoints)\b/;

let stoa: Stoa;
let keys: Keys;
let operatorKey: string;
/** A store that is no merchant of the operator's. */
let outsider: string;
/** Session of a shopper of the merchant's. */
let customerToken: string;
beforeAll(async () => {
  stoa = await sharedStoa();
  keys = await stoa.createStore({ wholesale: true });
  const made = await stoa.services.runtime.ask('StoreAdmin/CreateOperator', NO_TENANT, {
    name: 'Mall',
    stores: [keys.store_id],
  });
  operatorKey = ok(made).operator_key;
  outsider = (await stoa.createStore()).store_id;
  const registered = await stoa.send('POST', '/v1/auth/register', {
    key: keys.secret_key,
    body: { email: 'ada@example.com', password: 'correct horse battery' },
  });
  customerToken = registered.body.session.access_token;
});

const statusOf = async (verb: string, path: string, options: SendOptions): Promise<number> =>
  (await stoa.send(verb, path, verb === 'GET' || verb === 'DELETE' ? options : { body: '{', ...options })).status;

// A body that is no JSON: only a caller with access gets the error about it.
describe.each(ENDPOINTS)('%s %s %s', (key, verb, path) => {
  const open = key === '—';

  test('refuses a request without a key or with an unknown one', async () => {
    for (const authorization of [undefined, 'Bearer svc_sk_live_0000000000000000', 'Bearer svc_mk_test_00000000']) {
      const status = await statusOf(verb, path, authorization ? { headers: { Authorization: authorization } } : {});
      if (open) expect([200, 404]).toContain(status);
      else expect(status, authorization).toBe(401);
    }
  });

  test('lets in whose key it takes, in both environments', async () => {
    for (const environment of ['live', 'test'] as const) {
      const [secret, publishable] =
        environment === 'live'
          ? [keys.secret_key, keys.publishable_key]
          : [keys.secret_test_key, keys.publishable_test_key];
      const forbidden =
        key === 'O' || key === 'M' || (environment === 'test' ? LIVE_ONLY.includes(`${verb} ${path}`) : key === 'T');
      expect((await statusOf(verb, path, { key: secret })) === 403, `secret ${environment}`).toBe(forbidden);
      expect((await statusOf(verb, path, { key: publishable })) === 403, `publishable ${environment}`).toBe(
        key !== 'P' && !open,
      );
    }
  });

  // "Marketplace operator keys act across merchants and, on several endpoints, must name the merchant with a query parameter."
  test('takes an operator’s key for a merchant where shoppers do as much, and nowhere else', async () => {
    if (open) return;
    const sent = verb === 'GET' ? {} : { body: '{' };
    const headers = { 'X-Customer-Token': customerToken };
    const asOperator = (store: string | null) =>
      stoa.send(verb, `${path}${store === null ? '' : `?store_id=${store}`}`, { key: operatorKey, headers, ...sent });
    const errorFields = ({ status, body }: Reply) => [status, body.error.code, body.error.param];
    const nameless = await asOperator(null);
    if (key === 'O') return expect([401, 403]).not.toContain(nameless.status);
    // The key lists audit records of the operator.
    if (path === '/v1/audit-log') return expect(nameless.status).toBe(200);
    // The key administers the operator's own staff.
    if (path.startsWith('/v1/staff') && key === 'S')
      return expect([401, 403], nameless.text).not.toContain(nameless.status);
    // Over all of its merchants, or for one of them.
    if (path === '/v1/recommendations') {
      for (const reply of [nameless, await asOperator(keys.store_id)]) expect(reply.status).toBe(400);
      return expect(errorFields(await asOperator(outsider))).toEqual([404, 'not_found', 'store_id']);
    }
    if (key !== 'P' || STORE_ONLY.test(path)) {
      for (const reply of [nameless, await asOperator(keys.store_id)])
        expect([...errorFields(reply), typeof reply.body.error.hint]).toEqual([403, 'forbidden', undefined, 'string']);
      return;
    }
    if (OVER_ALL_MERCHANTS.includes(`${verb} ${path}`))
      expect([nameless.status, nameless.body.error?.param]).not.toEqual([400, 'store_id']);
    else expect(errorFields(nameless)).toEqual([400, 'invalid_request', 'store_id']);
    expect(errorFields(await asOperator('x'))).toEqual([400, 'invalid_request', 'store_id']);
    expect(errorFields(await asOperator(outsider))).toEqual([404, 'not_found', 'store_id']);
    const publishable = await stoa.send(verb, path, { key: keys.publishable_key, ...sent });
    const merchant = await asOperator(keys.store_id);
    expect(merchant.status, merchant.text).toBe(publishable.status);
    expect(merchant.headers.get('svc-environment')).toBe('production');
    // A secret key has no place in a browser.
    expect(merchant.headers.get('access-control-allow-origin')).toBeNull();
  });

  test('tells which key it wants and the environment', async () => {
    if (open) return;
    const sent = verb === 'GET' ? {} : { body: '{' };
    const publishable = await stoa.send(verb, path, { key: keys.publishable_test_key, ...sent });
    expect(publishable.headers.get('svc-environment')).toBe('sandbox');
    if (key === 'S' || key === 'T') {
      expect(publishable.body.error.message).toMatch(/secret key/i);
      expect(publishable.body.error.hint).toMatch(/server/i);
    }
  });

  test('refuses every other verb and names the allowed ones', async () => {
    const verbs: string[] = [
      ...new Set(PATHS.filter((other) => patternOf(other[1]).test(path)).map((other) => other[0])),
    ];
    if (verbs.includes('GET')) verbs.push('HEAD');
    for (const other of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
      if (verbs.includes(other)) continue;
      const { status, headers } = await stoa.send(other, path, { key: keys.secret_key });
      expect([status, headers.get('allow')?.split(', ').sort()], other).toEqual([405, verbs.sort()]);
    }
  });
});

test.each(['card_checkout', 'wallet', 'bank_africa', 'mobile_money', 'own_bank'])(
  'a callback of %s without a signature is refused before anything is looked up',
  async (provider) => {
    for (const store of [keys.store_id, ID])
      for (const environment of ['production', 'sandbox']) {
        const { status, body } = await stoa.send('POST', `/v1/payments/callbacks/${provider}/${store}/${environment}`, {
          body: { event: 'charge.success' },
        });
        expect([status, body.error.code], `${store} ${environment}`).toEqual([401, 'unauthorized']);
      }
  },
);

/** An id may be any word. */
const patternOf = (path: string): RegExp => new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(ID, '[^/]+')}$`);

describe('keys', () => {
  test('keeps each store’s keys to their store, and picks the environment by the prefix', async () => {
    const other = await stoa.createStore();
    for (const [key, store, environment] of [
      [keys.secret_key, keys.store_id, 'production'],
      [keys.publishable_test_key, keys.store_id, 'sandbox'],
      [other.secret_test_key, other.store_id, 'sandbox'],
      [other.publishable_key, other.store_id, 'production'],
    ] as const) {
      const { body, headers } = await stoa.send('GET', '/v1/store', { key });
      expect([body.store.id, headers.get('svc-environment')]).toEqual([store, environment]);
    }
  });

  test('creates keys in the documented forms', () => {
    expect([
      keys.secret_key,
      keys.secret_test_key,
      keys.publishable_key,
      keys.publishable_test_key,
      operatorKey,
    ]).toEqual(
      [/^svc_sk_live_/, /^svc_sk_test_/, /^svc_pk_live_/, /^svc_pk_test_/, /^svc_mk_live_/].map((form) =>
        expect.stringMatching(form),
      ),
    );
  });

  test('stand nowhere in the database as they are', async () => {
    const { sql } = stoa.services.runtime.postgres;
    const tables = await sql<{ name: string }[]>`
      select quote_ident(table_schema) || '.' || quote_ident(table_name) as name from information_schema.tables
      where table_schema not in ('pg_catalog', 'information_schema') and table_type = 'BASE TABLE'`;
    const secrets = Object.entries(keys).filter(([name]) => /key|secret/.test(name));
    expect(secrets).toHaveLength(6);
    for (const { name } of tables) {
      const rows = (await sql.unsafe(`select t::text as text from ${name} t`))
        .map(({ text }) => text as string)
        .join('\n');
      for (const [what, secret] of secrets)
        for (const form of [secret, Buffer.from(secret).toString('hex')])
          expect(rows.includes(form), `${what} in ${name}`).toBe(false);
    }
  });
});

describe('a rotated key', () => {
  test('ends the old one at once and still finds what was stored under its idempotency keys', async () => {
    const store = await stoa.createStore();
    const write = (key: string) =>
      stoa.send('POST', '/v1/categories', {
        key,
        body: { name: 'Lamps' },
        headers: { 'Idempotency-Key': 'lamps' },
      });
    const first = await write(store.secret_key);
    const rotated = await stoa.services.runtime.ask('StoreAdmin/RotateKeys', NO_TENANT, {
      store: store.store_id,
    });
    const { value: key } = ok(rotated);
    await eventually(async () => expect((await write(store.secret_key)).status).toBe(401));
    const replay = await write(key);
    expect([replay.status, replay.body.category.id, replay.body.idempotent]).toEqual([
      201,
      first.body.category.id,
      true,
    ]);
  });
});

describe('an operator', () => {
  const shown = async (key: string, store: string) => {
    const { status, body } = await stoa.send('GET', `/v1/store?store_id=${store}`, { key });
    return status === 200 ? body.store.id : status;
  };

  test('sees each merchant’s production with its live key, the sandbox with its test key, and nothing of any other', async () => {
    const [one, two] = [await stoa.createStore(), await stoa.createStore()];
    const asked = { name: 'Two', stores: [one.store_id, two.code] };
    const made = ok(await stoa.services.runtime.ask('StoreAdmin/CreateOperator', NO_TENANT, asked));
    for (const [store, word] of [
      [one, 'one'],
      [two, 'two'],
    ] as const)
      for (const key of [store.secret_key, store.secret_test_key])
        await stoa.send('POST', '/v1/products', {
          key,
          body: { name: `${word} ${key === store.secret_key ? 'live' : 'test'}`, price: 5, stock: 1 },
        });
    const names = async (key: string, store: Keys) =>
      (await stoa.send('GET', `/v1/products?store_id=${store.store_id}`, { key })).body.products.map(
        ({ name }: { name: string }) => name,
      );
    expect(await names(made.operator_key, one)).toEqual(['one live']);
    expect(await names(made.operator_key, two)).toEqual(['two live']);
    expect(await names(made.operator_test_key, one)).toEqual(['one test']);
    expect(await names(made.operator_test_key, two)).toEqual(['two test']);
    expect(await shown(made.operator_key, outsider)).toBe(404);
    expect(await shown(made.operator_key, one.store_id.toUpperCase())).toBe(one.store_id);
  });

  test('reaches a merchant as soon as it joins, and no longer when it leaves', async () => {
    const [one, two] = [await stoa.createStore(), await stoa.createStore()];
    const asked = { name: 'One', stores: [one.store_id] };
    const { operator_id: operator, operator_key: key } = ok(
      await stoa.services.runtime.ask('StoreAdmin/CreateOperator', NO_TENANT, asked),
    );
    expect([await shown(key, one.store_id), await shown(key, two.store_id)]).toEqual([one.store_id, 404]);
    const set = async (store: string, member: boolean) =>
      ok(await stoa.services.runtime.ask('StoreAdmin/SetMerchant', NO_TENANT, { operator, store, member })).stores;
    expect(await set(two.code, true)).toEqual([one.store_id, two.store_id].sort());
    await eventually(async () => expect(await shown(key, two.store_id)).toBe(two.store_id));
    expect(await set(one.code, false)).toEqual([two.store_id]);
    expect(await set(one.code, false)).toEqual([two.store_id]);
    await eventually(async () => expect(await shown(key, one.store_id)).toBe(404));
  });
});
