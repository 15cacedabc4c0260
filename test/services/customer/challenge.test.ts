// Proofs by mail over HTTP: magic links, one-time codes and password resets, with mails read in the sandbox.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  auth,
  clock,
  closeShop,
  DAY_MS,
  errorOf,
  keys,
  login,
  MINUTE_MS,
  me,
  newCustomer,
  newEmail,
  openShop,
  other,
  PASSWORD,
  refresh,
  statusOf,
  stoa,
} from '#test/services/customer/client.ts';
import { ask, codeFor, linkFor, messagesTo, newest, shopper, tokenOf } from '#test/services/customer/mailbox.ts';
import type { Reply } from '#test/support/stoa.ts';

beforeAll(openShop);
afterAll(closeShop);

const another = (code: string): string => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

describe('POST /v1/auth/magic-link/verify after /v1/auth/magic-link', () => {
  test('mail a link that signs in once', async () => {
    const { email, id } = await shopper();
    const sent = await ask('magic-link', { email: email.toUpperCase() });
    expect([sent.status, sent.body]).toEqual([200, { message: expect.any(String), email: email.toUpperCase() }]);
    const [mail, ...others] = await messagesTo(email);
    expect(others).toEqual([]);
    expect(mail).toMatchObject({ to: email, kind: 'magic_link', code: null });
    expect(mail!.text).toContain(mail!.link);

    const { status, body } = await ask('magic-link/verify', { token: tokenOf(mail!) });
    expect([status, body.customer.id]).toEqual([200, id]);
    expect(await statusOf(me(body.session.access_token, { key: keys.secret_test_key }))).toBe(200);
    expect(await statusOf(refresh(body.session.refresh_token, keys.secret_test_key))).toBe(200);
    expect(errorOf(await ask('magic-link/verify', { token: tokenOf(mail!) }))).toEqual([
      401,
      'unauthorized',
      undefined,
    ]);
  });

  test('admits one of ten concurrent uses of a link', async () => {
    const { email } = await shopper();
    const token = await linkFor('magic-link', email);
    const statuses = await Promise.all(Array.from({ length: 10 }, () => statusOf(ask('magic-link/verify', { token }))));
    expect(statuses.sort()).toEqual([200, ...Array(9).fill(401)]);
  });

  test('expires the link after 15 minutes of the tenant’s clock', async () => {
    const { email } = await shopper();
    const [early, late] = [await linkFor('magic-link', email), await linkFor('magic-link', email)];
    clock.advance(15 * MINUTE_MS - 1);
    expect(await statusOf(ask('magic-link/verify', { token: early }))).toBe(200);
    clock.advance(1);
    expect(await statusOf(ask('magic-link/verify', { token: late }))).toBe(401);
  });

  test('redirects only to origins that the store allows', async () => {
    const { email } = await shopper();
    const store = await stoa.send('PATCH', '/v1/store', {
      key: keys.secret_test_key,
      body: { allowed_redirect_origins: ['https://app.example'] },
    });
    expect(store.status).toBe(200);
    await ask('magic-link', { email, redirect_to: 'https://app.example/in?from=mail#here' });
    const url = new URL((await newest(email)).link!);
    expect([url.origin, url.pathname, url.searchParams.get('from'), url.hash]).toEqual([
      'https://app.example',
      '/in',
      'mail',
      '#here',
    ]);
    for (const path of ['magic-link', 'reset-password'] as const)
      for (const redirect_to of [
        'blob:https://shop.example/in',
        'https://evil.example/',
        'https://app.example.evil.example/',
        'https://app.example@evil.example/',
        'http://app.example/',
        'https://app.example:8443/',
        'javascript:alert(1)',
        '/in',
      ])
        expect(errorOf(await ask(path, { email, redirect_to })), redirect_to).toEqual([
          400,
          'invalid_request',
          'redirect_to',
        ]);
    await stoa.send('PATCH', '/v1/store', { key: keys.secret_key, body: { website_url: 'https://shop.example/home' } });
    await ask('magic-link', { email });
    expect((await newest(email)).link).toMatch(/^https:\/\/shop\.example\/home\?token=/);
    expect(await statusOf(ask('magic-link', { email, redirect_to: 'https://shop.example/else' }))).toBe(200);
    expect(await messagesTo(email)).toHaveLength(3);
  });
});

