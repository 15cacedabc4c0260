// Sessions of the dashboard over HTTP: count with a password or a mailed link, listed, ended, and over after 12 idle hours or 30 days.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { NO_TENANT } from '#runtime/call/call.ts';
import { type ManualClock, manualClock } from '#runtime/process/clock.ts';
import {
  codeAt,
  cookieOf,
  dashboard,
  join,
  newEmail,
  PASSWORD,
  sha256,
  signIn,
  tokenIn,
} from '#test/services/staff/client.ts';
import { ok } from '#test/support/reply.ts';
import { eventually } from '#test/support/server.ts';
import { type Keys, type Reply, type Stoa, startStoa } from '#test/support/stoa.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const SOON_MS = 5_000;

let clock: ManualClock;
let stoa: Stoa;
let keys: Keys;
beforeAll(async () => {
  // Ahead of the edge's limits, which go by the real time.
  clock = manualClock(Date.now() + 24 * HOUR_MS);
  stoa = await startStoa({ clock, trustedProxies: '127.0.0.1' });
  keys = await stoa.createStore();
});
afterAll(() => stoa.stop());

const errorOf = ({ status, body }: Reply) => [status, body.error.code, body.error.param];
const sessionOf = (cookie: string, url?: string) =>
  dashboard(stoa, 'GET', '/v1/staff/session', { cookie, ...(url && { url }) });

const mailedLinks = async (email: string): Promise<string[]> => {
  const { body } = await stoa.send('GET', `/v1/sandbox/messages?email=${email}`, { key: keys.secret_test_key });
  return body.messages
    .filter(({ kind }: { kind: string }) => kind === 'dashboard_link')
    .map(({ link }: { link: string }) => link);
};
const sendLink = (email: string) => dashboard(stoa, 'POST', '/v1/staff/session/link', { body: { email } });

