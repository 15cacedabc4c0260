// The account's own password and second factor over HTTP: each code signs in once, and recovery codes stand in for it.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ManualClock, manualClock } from '#runtime/process/clock.ts';
import {
  codeAt,
  cookieOf,
  dashboard,
  join,
  type Member,
  PASSWORD,
  signIn,
  tokenIn,
} from '#test/services/staff/client.ts';
import { eventually } from '#test/support/server.ts';
import { type Keys, type Reply, type Stoa, startStoa } from '#test/support/stoa.ts';

const STEP_MS = 30_000;
const DAY_MS = 86_400_000;
const SOON_MS = 5_000;
const TOTP = '/v1/staff/session/totp';

let clock: ManualClock;
let stoa: Stoa;
let keys: Keys;
beforeAll(async () => {
  clock = manualClock(Date.now() + DAY_MS);
  stoa = await startStoa({ clock, trustedProxies: '127.0.0.1' });
  keys = await stoa.createStore();
});
afterAll(() => stoa.stop());

const errorOf = ({ status, body }: Reply) => [status, body.error.code, body.error.param];
const write = (method: string, path: string, cookie: string, body?: unknown) =>
  dashboard(stoa, method, path, { cookie, ...(body === undefined ? {} : { body }) });
const now = (secret: string) => codeAt(secret, clock.real());
const passwordAnd = ({ email }: Member, more: object = {}) => signIn(stoa, { email, password: PASSWORD, ...more });

/** An account with a second factor; its last code is of the step before the current one. */
const withTotp = async () => {
  const member = await join(stoa, keys, 'manager');
  const { secret } = (await write('POST', TOTP, member.cookie)).body;
  const confirmed = await write('POST', '/v1/staff/session/totp/confirm', member.cookie, { code: now(secret) });
  expect(confirmed.status, confirmed.text).toBe(200);
  clock.advance(STEP_MS);
  return { member, secret: secret as string, codes: confirmed.body.recovery_codes as string[] };
};