describe('POST /v1/auth/verify-otp after /v1/auth/send-otp', () => {
  test('mail a code that signs in once', async () => {
    const { email, id } = await shopper();
    const code = await codeFor(email);
    const mail = await newest(email);
    expect([mail.kind, mail.link, code]).toEqual(['otp', null, expect.stringMatching(/^\d{6}$/)]);
    const { status, body } = await ask('verify-otp', { email: ` ${email}`.trim().toUpperCase(), code });
    expect([status, body.customer.id]).toEqual([200, id]);
    expect(await statusOf(me(body.session.access_token, { key: keys.secret_test_key }))).toBe(200);
    expect(errorOf(await ask('verify-otp', { email, code }))).toEqual([401, 'unauthorized', undefined]);
  });

  test('allow five tries of a code', async () => {
    const { email } = await shopper();
    const first = await codeFor(email);
    for (let tries = 0; tries < 4; tries++)
      expect(await statusOf(ask('verify-otp', { email, code: another(first) }))).toBe(401);
    expect(await statusOf(ask('verify-otp', { email, code: first }))).toBe(200);
    const second = await codeFor(email);
    for (let tries = 0; tries < 5; tries++)
      expect(await statusOf(ask('verify-otp', { email, code: another(second) }))).toBe(401);
    expect(await statusOf(ask('verify-otp', { email, code: second }))).toBe(401);
  });

  test('allow five tries to concurrent callers, too', async () => {
    const { email } = await shopper();
    const code = await codeFor(email);
    await Promise.all(Array.from({ length: 8 }, () => ask('verify-otp', { email, code: another(code) })));
    expect(await statusOf(ask('verify-otp', { email, code }))).toBe(401);
  });

  test('slow down a caller who requests codes repeatedly', async () => {
    const { email } = await shopper();
    for (let codes = 0; codes < 2; codes++) {
      const code = await codeFor(email);
      for (let tries = 0; tries < 5; tries++) await ask('verify-otp', { email, code: another(code) });
    }
    const code = await codeFor(email);
    expect(errorOf(await ask('verify-otp', { email, code }))).toEqual([429, 'rate_limited', undefined]);
    clock.advance(MINUTE_MS);
    expect(await statusOf(ask('verify-otp', { email, code }))).toBe(200);
  });

  test('count codes and passwords separately', async () => {
    const [guessed, known] = [await shopper(), await shopper()];
    for (let codes = 0; codes < 2; codes++) {
      const code = await codeFor(guessed.email);
      for (let tries = 0; tries < 5; tries++) await ask('verify-otp', { email: guessed.email, code: another(code) });
    }
    const code = await codeFor(guessed.email);
    expect(await statusOf(ask('verify-otp', { email: guessed.email, code }))).toBe(429);
    expect(await statusOf(login(guessed.email, 'wrong password', keys.secret_test_key))).toBe(401);
    expect(await statusOf(login(guessed.email, PASSWORD, keys.secret_test_key))).toBe(200);

    for (let tries = 0; tries < 10; tries++) await login(known.email, 'wrong password', keys.secret_test_key);
    expect(await statusOf(login(known.email, PASSWORD, keys.secret_test_key))).toBe(429);
    expect(await statusOf(ask('verify-otp', { email: known.email, code: await codeFor(known.email) }))).toBe(200);
    // A reset clears the counts of both.
    const reset = { token: await linkFor('reset-password', guessed.email), password: PASSWORD };
    expect(await statusOf(ask('reset-password/confirm', reset))).toBe(200);
    const again = await codeFor(guessed.email);
    expect(await statusOf(ask('verify-otp', { email: guessed.email, code: again }))).toBe(200);
  });

  test('expires a code after 10 minutes or with a newer one', async () => {
    const { email } = await shopper();
    const early = await codeFor(email);
    const late = await codeFor(email);
    if (early !== late) expect(await statusOf(ask('verify-otp', { email, code: early }))).toBe(401);
    clock.advance(10 * MINUTE_MS - 1);
    expect(await statusOf(ask('verify-otp', { email, code: late }))).toBe(200);
    const last = await codeFor(email);
    clock.advance(10 * MINUTE_MS);
    expect(await statusOf(ask('verify-otp', { email, code: last }))).toBe(401);
  });
});