describe('a session', () => {
  test('begins with address and password, in a cookie that no script reads, and ends', async () => {
    const { email, id } = await join(stoa, keys, 'manager');
    const reply = await signIn(stoa, { email: email.toUpperCase(), password: PASSWORD });
    expect(reply.status).toBe(200);
    expect(reply.body.staff).toMatchObject({ id, email, role: 'manager', scopes: expect.any(Array) });
    expect(reply.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^stoa_staff=ss_[\w-]{43}; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Strict$/),
    ]);
    const cookie = cookieOf(reply);
    expect((await sessionOf(cookie)).body).toEqual(reply.body);
    const ended = await dashboard(stoa, 'DELETE', '/v1/staff/session', { cookie });
    expect([ended.status, ended.headers.getSetCookie()[0]]).toEqual([
      200,
      expect.stringMatching(/^stoa_staff=; Path=\/; Max-Age=0;/),
    ]);
    expect(errorOf(await sessionOf(cookie))).toEqual([401, 'unauthorized', undefined]);
  });

  test('gives an owner every right, shown as no scopes', async () => {
    const { cookie } = await join(stoa, keys, 'owner');
    expect((await sessionOf(cookie)).body.staff).toMatchObject({ role: 'owner', scopes: null });
  });

  test.each([
    [{}, 'email'],
    [{ email: 'a@example.com' }, 'password'],
    [{ password: 'x' }, 'email'],
    [{ email: 'a', password: 'x' }, 'email'],
    [{ token: 'sl_x', email: 'a@example.com' }, 'token'],
    [{ email: 'a@example.com', password: 'x', totp: '12345' }, 'totp'],
  ])('does not begin with %j', async (body, param) => {
    expect(errorOf(await signIn(stoa, body))).toEqual([400, 'invalid_request', param]);
  });

  test('does not begin with a wrong password or an unknown address, and neither tells which', async () => {
    const { email } = await join(stoa, keys, 'analyst');
    const wrong = await signIn(stoa, { email, password: 'not the password' });
    const unknown = await signIn(stoa, { email: newEmail(), password: PASSWORD });
    const { request_id: _, ...wrongError } = wrong.body.error;
    const { request_id: __, ...unknownError } = unknown.body.error;
    expect([wrong.status, wrongError]).toEqual([unknown.status, unknownError]);
    expect(wrong.status).toBe(401);
    expect([wrong.headers.getSetCookie(), unknown.headers.getSetCookie()]).toEqual([[], []]);
  });

  test('begins once a minute after ten failures, with a known and an unknown address', async () => {
    for (const email of [(await join(stoa, keys, 'analyst')).email, newEmail()]) {
      for (let failed = 0; failed < 10; failed++)
        expect((await signIn(stoa, { email, password: 'guess' })).status).toBe(401);
      const slowed = await signIn(stoa, { email, password: PASSWORD });
      expect([...errorOf(slowed), slowed.headers.get('retry-after')]).toEqual([
        429,
        'rate_limited',
        undefined,
        expect.stringMatching(/^\d+$/),
      ]);
    }
  });

  test('begins ten times a minute from one address of the network', async () => {
    const from = () =>
      dashboard(stoa, 'POST', '/v1/staff/session', {
        body: { email: newEmail(), password: PASSWORD },
        headers: { 'X-Forwarded-For': '198.51.100.77' },
      });
    const replies: number[] = [];
    for (let asked = 0; asked < 14; asked++) replies.push((await from()).status);
    // A minute may end meanwhile.
    expect(replies.filter((status) => status === 429).length).toBeGreaterThanOrEqual(1);
  });

  test('ends after 12 hours without a request, and not while it is used', async () => {
    const { cookie } = await join(stoa, keys, 'analyst');
    const freshStatus = async () => {
      // Another edge has no session in its cache.
      const { url } = stoa.anotherEdge();
      await eventually(async () => expect((await fetch(`${url}/v1/health`)).status).toBe(200));
      return (await sessionOf(cookie, url)).status;
    };
    for (let hours = 0; hours < 24; hours += 11) {
      clock.advance(11 * HOUR_MS);
      expect(await freshStatus()).toBe(200);
      await eventually(async () => {
        const [used] = await stoa.services.runtime.postgres.sql<{ last_used_at: Date }[]>`
          select last_used_at from staff.session where hash = decode(${sha256(cookie.split('=')[1]!)}, 'hex')`;
        expect(used!.last_used_at.getTime()).toBe(clock.real());
      });
    }
    clock.advance(12 * HOUR_MS);
    expect(await freshStatus()).toBe(401);
  });

  test('ends 30 days after it began, however often it is used', async () => {
    const { cookie, id: staff_id } = await join(stoa, keys, 'support');
    const owner = await join(stoa, keys, 'owner');
    const token_hash = sha256(cookie.split('=')[1]!);
    const resolve = () =>
      stoa.services.runtime.ask('StaffDirectory/ResolveStaffSession', NO_TENANT, {
        token_hash,
        environment: 'production',
      });
    const { sql } = stoa.services.runtime.postgres;
    const endsAtMs = clock.real() + 30 * 24 * HOUR_MS;
    while (endsAtMs - clock.real() > 11 * HOUR_MS) {
      clock.advance(11 * HOUR_MS);
      const left = endsAtMs - clock.real();
      expect(ok(await resolve()).expires_in_ms).toBe(Math.min(12 * HOUR_MS, left));
      await eventually(async () => {
        const [used] = await sql`select last_used_at from staff.session where hash = decode(${token_hash}, 'hex')`;
        expect(used!.last_used_at.getTime()).toBe(clock.real());
      });
    }
    clock.advance(endsAtMs - clock.real());
    expect(await resolve()).toMatchObject({ code: 'not_found' });
    const fresh = await signIn(stoa, { email: owner.email, password: PASSWORD });
    const { body } = await dashboard(stoa, 'GET', `/v1/staff/sessions?staff_id=${staff_id}`, {
      cookie: cookieOf(fresh),
    });
    expect(body.sessions).toEqual([]);
  });
});