describe('a second factor', () => {
  test('begins, counts from its confirmation on, and comes with ten recovery codes', async () => {
    const { cookie, email } = await join(stoa, keys, 'manager');
    const confirm = (code: string) => write('POST', '/v1/staff/session/totp/confirm', cookie, { code });
    expect(errorOf(await confirm('000000'))[0]).toBe(409);
    const pending = await write('POST', '/v1/staff/session/totp', cookie);
    const { secret, otpauth_uri } = pending.body;
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    const uri = new URL(otpauth_uri);
    expect([uri.protocol, uri.host, uri.searchParams.get('secret')]).toEqual(['otpauth:', 'totp', secret]);
    expect(decodeURIComponent(uri.pathname)).toMatch(new RegExp(`:${email}$`));
    const wrong = now(secret) === '000000' ? '111111' : '000000';
    expect(errorOf(await confirm(wrong))).toEqual([400, 'invalid_request', 'code']);
    expect(errorOf(await confirm('12345'))).toEqual([400, 'invalid_request', 'code']);
    const { status, body } = await confirm(now(secret));
    expect(status).toBe(200);
    expect(new Set(body.recovery_codes).size).toBe(10);
    for (const code of body.recovery_codes) expect(code).toMatch(/^([a-z2-7]{4}-){3}[a-z2-7]{4}$/);
    const { staff } = (await dashboard(stoa, 'GET', '/v1/staff/session', { cookie })).body;
    expect(staff.has_totp).toBe(true);
    expect(errorOf(await write('POST', TOTP, cookie))[0]).toBe(409);
    expect(errorOf(await confirm(now(secret)))[0]).toBe(409);
  });

  test('stores no answer under an idempotency key, since it has a secret', async () => {
    const { cookie } = await join(stoa, keys, 'manager');
    const headers = { 'Idempotency-Key': 'once' };
    const begin = () => dashboard(stoa, 'POST', TOTP, { cookie, headers });
    const [first, second] = [await begin(), await begin()];
    expect([first.status, second.status]).toEqual([first.status, first.status]);
    expect(second.headers.get('idempotent-replayed')).toBeNull();
    expect(second.body.secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(second.body.secret).not.toBe(first.body.secret);
  });

  test('joins the password, and each code signs in once', async () => {
    const { member, secret } = await withTotp();
    expect(errorOf(await passwordAnd(member))).toEqual([401, 'unauthorized', 'totp']);
    const code = now(secret);
    const replies = await Promise.all(Array.from({ length: 5 }, () => passwordAnd(member, { totp: code })));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401, 401]);
    expect(errorOf(await passwordAnd(member, { totp: code }))).toEqual([401, 'unauthorized', 'totp']);
    // The step before is used up, too; the next one counts early.
    expect((await passwordAnd(member, { totp: codeAt(secret, clock.real() - STEP_MS) })).status).toBe(401);
    expect((await passwordAnd(member, { totp: codeAt(secret, clock.real() + STEP_MS) })).status).toBe(200);
  });

  test('admits one of twenty simultaneous callers by a code, and one by a recovery code', async () => {
    const { member, secret, codes } = await withTotp();
    const admitted = async (factor: object): Promise<number> => {
      const replies = await Promise.all(Array.from({ length: 20 }, () => passwordAnd(member, factor)));
      const statuses = replies.map(({ status }) => status);
      // The limit of wrong codes answers 429.
      expect(statuses.filter((status) => ![200, 401, 429].includes(status))).toEqual([]);
      return statuses.filter((status) => status === 200).length;
    };
    expect(await admitted({ totp: now(secret) })).toBe(1);
    clock.advance(15 * 60_000);
    expect(await admitted({ recovery_code: codes[0]! })).toBe(1);
    clock.advance(15 * 60_000);
    expect((await passwordAnd(member, { recovery_code: codes[0]! })).status).toBe(401);
    expect((await passwordAnd(member, { recovery_code: codes[1]! })).status).toBe(200);
  });

  test('takes no code of two steps ago or ahead', async () => {
    const { member, secret } = await withTotp();
    clock.advance(4 * STEP_MS);
    for (const off of [-2, 2])
      expect((await passwordAnd(member, { totp: codeAt(secret, clock.real() + off * STEP_MS) })).status).toBe(401);
    expect((await passwordAnd(member, { totp: codeAt(secret, clock.real() - STEP_MS) })).status).toBe(200);
  });

  test('may be a recovery code, each once, typed in any case', async () => {
    const { member, codes } = await withTotp();
    const typed = ` ${codes[0]!.toUpperCase().replaceAll('-', ' ')} `;
    const replies = await Promise.all(Array.from({ length: 5 }, () => passwordAnd(member, { recovery_code: typed })));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401, 401]);
    expect((await passwordAnd(member, { recovery_code: codes[1]! })).status).toBe(200);
    expect((await passwordAnd(member, { recovery_code: codes[0]! })).status).toBe(401);
  });

  test('joins a mailed link, too, which a wrong code does not use up', async () => {
    const { member, secret } = await withTotp();
    await dashboard(stoa, 'POST', '/v1/staff/session/link', { body: { email: member.email } });
    const { body } = await stoa.send('GET', `/v1/sandbox/messages?email=${member.email}`, {
      key: keys.secret_test_key,
    });
    const token = tokenIn(body.messages[0].link);
    expect(errorOf(await signIn(stoa, { token }))).toEqual([401, 'unauthorized', 'totp']);
    expect((await signIn(stoa, { token, recovery_code: 'wrong' })).status).toBe(401);
    expect((await signIn(stoa, { token, totp: now(secret) })).status).toBe(200);
    clock.advance(STEP_MS);
    expect((await signIn(stoa, { token, totp: now(secret) })).status).toBe(401);
  });

  test('allows ten guesses in 15 minutes, then one a minute', async () => {
    const { member, secret, codes } = await withTotp();
    for (let guess = 0; guess < 10; guess++)
      expect((await passwordAnd(member, { recovery_code: `guess ${guess}` })).status).toBe(401);
    expect((await passwordAnd(member, { totp: now(secret) })).status).toBe(429);
    expect((await passwordAnd(member, { recovery_code: codes[0]! })).status).toBe(429);
    clock.advance(60_000);
    expect((await passwordAnd(member, { totp: now(secret) })).status).toBe(200);
  });

  test('ends with a code', async () => {
    const { member, codes } = await withTotp();
    const off = (code: string) =>
      write('DELETE', `/v1/staff/session/totp?code=${encodeURIComponent(code)}`, member.cookie);
    expect(errorOf(await off('wrong'))).toEqual([400, 'invalid_request', 'code']);
    expect((await off(codes[0]!)).body.staff.has_totp).toBe(false);
    expect((await passwordAnd(member)).status).toBe(200);
    expect(errorOf(await off(codes[1]!))[0]).toBe(409);
    const { sql } = stoa.services.runtime.postgres;
    expect(await sql`select 1 from staff.recovery_code where member = ${member.id}`).toHaveLength(0);
  });
});