describe('POST /v1/auth/reset-password/confirm after /v1/auth/reset-password', () => {
  const confirm = (token: string, password: string): Promise<Reply> =>
    ask('reset-password/confirm', { token, password });

  test('set a new password once, and end every session', async () => {
    const { email, access, refresh: refreshToken } = await shopper();
    const inSandbox = { key: keys.secret_test_key };
    const magic = await linkFor('magic-link', email);
    const token = await linkFor('reset-password', email);
    expect((await newest(email)).kind).toBe('reset_password');
    expect(await statusOf(me(access, inSandbox))).toBe(200);
    expect(errorOf(await confirm(token, 'short'))).toEqual([400, 'invalid_request', 'password']);
    const done = await confirm(token, 'another battery');
    expect([done.status, done.body]).toEqual([200, { message: expect.any(String) }]);
    expect(await statusOf(me(access, inSandbox))).toBe(401);
    expect(await statusOf(refresh(refreshToken, keys.secret_test_key))).toBe(401);
    expect(await statusOf(login(email, PASSWORD, keys.secret_test_key))).toBe(401);
    expect(await statusOf(login(email, 'another battery', keys.secret_test_key))).toBe(200);
    expect(await statusOf(confirm(token, 'a third battery'))).toBe(401);
    expect(await statusOf(ask('magic-link/verify', { token: magic }))).toBe(401);
  });

  test('expires the link after 60 minutes, and takes no link of another kind or tenant', async () => {
    const { email } = await shopper();
    const [token, late, magic] = [
      await linkFor('reset-password', email),
      await linkFor('reset-password', email),
      await linkFor('magic-link', email),
    ];
    expect(await statusOf(confirm(magic, 'another battery'))).toBe(401);
    expect(await statusOf(ask('magic-link/verify', { token }))).toBe(401);
    for (const key of [keys.secret_key, other.secret_test_key])
      expect(await statusOf(ask('reset-password/confirm', { token, password: 'another battery' }, key))).toBe(401);
    clock.advance(60 * MINUTE_MS);
    expect(await statusOf(confirm(late, 'another battery'))).toBe(401);
  });

  test.each(['of an account', 'of an address without an account'])(
    'slow down past five attempts %s in 15 minutes, and lock no shopper out',
    async (whose) => {
      const email = whose === 'of an account' ? (await shopper()).email : newEmail();
      const attempt = () => ask('reset-password', { email });
      for (let tries = 0; tries < 5; tries++) expect(await statusOf(attempt())).toBe(200);
      const slowed = await attempt();
      expect(errorOf(slowed)).toEqual([429, 'rate_limited', undefined]);
      expect([slowed.headers.get('retry-after'), slowed.headers.get('x-ratelimit-scope')]).toEqual(['60', 'abuse']);
      clock.advance(MINUTE_MS);
      expect([await statusOf(attempt()), await statusOf(attempt())]).toEqual([200, 429]);
      clock.advance(15 * MINUTE_MS);
      expect(await statusOf(attempt())).toBe(200);
    },
  );

  test('slow down after ten attempts for one address at all stores together', async () => {
    const email = newEmail();
    const tried: number[] = [];
    for (let tries = 0; tries < 11; tries++) {
      const key = [keys, other, await stoa.createStore()][tries % 3]!.secret_test_key;
      tried.push(await statusOf(ask('reset-password', { email }, key)));
    }
    expect(tried).toEqual([...Array(10).fill(200), 429]);
  });

  test('counts and refuses attempts with a publishable key', async () => {
    const attempt = () =>
      stoa.send('POST', '/v1/auth/reset-password', { key: other.publishable_key, body: { email: 'a@example.com' } });
    const { status, body } = await attempt();
    expect([status, body.error.code, body.error.hint]).toEqual([
      403,
      'forbidden',
      expect.stringContaining('secret key'),
    ]);
  });
});

