// The dashboard's cookie at the edge: which calls it opens, with which rights, and none from other sites.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readStaffCredential, setSessionCookie, staffCredentialOf } from '#edge/gates/staff_session.ts';
import { dashboard, join, type Member } from '#test/services/staff/client.ts';
import { type Keys, type Stoa, startStoa } from '#test/support/stoa.ts';

const TOKEN = `ss_${'a'.repeat(43)}`;

const credential = (headers: Record<string, string>, publicUrl = 'http://127.0.0.1:8787') =>
  staffCredentialOf({ headers: new Headers(headers) } as unknown as Request, publicUrl);

describe('the cookie', () => {
  test.each([
    [{ cookie: `stoa_staff=${TOKEN}`, 'x-stoa-dashboard': 'production' }, 'production'],
    [{ cookie: `a=b; stoa_staff=${TOKEN}; c=d`, 'x-stoa-dashboard': 'sandbox' }, 'sandbox'],
    [{ cookie: `stoa_staff=${TOKEN}` }, null],
    [{ cookie: `stoa_staff=${TOKEN}`, 'x-stoa-dashboard': '' }, null],
    [{ cookie: `stoa_staff=${TOKEN}`, 'x-stoa-dashboard': 'Production' }, null],
    [{ cookie: `not_stoa_staff=${TOKEN}`, 'x-stoa-dashboard': 'production' }, null],
    [{ cookie: `stoa_staff=${TOKEN}x`, 'x-stoa-dashboard': 'production' }, null],
    [{ 'x-stoa-dashboard': 'production' }, null],
  ])('of %j names the environment %s', (headers, environment) => {
    const found = credential(headers as unknown as Record<string, string>);
    expect(found && readStaffCredential(found)).toEqual(environment && { environment, token: TOKEN });
  });

  test('cannot be sent as an Authorization header', () => {
    for (const text of [`staff ${TOKEN}`, `Bearer ${TOKEN}`, `staff production ${TOKEN}`])
      expect(readStaffCredential(text)).toBeNull();
  });

  test('counts only with its prefix behind TLS, also after one without', () => {
    const read = (cookie: string) =>
      credential({ cookie, 'x-stoa-dashboard': 'production' }, 'https://api.example.com')?.split('\n')[2];
    const planted = `stoa_staff=ss_${'b'.repeat(43)}`;
    expect(read(planted)).toBeUndefined();
    expect(read(`${planted}; __Host-stoa_staff=${TOKEN}`)).toBe(TOKEN);
    expect(read(`__Host-stoa_staff=${TOKEN}; ${planted}`)).toBe(TOKEN);
  });

  test('names https alone where the public address does', () => {
    const response = new Response(null);
    setSessionCookie({ newSession: TOKEN }, {}, response, () => 'https://api.example.com');
    expect(response.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^__Host-stoa_staff=ss_\w+; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Strict; Secure$/),
    ]);
  });

  test('comes with no refusal', () => {
    const response = new Response(null, { status: 401 });
    setSessionCookie({ newSession: TOKEN }, {}, response, () => 'http://127.0.0.1');
    expect(response.headers.getSetCookie()).toEqual([]);
  });
});

