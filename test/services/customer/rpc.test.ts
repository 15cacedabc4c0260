// Accounts over HTTP: registering, signing in, who is signed in; the order of checks and the limit of an address.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  type Asked,
  auth,
  catchUp,
  clock,
  closeShop,
  errorOf,
  HOUR_MS,
  keys,
  login,
  logout,
  MINUTE_MS,
  me,
  newCustomer,
  newEmail,
  openShopNow,
  other,
  PASSWORD,
  register,
  statusOf,
  stoa,
} from '#test/services/customer/client.ts';
import { subscribeEvents } from '#test/support/event.ts';
import { eventually } from '#test/support/server.ts';
import type { Reply } from '#test/support/stoa.ts';

beforeAll(openShopNow);
beforeEach(catchUp);
afterAll(closeShop);

describe('POST /v1/auth/register', () => {
  test('creates an account, signs in and emits customer.created', async () => {
    const events: unknown[] = [];
    subscribeEvents(stoa.services.runtime, (event, { store, environment }) => {
      if (store === keys.store_id && environment === 'production' && event.type === 'customer.created')
        events.push(event);
    });
    const email = newEmail();
    const { status, body, headers } = await register({
      email,
      password: PASSWORD,
      first_name: 'Ada',
      last_name: null,
      phone: '+254700000000',
      group: 'wholesale',
      external_id: 'mine',
    });
    expect([status, headers.get('cache-control')]).toEqual([201, 'private, no-store']);
    const now = clock.now({ store: keys.store_id, environment: 'production' }).toISOString();
    expect(body.customer).toEqual({
      id: expect.any(String),
      external_id: null,
      email,
      first_name: 'Ada',
      last_name: null,
      phone: '+254700000000',
      group: null,
      addresses: [],
      metadata: {},
      language: null,
      created_at: now,
      updated_at: now,
    });
    expect(body.session).toEqual({
      access_token: expect.any(String),
      refresh_token: expect.any(String),
      expires_at: new Date(clock.real() + HOUR_MS).toISOString(),
    });
    await eventually(() =>
      expect(events).toContainEqual(
        expect.objectContaining({ type: 'customer.created', data: { object: body.customer } }),
      ),
    );
    expect((await me(body.session.access_token)).body).toEqual({ customer: body.customer });
  });

  test.each([
    ['the same address', 'josé@example.com', 'josé@example.com'],
    ['another letter case', 'Mixed.Case@Example.com', 'mixed.case@exAMPLE.COM'],
    ['marks apart from their letters', 'zo\u00eb@example.com', 'ZOE\u0308@example.com'],
  ])('is 409 for %s, and either spelling signs in', async (_name, first, second) => {
    const made = await register({ email: first, password: PASSWORD });
    expect([made.status, made.body.customer.email]).toEqual([201, first.normalize('NFC').toLowerCase()]);
    expect(errorOf(await register({ email: second, password: 'another password' }))).toEqual([
      409,
      'conflict',
      'email',
    ]);
    expect((await login(second)).body.customer.id).toBe(made.body.customer.id);
  });

  test('creates one account for ten concurrent requests', async () => {
    const email = newEmail();
    const replies = await Promise.all(Array.from({ length: 10 }, () => register({ email, password: PASSWORD })));
    expect(replies.map(({ status }) => status).sort()).toEqual([201, ...Array(9).fill(409)]);
  });

  test.each<[string, unknown, string | undefined]>([
    ['without an e-mail address', { password: PASSWORD }, 'email'],
    ['with null for an e-mail address', { email: null, password: PASSWORD }, 'email'],
    ['with what is no e-mail address', { email: 'ada', password: PASSWORD }, 'email'],
    ['without a password', { email: 'a@example.com' }, 'password'],
    ['with a password of 7 characters', { email: 'a@example.com', password: '1234567' }, 'password'],
    ['with a password of 201 characters', { email: 'a@example.com', password: 'x'.repeat(201) }, 'password'],
    ['with a number for a name', { email: 'a@example.com', password: PASSWORD, first_name: 7 }, 'first_name'],
    [
      'with a name that is too long',
      { email: 'a@example.com', password: PASSWORD, last_name: 'x'.repeat(101) },
      'last_name',
    ],
    ['with a phone that is too long', { email: 'a@example.com', password: PASSWORD, phone: '1'.repeat(41) }, 'phone'],
    ['with a list for a body', [], undefined],
  ])('%s is 400', async (_name, body, param) => {
    expect(errorOf(await register(body))).toEqual([400, 'invalid_request', param]);
  });

  test.each(['8 letters', 'x'.repeat(200), 'пароль 密码 🔑', ' spaces at both ends '])(
    'takes the password %s, and it alone signs in',
    async (password) => {
      const email = newEmail();
      expect((await register({ email, password })).status).toBe(201);
      expect(await statusOf(login(email, password))).toBe(200);
      expect(await statusOf(login(email, `~${password.slice(1)}`))).toBe(401);
    },
  );

  test('gives each environment and each store its own accounts', async () => {
    const email = newEmail();
    for (const key of [keys.secret_key, keys.secret_test_key, other.secret_key])
      expect(await statusOf(register({ email, password: PASSWORD }, key))).toBe(201);
  });

  test('stores no password or token in readable form', async () => {
    const password = 'never to be found again';
    const { body } = await register({ email: newEmail(), password });
    const { sql } = stoa.services.runtime.postgres;
    const rows = await sql`
      select row_to_json(p)::text as text from customer.password p
      union all select row_to_json(t)::text from customer.session_token t
      union all select row_to_json(s)::text from customer.session s
      union all select row_to_json(c)::text from customer.customer c`;
    const stored = rows.map(({ text }) => text).join('\n');
    for (const secret of [password, body.session.access_token, body.session.refresh_token])
      expect(stored).not.toContain(secret);
    expect(stored).toContain('$argon2id$v=19$m=19456,t=2,p=1$');
  });
});

