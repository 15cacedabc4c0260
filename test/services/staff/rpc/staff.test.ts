// Staff accounts over HTTP: invited, listed, changed and removed; an owner is always left.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cookieOf, dashboard, invite, join, newEmail, PASSWORD, signIn, tokenIn } from '#test/services/staff/client.ts';
import { eventually } from '#test/support/server.ts';
import { type Keys, type Reply, type Stoa, startStoa } from '#test/support/stoa.ts';

let stoa: Stoa;
let keys: Keys;
beforeAll(async () => {
  stoa = await startStoa({ trustedProxies: '127.0.0.1' });
  keys = await stoa.createStore();
});
afterAll(() => stoa.stop());

const errorOf = ({ status, body }: Reply) => [status, body.error.code, body.error.param];

describe('an invitation', () => {
  test('arrives by mail, makes an account that is signed in, and works once', async () => {
    const email = newEmail();
    const { status, body } = await invite(stoa, keys, { email: email.toUpperCase(), role: 'orders', name: 'Wanjiru' });
    expect([status, body.invitation.email, body.invitation.role]).toEqual([201, email, 'orders']);
    const mails = await stoa.send('GET', `/v1/sandbox/messages?email=${email}`, { key: keys.secret_test_key });
    const [mail] = mails.body.messages;
    expect([mail.kind, mail.link]).toEqual(['dashboard_invitation', body.link]);
    expect(mail.text).toContain(body.link);

    const open = await stoa.send('GET', '/v1/staff/invitations', { key: keys.secret_key });
    expect(open.body.invitations).toContainEqual(body.invitation);
    const token = tokenIn(body.link);
    const accept = () =>
      dashboard(stoa, 'POST', '/v1/staff/invitations/accept', { body: { token, password: PASSWORD } });
    const accepted = await accept();
    expect(accepted.status).toBe(201);
    expect(accepted.body.staff).toMatchObject({ email, name: 'Wanjiru', role: 'orders', has_totp: false });
    expect(accepted.body.store).toMatchObject({ id: keys.store_id, code: keys.code });
    const session = await dashboard(stoa, 'GET', '/v1/staff/session', { cookie: cookieOf(accepted) });
    expect(session.body).toEqual(accepted.body);
    expect(errorOf(await accept())).toEqual([401, 'unauthorized', undefined]);
    const left = await stoa.send('GET', '/v1/staff/invitations', { key: keys.secret_key });
    expect(left.body.invitations).not.toContainEqual(body.invitation);
  });

  test('accepted by twenty callers at once makes one account', async () => {
    const invited = await invite(stoa, keys, { email: newEmail(), role: 'analyst' });
    const body = { token: tokenIn(invited.body.link), password: PASSWORD };
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => dashboard(stoa, 'POST', '/v1/staff/invitations/accept', { body })),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(19).fill(401)]);
  });

  test('ends with its revocation or a further one, and conflicts with an account', async () => {
    const email = newEmail();
    const first = await invite(stoa, keys, { email, role: 'support' });
    const second = await invite(stoa, keys, { email, role: 'analyst' });
    const accept = (link: string) =>
      dashboard(stoa, 'POST', '/v1/staff/invitations/accept', { body: { token: tokenIn(link), password: PASSWORD } });
    expect((await accept(first.body.link)).status).toBe(401);
    const revoke = () =>
      stoa.send('DELETE', `/v1/staff/invitations/${second.body.invitation.id}`, { key: keys.secret_key });
    expect((await revoke()).body).toEqual({ deleted: true, id: second.body.invitation.id });
    expect((await revoke()).status).toBe(404);
    expect((await accept(second.body.link)).status).toBe(401);
    const { email: taken } = await join(stoa, keys, 'support');
    expect(errorOf(await invite(stoa, keys, { email: taken, role: 'analyst' }))).toEqual([409, 'conflict', 'email']);
  });

  test.each([
    [{ role: 'owner' }, 'email'],
    [{ email: 'nobody', role: 'owner' }, 'email'],
    [{ email: 'a@example.com' }, 'role'],
    [{ email: 'a@example.com', role: 'boss' }, 'role'],
    [{ email: 'a@example.com', role: 'owner', name: '' }, 'name'],
  ])('refuses %j', async (body, param) => {
    expect(errorOf(await invite(stoa, keys, body))).toEqual([400, 'invalid_request', param]);
  });

  test('needs a password of ten characters', async () => {
    const body = { token: 'si_x', password: 'too short' };
    const reply = await dashboard(stoa, 'POST', '/v1/staff/invitations/accept', { body });
    expect(errorOf(reply)).toEqual([400, 'invalid_request', 'password']);
  });
});