describe('sessions', () => {
  const list = async (cookie: string, query = '') =>
    dashboard(stoa, 'GET', `/v1/staff/sessions${query}`, { cookie, headers: { 'User-Agent': 'Browser/1' } });

  test('appear with their device, and end one by one', async () => {
    const { email, cookie } = await join(stoa, keys, 'orders');
    const other = await dashboard(stoa, 'POST', '/v1/staff/session', {
      body: { email, password: PASSWORD },
      headers: { 'User-Agent': 'Telephone/1', 'X-Forwarded-For': '203.0.113.9' },
    });
    const { body } = await list(cookie);
    expect(body.sessions).toHaveLength(2);
    const [telephone, own] = ['Telephone/1', null].map((agent) =>
      body.sessions.find((each: { user_agent: string; is_current: boolean }) =>
        agent === null ? each.is_current : each.user_agent === agent,
      ),
    );
    expect(telephone).toMatchObject({ is_current: false, network: '203.0.113.9' });
    expect(own.is_current).toBe(true);
    const end = () => dashboard(stoa, 'DELETE', `/v1/staff/sessions/${telephone.id}`, { cookie });
    expect((await end()).body).toEqual({ deleted: true, id: telephone.id });
    expect((await end()).status).toBe(404);
    await eventually(async () => expect((await sessionOf(cookieOf(other))).status).toBe(401), SOON_MS);
    expect((await sessionOf(cookie)).status).toBe(200);
  });

  test('belong to their account, and an owner sees and ends them', async () => {
    const member = await join(stoa, keys, 'support');
    const colleague = await join(stoa, keys, 'manager');
    const owner = await join(stoa, keys, 'owner');
    const [session] = (await list(member.cookie)).body.sessions;
    const query = `?staff_id=${member.id}`;
    expect((await list(colleague.cookie, query)).status).toBe(403);
    const path = `/v1/staff/sessions/${session.id}`;
    expect((await dashboard(stoa, 'DELETE', path, { cookie: colleague.cookie })).status).toBe(404);
    const seen = await list(owner.cookie, query);
    expect(seen.body.sessions).toEqual([{ ...session, is_current: false, last_used_at: expect.any(String) }]);
    expect((await dashboard(stoa, 'DELETE', path, { cookie: owner.cookie })).status).toBe(200);
    await eventually(async () => expect((await sessionOf(member.cookie)).status).toBe(401), SOON_MS);
  });

  test('beyond fifty end, the least used first', async () => {
    const { email, cookie } = await join(stoa, keys, 'analyst');
    for (let count = 0; count < 50; count++) {
      clock.advance(1_000);
      expect((await signIn(stoa, { email, password: PASSWORD })).status).toBe(200);
    }
    await eventually(async () => expect((await sessionOf(cookie)).status).toBe(401), SOON_MS);
  });
});

describe('a mailed link', () => {
  test('signs in once, within 15 minutes', async () => {
    const { email } = await join(stoa, keys, 'orders');
    const accepted = await sendLink(email);
    expect([accepted.status, accepted.body.email]).toEqual([202, email]);
    const [link] = await mailedLinks(email);
    expect(new URL(link!).pathname).toBe('/dashboard/sign-in');
    const token = tokenIn(link!);
    const replies = await Promise.all(Array.from({ length: 10 }, () => signIn(stoa, { token })));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(9).fill(401)]);
    await sendLink(email);
    const [late] = await mailedLinks(email);
    clock.advance(15 * MINUTE_MS);
    expect(errorOf(await signIn(stoa, { token: tokenIn(late!) }))).toEqual([401, 'unauthorized', undefined]);
  });

  test('looks alike for an unknown address, which gets no mail', async () => {
    const { email } = await join(stoa, keys, 'orders');
    const unknown = newEmail();
    const [one, other] = [await sendLink(email), await sendLink(unknown)];
    expect({ ...other.body, email }).toEqual(one.body);
    expect(other.status).toBe(202);
    const { sql } = stoa.services.runtime.postgres;
    const mails = await sql`select state from mail.message where recipient = ${unknown}`;
    expect(mails.map(({ state }) => state)).toEqual(['void']);
  });

  test('leaves five times in 15 minutes', async () => {
    const { email } = await join(stoa, keys, 'orders');
    for (let asked = 0; asked < 8; asked++) expect((await sendLink(email)).status).toBe(202);
    expect(await mailedLinks(email)).toHaveLength(5);
  });

  test('leaves for each store of an address', async () => {
    const email = newEmail();
    const second = await stoa.createStore();
    await join(stoa, keys, 'orders', email);
    await join(stoa, second, 'owner', email);
    await sendLink(email);
    expect(await mailedLinks(email)).toHaveLength(1);
    const { body } = await stoa.send('GET', `/v1/sandbox/messages?email=${email}`, { key: second.secret_test_key });
    const signed = await signIn(stoa, { token: tokenIn(body.messages[0].link) });
    expect(signed.body.store.id).toBe(second.store_id);
  });
});

describe('an address that is on the staff of two stores', () => {
  test('signs in to the one last signed in to, or to the one named', async () => {
    const email = newEmail();
    const [first, second] = [await stoa.createStore(), await stoa.createStore()];
    await join(stoa, first, 'owner', email);
    clock.advance(1_000);
    await join(stoa, second, 'analyst', email);
    const storeOf = async (body: object) => (await signIn(stoa, { email, password: PASSWORD, ...body })).body.store?.id;
    expect(await storeOf({})).toBe(second.store_id);
    expect(await storeOf({ store: first.code })).toBe(first.store_id);
    clock.advance(1_000);
    expect(await storeOf({ store: first.store_id })).toBe(first.store_id);
    expect(await storeOf({})).toBe(first.store_id);
    expect(await storeOf({ store: keys.code })).toBeUndefined();
  });
});