describe('a password', () => {
  const change = (cookie: string, body: object) => write('POST', '/v1/staff/session/password', cookie, body);
  const NEXT = 'paperclip mountain violet';

  test('changes with the current one, and other sessions end', async () => {
    const member = await join(stoa, keys, 'orders');
    const other = cookieOf(await passwordAnd(member));
    expect(errorOf(await change(member.cookie, { new_password: NEXT }))).toEqual([
      400,
      'invalid_request',
      'current_password',
    ]);
    const wrong = await change(member.cookie, { current_password: 'guess', new_password: NEXT });
    expect(errorOf(wrong)).toEqual([400, 'invalid_request', 'current_password']);
    const short = await change(member.cookie, { current_password: PASSWORD, new_password: 'short' });
    expect(errorOf(short)).toEqual([400, 'invalid_request', 'new_password']);
    const changed = await change(member.cookie, { current_password: PASSWORD, new_password: NEXT });
    expect([changed.status, changed.body.staff.id]).toEqual([200, member.id]);
    const read = (cookie: string) => dashboard(stoa, 'GET', '/v1/staff/session', { cookie });
    await eventually(async () => expect((await read(other)).status).toBe(401), SOON_MS);
    expect((await read(member.cookie)).status).toBe(200);
    expect((await passwordAnd(member)).status).toBe(401);
    expect((await passwordAnd(member, { password: NEXT })).status).toBe(200);
  });

  test('replaces a forgotten one in a session that began with a mailed link', async () => {
    const { email } = await join(stoa, keys, 'orders');
    await dashboard(stoa, 'POST', '/v1/staff/session/link', { body: { email } });
    const { body } = await stoa.send('GET', `/v1/sandbox/messages?email=${email}`, { key: keys.secret_test_key });
    const cookie = cookieOf(await signIn(stoa, { token: tokenIn(body.messages[0].link) }));
    expect((await change(cookie, { new_password: NEXT })).status).toBe(200);
    expect((await signIn(stoa, { email, password: NEXT })).status).toBe(200);
  });

  test('allows ten guesses in 15 minutes to the holder of a session', async () => {
    const { cookie } = await join(stoa, keys, 'orders');
    const guess = () => change(cookie, { current_password: 'guess', new_password: NEXT });
    for (let guessed = 0; guessed < 10; guessed++) expect((await guess()).status).toBe(400);
    expect((await guess()).status).toBe(429);
  });
});

describe('a change of the own password or second factor', () => {
  /** The records of an account, each with whether the transaction that last changed the account wrote it. */
  const records = async ({ id }: Member): Promise<readonly [operation: string, isSame: boolean][]> => {
    const rows = await stoa.services.runtime.postgres.sql<{ operation: string; same: boolean }[]>`
      select a.operation, a.xmin = m.xmin as same from runtime.audit a
      join staff.member m on m.store = a.store and m.id::text = a.actor
      where a.store = ${keys.store_id} and a.actor = ${id} and a.resource = 'staff'
      order by a.recorded_at, a.id`;
    return rows.map(({ operation, same }) => [operation, same]);
  };
  const newest = async (member: Member) => (await records(member)).at(-1);

  test('writes its audit record in the transaction that has its effect', async () => {
    const member = await join(stoa, keys, 'manager');
    const { cookie } = member;
    const { secret } = (await write('POST', TOTP, cookie)).body;
    expect(await newest(member)).toEqual(['createStaffTotp', true]);
    expect((await write('POST', `${TOTP}/confirm`, cookie, { code: now(secret) })).status).toBe(200);
    expect(await newest(member)).toEqual(['confirmStaffTotp', true]);
    clock.advance(STEP_MS);
    expect((await write('DELETE', `${TOTP}?code=${now(secret)}`, cookie)).status).toBe(200);
    expect(await newest(member)).toEqual(['deleteStaffTotp', true]);
    const passwords = { current_password: PASSWORD, new_password: 'another battery staple' };
    const path = '/v1/staff/session/password';
    expect((await write('POST', path, cookie, { ...passwords, current_password: 'wrong' })).status).toBe(400);
    expect((await write('POST', path, cookie, passwords)).status).toBe(200);
    expect(await records(member)).toEqual([
      ['acceptStaffInvitation', false],
      ['createStaffTotp', false],
      ['confirmStaffTotp', false],
      ['deleteStaffTotp', false],
      ['changeStaffPassword', true],
    ]);
  });

  test('writes one record when several callers send one code', async () => {
    const { member, secret } = await withTotp();
    const code = now(secret);
    const replies = await Promise.all(
      Array.from({ length: 6 }, () => write('DELETE', `${TOTP}?code=${code}`, member.cookie)),
    );
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    expect((await records(member)).filter(([operation]) => operation === 'deleteStaffTotp')).toHaveLength(1);
  });
});