describe('POST /v1/auth/login', () => {
  test('opens a session of its own at each login', async () => {
    const customer = await newCustomer();
    const { status, body } = await login(customer.email);
    expect([status, body.customer.id]).toEqual([200, customer.id]);
    expect([body.session.access_token, body.session.refresh_token]).not.toEqual([customer.access, customer.refresh]);
    expect(await statusOf(me(customer.access))).toBe(200);
    expect(await statusOf(me(body.session.access_token))).toBe(200);
  });

  test('answers the same for a wrong password and an unknown address', async () => {
    const { email } = await newCustomer();
    const [wrong, unknown] = [await login(email, 'wrong password'), await login(newEmail(), 'wrong password')];
    expect(errorOf(wrong)).toEqual([401, 'unauthorized', undefined]);
    const words = ({ body }: Reply) => ({ ...body.error, request_id: '' });
    expect(words(unknown)).toEqual(words(wrong));
    const names = ({ headers }: Reply) => [...headers.keys()].filter((name) => name !== 'date').sort();
    expect(names(unknown)).toEqual(names(wrong));
  });

  test.each<[string, unknown, string]>([
    ['without an address', { password: PASSWORD }, 'email'],
    ['without a password', { email: 'a@example.com' }, 'password'],
    ['with an empty password', { email: 'a@example.com', password: '' }, 'password'],
    ['with an object for an address', { email: { $ne: '' }, password: PASSWORD }, 'email'],
    ['with a password beyond any', { email: 'a@example.com', password: 'x'.repeat(201) }, 'password'],
  ])('%s is 400', async (_name, body, param) => {
    expect(errorOf(await auth('POST', '/v1/auth/login', { body }))).toEqual([400, 'invalid_request', param]);
  });

  test('finds no account of another environment or store', async () => {
    const { email } = await newCustomer();
    for (const key of [keys.secret_test_key, other.secret_key])
      expect(await statusOf(login(email, PASSWORD, key))).toBe(401);
  });

  test('ignores an Idempotency-Key', async () => {
    const { email } = await newCustomer();
    const send = () =>
      auth('POST', '/v1/auth/login', { body: { email, password: PASSWORD }, headers: { 'Idempotency-Key': 'same' } });
    const [first, second] = [await send(), await send()];
    expect([second.status, second.headers.get('idempotent-replayed')]).toEqual([200, null]);
    expect(second.body.session.access_token).not.toBe(first.body.session.access_token);
  });
});