test('tokens stand nowhere in the database as they are', async () => {
  const { email, cookie } = await join(stoa, keys, 'owner');
  await sendLink(email);
  const [link] = await mailedLinks(email);
  const { sql } = stoa.services.runtime.postgres;
  for (const table of ['member', 'session', 'link', 'invitation', 'recovery_code', 'login_failure']) {
    const rows = await sql.unsafe(`select t::text as text from staff.${table} t`);
    for (const secret of [cookie.split('=')[1]!, tokenIn(link!), PASSWORD])
      for (const form of [secret, Buffer.from(secret).toString('hex')])
        expect(
          rows.some(({ text }) => text.includes(form)),
          table,
        ).toBe(false);
  }
});

describe('the audit log', () => {
  /** Records of an account's sign-ins, the oldest first. */
  const recordsOf = async (id: string) => {
    const log = await stoa.send('GET', `/v1/audit-log?actor=${id}&limit=100`, { key: keys.secret_key });
    expect(log.status, log.text).toBe(200);
    return log.body.audit_log.toReversed();
  };
  const outcomesOf = async (id: string) =>
    (await recordsOf(id))
      .filter(({ operation }: { operation: string }) => operation === 'beginStaffSession')
      .map(({ after }: { after: { outcome: string; began_with: string } }) => `${after.began_with} ${after.outcome}`);

  test('names the accepted invitation, each sign-in, each refused one and the ended session', async () => {
    const { id, email } = await join(stoa, keys, 'support');
    expect((await signIn(stoa, { email, password: 'not the password' })).status).toBe(401);
    const started = await signIn(stoa, { email, password: PASSWORD });
    await dashboard(stoa, 'DELETE', '/v1/staff/session', { cookie: cookieOf(started) });
    const records = await recordsOf(id);
    const [joined, refused, entered, ended] = records;
    expect(records).toHaveLength(4);
    expect(joined).toMatchObject({
      operation: 'acceptStaffInvitation',
      resource: { type: 'staff', id },
      after: { email, role: 'support' },
    });
    expect(refused).toMatchObject({
      actor: { kind: 'staff', id, name: null },
      operation: 'beginStaffSession',
      endpoint: 'POST /v1/staff/session',
      resource: { type: 'staff_session', id: null },
      before: null,
      after: { outcome: 'wrong_password', began_with: 'password' },
      address: expect.stringContaining('2001:db8:'),
      request_id: expect.any(String),
    });
    expect(entered).toMatchObject({
      resource: { type: 'staff_session', id: expect.any(String) },
      after: { outcome: 'signed_in', began_with: 'password' },
    });
    expect(ended).toMatchObject({ operation: 'endStaffSession', resource: entered.resource });
    expect(JSON.stringify(records)).not.toMatch(/not the password|correct horse/);
  });

  test('tells a password without a code from a wrong code', async () => {
    const { id, email, cookie } = await join(stoa, keys, 'support');
    const started = await dashboard(stoa, 'POST', '/v1/staff/session/totp', { cookie, body: {} });
    const code = codeAt(started.body.secret, clock.real());
    expect((await dashboard(stoa, 'POST', '/v1/staff/session/totp/confirm', { cookie, body: { code } })).status).toBe(
      200,
    );
    expect((await signIn(stoa, { email, password: PASSWORD })).status).toBe(401);
    expect((await signIn(stoa, { email, password: PASSWORD, totp: '000000' })).status).toBe(401);
    clock.advance(MINUTE_MS);
    const totp = codeAt(started.body.secret, clock.real());
    expect((await signIn(stoa, { email, password: PASSWORD, totp })).status).toBe(200);
    expect(await outcomesOf(id)).toEqual([
      'password second_factor_needed',
      'password wrong_second_factor',
      'password signed_in',
    ]);
  });

  test('records a wrong password in each store of an address, and no attempt beyond the limit', async () => {
    const other = await stoa.createStore();
    const email = newEmail();
    const [here, there] = [await join(stoa, keys, 'support', email), await join(stoa, other, 'support', email)];
    for (let tried = 0; tried < 12; tried++) await signIn(stoa, { email, password: 'guess' });
    expect(await outcomesOf(here.id)).toEqual(Array(10).fill('password wrong_password'));
    const { body } = await stoa.send('GET', `/v1/audit-log?actor=${there.id}&resource=staff_session&limit=100`, {
      key: other.secret_key,
    });
    expect(body.audit_log).toHaveLength(10);
    const count = () => stoa.services.runtime.postgres.sql`select count(*) from runtime.audit`;
    const [before] = await count();
    await signIn(stoa, { email: newEmail(), password: 'guess' });
    expect(await count()).toEqual([before]);
  });
});