describe('a call of the dashboard', () => {
  let stoa: Stoa;
  let keys: Keys;
  let owner: Member;
  let analyst: Member;
  beforeAll(async () => {
    stoa = await startStoa({ trustedProxies: '127.0.0.1' });
    keys = await stoa.createStore();
    owner = await join(stoa, keys, 'owner');
    analyst = await join(stoa, keys, 'analyst');
  });
  afterAll(() => stoa.stop());

  test('acts in the environment that its header names', async () => {
    const { cookie } = owner;
    const body = { name: 'Mug', price: 5, stock: 1 };
    const made = await dashboard(stoa, 'POST', '/v1/products', { cookie, body, environment: 'sandbox' });
    expect([made.status, made.headers.get('svc-environment')]).toEqual([201, 'sandbox']);
    const names = async (environment: 'production' | 'sandbox') => {
      const reply = await dashboard(stoa, 'GET', '/v1/products', { cookie, environment });
      return reply.body.products.map(({ name }: { name: string }) => name);
    };
    expect([await names('sandbox'), await names('production')]).toEqual([['Mug'], []]);
  });

  test('needs no signature, and the idempotency key of a signed endpoint all the same', async () => {
    const { cookie } = owner;
    const environment = 'sandbox';
    const made = await dashboard(stoa, 'POST', '/v1/products', {
      cookie,
      environment,
      body: { name: 'Cup', price: 5, stock: 3, shipping_info: { requires_shipping: false } },
    });
    const body = { items: [{ variant_id: made.body.variant_id, quantity: 1 }], email: 'ada@example.com' };
    const order = (headers: Record<string, string>) =>
      dashboard(stoa, 'POST', '/v1/orders', { cookie, environment, body, headers });
    const unkeyed = await order({});
    expect([unkeyed.status, unkeyed.body.error.param]).toEqual([400, 'Idempotency-Key']);
    const placed = await order({ 'Idempotency-Key': 'first' });
    expect(placed.status, placed.text).toBe(201);
    const again = await order({ 'Idempotency-Key': 'first' });
    expect([again.status, again.body.order.id]).toEqual([201, placed.body.order.id]);
  });

  test('respects the scopes of the role, and the refusal names the roles that have the scope', async () => {
    const { cookie } = analyst;
    expect((await dashboard(stoa, 'GET', '/v1/orders', { cookie })).status).toBe(200);
    const refused = await dashboard(stoa, 'POST', '/v1/products', { cookie, body: { name: 'Mug' } });
    expect([refused.status, refused.body.error.message]).toEqual([
      403,
      'The role analyst lacks the scope `catalog:write`.',
    ]);
    expect(refused.body.error.hint).toBe(
      'The roles owner, manager and catalogue have it. An owner of the store can change your role.',
    );
    const keyed = await dashboard(stoa, 'GET', '/v1/connect/grants', { cookie });
    expect(keyed.body.error.hint).toMatch(/^Only the role owner has it/);
  });

  test('needs the header and a known token, and counts less than a wrong key', async () => {
    const { cookie } = owner;
    const send = (headers: Record<string, string>) => stoa.send('GET', '/v1/orders', { headers });
    expect((await send({ Cookie: cookie })).status).toBe(401);
    expect((await send({ 'X-Stoa-Dashboard': 'production' })).status).toBe(401);
    const unknown = await send({ Cookie: `stoa_staff=${TOKEN}`, 'X-Stoa-Dashboard': 'production' });
    expect([unknown.status, unknown.body.error.message]).toEqual([401, 'The staff session has ended.']);
    const both = { Cookie: cookie, 'X-Stoa-Dashboard': 'production', Authorization: 'Bearer svc_sk_live_00000000' };
    expect((await send(both)).status).toBe(401);
    const open = await send({ Cookie: cookie, 'X-Stoa-Dashboard': 'production' });
    expect([open.status, open.headers.get('access-control-allow-origin')]).toEqual([200, null]);
  });

  test('gets no header through a preflight of another origin', async () => {
    const response = await fetch(`${stoa.url}/v1/orders`, {
      method: 'OPTIONS',
      headers: {
        Origin: 'https://elsewhere.example',
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'content-type, X-Stoa-Dashboard,authorization',
      },
    });
    expect(response.headers.get('access-control-allow-headers')).toBe('content-type, authorization');
    expect(response.headers.get('access-control-allow-credentials')).toBeNull();
  });

  test('does not open a session’s endpoints to a key, nor sandbox tools to production', async () => {
    const keyed = await stoa.send('GET', '/v1/staff/session', { key: keys.secret_key });
    expect([keyed.status, keyed.body.error.message]).toEqual([403, 'A staff session is required.']);
    const tool = await dashboard(stoa, 'GET', '/v1/sandbox/messages', { cookie: owner.cookie });
    expect([tool.status, tool.body.error.hint]).toEqual([403, expect.stringContaining('sandbox')]);
    const inSandbox = await dashboard(stoa, 'GET', '/v1/sandbox/messages', {
      cookie: owner.cookie,
      environment: 'sandbox',
    });
    expect(inSandbox.status).toBe(200);
  });

  test('varies by the cookie, and revalidates an answer', async () => {
    const { cookie } = owner;
    const first = await dashboard(stoa, 'GET', '/v1/products', { cookie });
    expect(first.headers.get('vary')).toContain('Cookie, X-Stoa-Dashboard');
    const again = await dashboard(stoa, 'GET', '/v1/products', {
      cookie,
      headers: { 'If-None-Match': first.headers.get('etag')! },
    });
    expect(again.status).toBe(304);
  });
});