describe('an address without an account', () => {
  test.each(['magic-link', 'send-otp', 'reset-password'] as const)(
    '%s answers like one with an account',
    async (path) => {
      const [{ email: known }, unknown] = [await shopper(), newEmail()];
      const [some, none] = [await ask(path, { email: known }), await ask(path, { email: unknown })];
      expect([none.status, { ...none.body, email: '' }]).toEqual([some.status, { ...some.body, email: '' }]);
      const names = ({ headers }: Reply) => [...headers.keys()].sort();
      expect(names(none)).toEqual(names(some));
      expect([await messagesTo(known), await messagesTo(unknown)].map(({ length }) => length)).toEqual([1, 0]);
      // The same rows, to the last one.
      const { sql } = stoa.services.runtime.postgres;
      const rows = await sql`
      select kind, count(*) as rows from mail.message where recipient in (${known}, ${unknown}) group by kind`;
      expect(rows).toMatchObject([{ rows: 2 }]);
    },
  );

  test('accepts no code', async () => {
    const email = newEmail();
    await ask('send-otp', { email });
    expect(errorOf(await ask('verify-otp', { email, code: '000000' }))).toEqual([401, 'unauthorized', undefined]);
  });
});

describe('POST /v1/auth/update-password', () => {
  const update = (token: string, current_password: string, new_password: string) =>
    auth('POST', '/v1/auth/update-password', { token, body: { current_password, new_password } });

  test('changes the password and ends all other sessions', async () => {
    const { email, access } = await newCustomer();
    const elsewhere = (await login(email)).body.session;
    expect(await statusOf(me(elsewhere.access_token))).toBe(200);
    const { status, body } = await update(access, PASSWORD, 'another battery');
    expect([status, body]).toEqual([200, { message: expect.any(String) }]);
    expect(await statusOf(me(access))).toBe(200);
    expect(await statusOf(me(elsewhere.access_token))).toBe(401);
    expect(await statusOf(refresh(elsewhere.refresh_token))).toBe(401);
    expect([await statusOf(login(email)), await statusOf(login(email, 'another battery'))]).toEqual([401, 200]);
  });

  test('requires the current password and a new one of valid length', async () => {
    const { email, access } = await newCustomer();
    expect(errorOf(await update(access, 'wrong', 'another battery'))).toEqual([
      401,
      'unauthorized',
      'current_password',
    ]);
    expect(errorOf(await update(access, PASSWORD, 'short'))).toEqual([400, 'invalid_request', 'new_password']);
    expect(errorOf(await auth('POST', '/v1/auth/update-password', { body: {} }))).toEqual([
      401,
      'unauthorized',
      undefined,
    ]);
    expect(await statusOf(login(email))).toBe(200);
  });

  test('slows down like failed logins', async () => {
    const { email, access } = await newCustomer();
    for (let tries = 0; tries < 10; tries++) expect(await statusOf(update(access, 'wrong', 'another one'))).toBe(401);
    expect(await statusOf(update(access, PASSWORD, 'another battery'))).toBe(429);
    expect(await statusOf(login(email))).toBe(429);
  });
});

describe('GET /v1/sandbox/messages', () => {
  test('lists the sandbox’s mails newest first, closed to every other key', async () => {
    const { email } = await shopper();
    await codeFor(email);
    await linkFor('magic-link', email);
    expect((await messagesTo(email)).map(({ kind }) => kind)).toEqual(['magic_link', 'otp']);
    expect((await messagesTo(email.toUpperCase())).length).toBe(2);
    expect(await messagesTo(email, other.secret_test_key)).toEqual([]);
    const all = await stoa.send('GET', '/v1/sandbox/messages', { key: keys.secret_test_key });
    expect(all.body.messages.length).toBeGreaterThan(2);
    for (const key of [keys.secret_key, keys.publishable_test_key])
      expect((await stoa.send('GET', '/v1/sandbox/messages', { key })).status).toBe(403);
  });

  test('lists no mail of production, which is sealed', async () => {
    const { email } = await newCustomer();
    await ask('magic-link', { email }, keys.secret_key);
    expect(await messagesTo(email)).toEqual([]);
    const { sql } = stoa.services.runtime.postgres;
    const [row] = await sql<{ content: Buffer }[]>`select content from mail.message where recipient = ${email}`;
    expect(row!.content.includes('token')).toBe(false);
  });
});

test('deletes expired mails and challenges', async () => {
  const { email } = await shopper();
  const token = await linkFor('magic-link', email);
  clock.advance(DAY_MS);
  expect(await statusOf(ask('magic-link/verify', { token }))).toBe(401);
});