describe('GET /v1/auth/me', () => {
  test('answers the signed-in customer, uncached', async () => {
    const customer = await newCustomer();
    const reply = await me(customer.access);
    expect([reply.status, reply.body.customer.id]).toEqual([200, customer.id]);
    expect(reply.headers.get('cache-control')).toBe('private, no-store');
    for (const name of ['Authorization', 'X-Auth-Token', 'X-External-Auth', 'X-Idp-Token'])
      expect(reply.headers.get('vary')).toContain(name);
    const again = await me(customer.access, { headers: { 'If-None-Match': reply.headers.get('etag')! } });
    expect([again.status, again.text]).toEqual([304, '']);
    expect((await me(customer.access)).headers.get('x-cache')).toBe('MISS');
  });

  test('returns the requested fields', async () => {
    const { email, access } = await newCustomer();
    expect((await auth('GET', '/v1/auth/me?fields=email', { token: access })).body).toEqual({ customer: { email } });
    const unknown = await auth('GET', '/v1/auth/me?fields=password', { token: access });
    expect(errorOf(unknown)).toEqual([400, 'invalid_request', 'fields']);
  });

  test.each<[string, Record<string, string>, number, string | undefined]>([
    ['no session', {}, 401, undefined],
    ['an empty token', { 'x-auth-token': '' }, 401, undefined],
    ['an unknown token', { 'x-auth-token': `at_${'x'.repeat(43)}` }, 401, undefined],
    ['nonsense', { 'x-auth-token': "' or 1=1" }, 401, undefined],
    ['an assertion without a verifier', { 'x-external-auth': 'a.b.c' }, 401, undefined],
    ['a token of an identity provider that there is not', { 'x-idp-token': 'opaque' }, 401, undefined],
    ['two of the three', { 'x-auth-token': 'a', 'x-idp-token': 'b' }, 400, 'x-idp-token'],
    ['all three', { 'x-auth-token': 'a', 'x-external-auth': 'b', 'x-idp-token': 'c' }, 400, 'x-external-auth'],
  ])('with %s is refused', async (_name, headers, status, param) => {
    const reply = await auth('GET', '/v1/auth/me', { headers });
    expect(errorOf(reply)).toEqual([status, status === 400 ? 'invalid_request' : 'unauthorized', param]);
    expect(reply.headers.get('cache-control')).toBe('no-store');
  });

  test('answers 400 for two session headers even if one is valid', async () => {
    const { access } = await newCustomer();
    expect(await statusOf(me(access, { headers: { 'x-external-auth': 'a.b.c' } }))).toBe(400);
  });

  test('accepts no refresh token', async () => {
    const customer = await newCustomer();
    expect(await statusOf(me(customer.refresh))).toBe(401);
  });
});

describe('the order of checks', () => {
  test.each<[string, string, string, Asked, number]>([
    ['no key before a session', 'GET', '/v1/auth/me', { key: '' }, 401],
    ['a publishable key before a session', 'GET', '/v1/auth/me', { headers: { 'x-auth-token': 'x' } }, 403],
    ['a publishable key before the body', 'POST', '/v1/auth/login', { body: '{broken' }, 403],
    ['a publishable key before X-Shopper-IP', 'POST', '/v1/auth/login', { headers: { 'X-Shopper-IP': 'x' } }, 403],
  ])('%s', async (_name, method, path, asked, status) => {
    expect(await statusOf(auth(method, path, { key: keys.publishable_key, ...asked }))).toBe(status);
  });

  test('says with a hint that a secret key is required', async () => {
    // A separate store: a publishable key calls for no particular shopper.
    const { publishable_key: key } = await stoa.createStore();
    for (const path of [
      'register',
      'login',
      'refresh',
      'logout',
      'magic-link',
      'magic-link/verify',
      'send-otp',
      'verify-otp',
      'reset-password',
      'reset-password/confirm',
    ]) {
      const reply = await auth('POST', `/v1/auth/${path}`, { key, body: {} });
      expect([reply.status, reply.body.error.hint]).toEqual([403, expect.stringContaining('secret key')]);
    }
  });

  test.each<[string, Asked, number]>([
    ['a missing session before a broken body', { body: '{broken' }, 401],
    [
      'a rejected session before a body of another type',
      { token: 'x', body: 'x', headers: { 'Content-Type': 'text/plain' } },
      401,
    ],
    ['a rejected session before a body that is too large', { token: 'x', body: `"${'x'.repeat(1_100_000)}"` }, 401],
    ['X-Shopper-IP before a session', { headers: { 'X-Shopper-IP': 'nowhere' } }, 400],
  ])('%s', async (_name, asked, status) => {
    expect(await statusOf(auth('POST', '/v1/auth/logout', asked))).toBe(status);
  });

  test('checks the session before the body', async () => {
    const { access } = await newCustomer();
    expect(errorOf(await logout(access, { body: '{broken' }))[0]).toBe(400);
    expect(await statusOf(me(access))).toBe(200);
  });
});