describe('an account', () => {
  const change = (id: string, body: object, cookie: string) =>
    dashboard(stoa, 'PATCH', `/v1/staff/${id}`, { body, cookie });

  test('shows in the list until an owner removes it; sessions follow each change at once', async () => {
    const store = await stoa.createStore();
    const owner = await join(stoa, store, 'owner');
    const member = await join(stoa, store, 'support');
    const list = async () =>
      (await dashboard(stoa, 'GET', '/v1/staff', { cookie: owner.cookie })).body.staff.map(
        ({ email, role }: { email: string; role: string }) => [email, role],
      );
    expect(await list()).toEqual([
      [owner.email, 'owner'],
      [member.email, 'support'],
    ]);
    const products = () => dashboard(stoa, 'POST', '/v1/products', { cookie: member.cookie, body: { name: 'Mug' } });
    expect((await products()).status).toBe(403);
    const changed = await change(member.id, { role: 'catalogue', name: 'Otieno' }, owner.cookie);
    expect(changed.body.staff).toMatchObject({ role: 'catalogue', name: 'Otieno' });
    await eventually(async () => expect((await products()).status).toBe(201), 5_000);
    expect((await change(member.id, { name: null }, owner.cookie)).body.staff).toMatchObject({
      role: 'catalogue',
      name: null,
    });
    const remove = () => dashboard(stoa, 'DELETE', `/v1/staff/${member.id}`, { cookie: owner.cookie });
    expect((await remove()).body).toEqual({ deleted: true, id: member.id });
    await eventually(async () => expect((await products()).status).toBe(401), 5_000);
    expect((await remove()).status).toBe(404);
    expect(await list()).toEqual([[owner.email, 'owner']]);
    expect((await signIn(stoa, { email: member.email, password: PASSWORD })).status).toBe(401);
  });

  test('loses its session at every edge within a second of its removal', async () => {
    const store = await stoa.createStore();
    await join(stoa, store, 'owner');
    const member = await join(stoa, store, 'support');
    const other = stoa.anotherEdge();
    await eventually(async () => expect((await fetch(`${other.url}/v1/health`)).status).toBe(200));
    const statuses = () =>
      Promise.all(
        [stoa, other].map(
          async ({ url }) => (await dashboard(stoa, 'GET', '/v1/orders', { cookie: member.cookie, url })).status,
        ),
      );
    expect(await statuses()).toEqual([200, 200]);
    await stoa.send('DELETE', `/v1/staff/${member.id}`, { key: store.secret_key });
    const since = performance.now();
    await eventually(async () => expect(await statuses()).toEqual([401, 401]));
    expect(performance.now() - since).toBeLessThan(1_000);
  });

  test('stays an owner if it is the last, also when twenty demotions and removals race', async () => {
    const store = await stoa.createStore();
    const owners = [];
    for (let made = 0; made < 20; made++) owners.push(await join(stoa, store, 'owner'));
    const key = store.secret_key;
    const replies = await Promise.all(
      owners.map(({ id }, at) =>
        at % 2 === 0
          ? stoa.send('PATCH', `/v1/staff/${id}`, { key, body: { role: 'analyst' } })
          : stoa.send('DELETE', `/v1/staff/${id}`, { key }),
      ),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([...Array<number>(19).fill(200), 409]);
    const { body } = await stoa.send('GET', '/v1/staff', { key });
    expect(body.staff.filter(({ role }: { role: string }) => role === 'owner')).toHaveLength(1);
    const [{ id }] = body.staff;
    expect(errorOf(await stoa.send('PATCH', `/v1/staff/${id}`, { key, body: { role: 'manager' } }))[0]).toBe(409);
    expect((await stoa.send('PATCH', `/v1/staff/${id}`, { key, body: { role: 'owner' } })).status).toBe(200);
  });

  test('exists in its own store alone', async () => {
    const other = await stoa.createStore();
    const owner = await join(stoa, keys, 'owner');
    for (const [method, body] of [
      ['PATCH', { name: 'Mine' }],
      ['DELETE', undefined],
    ] as const)
      expect((await stoa.send(method, `/v1/staff/${owner.id}`, { key: other.secret_key, body })).status).toBe(404);
  });

  test('obeys a live key, and an owner in production', async () => {
    const owner = await join(stoa, keys, 'owner');
    const manager = await join(stoa, keys, 'manager');
    expect((await stoa.send('GET', '/v1/staff', { key: keys.secret_test_key })).status).toBe(403);
    const sandbox = await dashboard(stoa, 'GET', '/v1/staff', { cookie: owner.cookie, environment: 'sandbox' });
    expect([sandbox.status, sandbox.body.error.hint]).toEqual([403, expect.stringContaining('production')]);
    const refused = await dashboard(stoa, 'GET', '/v1/staff', { cookie: manager.cookie });
    expect([refused.status, refused.body.error.hint]).toEqual([403, expect.stringContaining('owner')]);
  });

  test('takes one of two hundred places', async () => {
    const store = await stoa.createStore({ plan: 'enterprise' });
    for (let made = 0; made < 195; made++)
      expect((await invite(stoa, store, { email: newEmail(), role: 'analyst' })).status).toBe(201);
    const replies = await Promise.all(
      Array.from({ length: 17 }, () => invite(stoa, store, { email: newEmail(), role: 'analyst' })),
    );
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(5);
    expect(replies.filter(({ status }) => status === 409)).toHaveLength(12);
  });
});