describe('the limit of an address', () => {
  /** Counts are by fixed minutes: waits for the next one, so that none ends amid the test. */
  const withinOneMinute = async (): Promise<void> => {
    const leftMs = MINUTE_MS - (Date.now() % MINUTE_MS);
    if (leftMs < 20_000) await Bun.sleep(leftMs);
    catchUp();
  };
  const ask = (shopper: string, key = keys.secret_key): Promise<Reply> =>
    auth('POST', '/v1/auth/refresh', { key, body: {}, headers: { 'X-Shopper-IP': shopper } });
  const times = async (count: number, shopper: string, key?: string): Promise<number[]> => {
    const statuses: number[] = [];
    for (let at = 0; at < count; at++) statuses.push(await statusOf(ask(shopper, key)));
    return statuses;
  };

  test('admits ten calls a minute of all /v1/auth/* at a store', async () => {
    await withinOneMinute();
    expect(await times(9, '198.51.100.1')).toEqual(Array(9).fill(400));
    expect(await statusOf(auth('GET', '/v1/auth/me', { headers: { 'X-Shopper-IP': '198.51.100.1' } }))).toBe(401);
    const late = await ask('198.51.100.1');
    expect(errorOf(late)).toEqual([429, 'rate_limited', undefined]);
    expect(late.headers.get('x-ratelimit-scope')).toBe('abuse');
    expect(Number(late.headers.get('retry-after'))).toBeLessThanOrEqual(60);
    expect(late.body.error.remaining).toBe(0);
    expect(await times(1, '198.51.100.1', keys.secret_test_key)).toEqual([429]);
    expect(await times(1, '198.51.100.1', other.secret_key)).toEqual([400]);
    expect(await times(1, '198.51.100.2')).toEqual([400]);
  });

  test('costs nothing for a caller without access to the endpoint', async () => {
    const { secret_key: key, publishable_key } = await stoa.createStore();
    await withinOneMinute();
    const login = async (key: string) => (await stoa.send('POST', '/v1/auth/login', { key, body: {} })).status;
    const statuses: number[] = [];
    for (let at = 0; at < 11; at++) statuses.push(await login(publishable_key));
    for (let at = 0; at < 11; at++) statuses.push(await login(key));
    expect(statuses).toEqual([...Array(11).fill(403), ...Array(10).fill(400), 429]);
  });

  test('counts all spellings of an address as one', async () => {
    await withinOneMinute();
    expect(await times(10, '203.0.113.9')).toEqual(Array(10).fill(400));
    expect(await times(1, '::ffff:203.0.113.9')).toEqual([429]);
  });

  test('counts the caller’s own address without X-Shopper-IP, whatever X-Forwarded-For says', async () => {
    const { secret_key: key } = await stoa.createStore();
    await withinOneMinute();
    const statuses: number[] = [];
    for (let at = 0; at < 11; at++) {
      const headers = { 'X-Forwarded-For': `198.51.100.${at}` };
      statuses.push((await stoa.send('POST', '/v1/auth/refresh', { key, body: {}, headers })).status);
    }
    expect(statuses).toEqual([...Array(10).fill(400), 429]);
  });

  test.each(['nowhere', '1.2.3.4:80', '1.2.3.4, 5.6.7.8', '1.2.3'])(
    'is told by an address, which "%s" is not',
    async (text) => {
      expect(errorOf(await auth('POST', '/v1/auth/login', { headers: { 'X-Shopper-IP': text } }))).toEqual([
        400,
        'invalid_request',
        'X-Shopper-IP',
      ]);
    },
  );
});
