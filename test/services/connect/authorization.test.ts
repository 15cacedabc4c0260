// Authorization requests as an app's page opens them: the consent page, redirects to the app, and errors.
import { beforeAll, describe, expect, test } from 'vitest';
import { NO_TENANT } from '#runtime/call/call.ts';
import { isRedirectUri } from '#services/connect/registration.ts';
import {
  type App,
  begin,
  calledBack,
  decide,
  exchange,
  form,
  pageOf,
  postForm,
  REDIRECT,
} from '#test/services/connect/flow.ts';
import { ok } from '#test/support/reply.ts';
import { type Keys, type Stoa, sharedStoa } from '#test/support/stoa.ts';

let stoa: Stoa;
let keys: Keys;
beforeAll(async () => {
  stoa = await sharedStoa();
  keys = await stoa.createStore({ name: 'Acme <b>Outdoor</b>' });
});

const open = (address: string): Promise<Response> => fetch(address, { redirect: 'manual' });

describe('the page', () => {
  test('names store, app and scopes in words, and allows no foreign content', async () => {
    const app = await begin(stoa, keys, {
      client_name: 'Planner "<i>2</i>"',
      scopes: ['catalog:read', 'catalog:write', 'orders:read'],
    });
    const response = await open(pageOf(app));
    const html = await response.text();
    expect(response.status).toBe(200);
    expect(html).toContain('Acme &lt;b&gt;Outdoor&lt;/b&gt;');
    expect(html).toContain('Planner &quot;&lt;i&gt;2&lt;/i&gt;&quot;');
    expect(html).toContain('See and change products');
    expect(html).toContain('See orders');
    expect(html).toContain('planner.example.com');
    const policy = response.headers.get('content-security-policy');
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("form-action 'self' https: http:;");
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('referrer-policy')).toBe('no-referrer');
  });

  test('blocks foreign scripts and framing of the consent page', async () => {
    const app = await begin(stoa, keys);
    const headers = { Origin: 'https://evil.example' };
    for (const [method, address] of [
      ['GET', pageOf(app)],
      ['POST', pageOf(app)],
      ['GET', `${stoa.url}/connect/${'A'.repeat(43)}`],
    ] as const) {
      const response = await fetch(address, { method, headers });
      expect([method, response.headers.get('access-control-allow-origin')]).toEqual([method, null]);
    }
    // Other responses let no script continue.
    const asked = { method: 'OPTIONS', headers: { ...headers, 'Access-Control-Request-Method': 'POST' } };
    expect((await fetch(pageOf(app), asked)).status).toBe(405);
  });

  test('redirects to an app’s own scheme where the app has one', async () => {
    const app = await begin(stoa, keys, { redirect_uri: 'com.example.planner:/callback' });
    const policy = (await open(pageOf(app))).headers.get('content-security-policy');
    expect(policy).toContain("form-action 'self' com.example.planner:;");
  });

  test('redirects with code, state and issuer when allowed, with access_denied when denied', async () => {
    const back = calledBack(await decide(await begin(stoa, keys), 'allow'));
    expect([back.get('state'), back.get('iss'), back.has('code')]).toEqual(['st4te', stoa.url, true]);
    const denied = calledBack(await decide(await begin(stoa, keys), 'deny'));
    expect([denied.get('error'), denied.get('state'), denied.has('code')]).toEqual(['access_denied', 'st4te', false]);
  });

  test('takes one decision of 20 simultaneous ones', async () => {
    const app = await begin(stoa, keys);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) => decide(app, at % 2 === 0 ? 'allow' : 'deny')),
    );
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(19);
    expect((await open(pageOf(app))).status).toBe(409);
    const { sessions } = (await stoa.send('GET', '/v1/connect/sessions', { key: keys.secret_key })).body;
    const own = sessions.find(({ id }: { id: string }) => id === app.session.id);
    expect(['authorized', 'denied']).toContain(own.status);
    expect(own.connect_url).toBeNull();
  });

  test('refuses an expired session', async () => {
    const app = await begin(stoa, keys, { key: keys.secret_test_key });
    await stoa.send('POST', '/v1/sandbox/time-travel', { key: keys.secret_test_key, body: { advance_seconds: 1_801 } });
    expect((await open(pageOf(app))).status).toBe(409);
    expect((await decide(app, 'allow')).status).toBe(409);
    const { sessions } = (await stoa.send('GET', '/v1/connect/sessions', { key: keys.secret_test_key })).body;
    expect(sessions[0]).toMatchObject({ id: app.session.id, status: 'expired', connect_url: null });
  });

  test('requires a decision', async () => {
    const app = await begin(stoa, keys);
    expect((await decide(app, 'perhaps')).status).toBe(400);
    expect((await open(pageOf(app))).status).toBe(200);
  });

  test.each([
    ['another client', { client_id: 'app_other' }],
    ['no client', { client_id: '' }],
    ['another address', { redirect_uri: 'https://evil.example/callback' }],
    ['a path behind it', { redirect_uri: `${REDIRECT}/more` }],
    ['a query behind it', { redirect_uri: `${REDIRECT}?x=1` }],
    ['another letter case', { redirect_uri: 'https://Planner.example.com/callback' }],
    ['its port written out', { redirect_uri: 'https://planner.example.com:443/callback' }],
    ['a fragment', { redirect_uri: `${REDIRECT}#` }],
    ['a user', { redirect_uri: 'https://planner.example.com@evil.example/callback' }],
    ['a dotted path', { redirect_uri: 'https://planner.example.com/x/../callback' }],
    ['a percent sign', { redirect_uri: 'https://planner.example.com/%63allback' }],
    ['http', { redirect_uri: 'http://planner.example.com/callback' }],
    ['no address', { redirect_uri: '' }],
  ])('with %s shows an error and sends the browser nowhere', async (_name, wrong) => {
    const app = await begin(stoa, keys);
    for (const response of [await open(pageOf(app, wrong)), await decide(app, 'allow', wrong)]) {
      expect(response.status).toBe(400);
      expect(response.headers.get('location')).toBeNull();
    }
  });

  const SPELLINGS = {
    letters: 'https://bücher.example/callback',
    decomposed: 'https://bu\u0308cher.example/callback',
    punycode: 'https://xn--bcher-kva.example/callback',
    capitals: 'https://BÜCHER.example/callback',
  };
  const names = Object.keys(SPELLINGS) as (keyof typeof SPELLINGS)[];

  test.each(names.flatMap((own) => names.filter((name) => name !== own).map((name) => [own, name] as const)))(
    'of an app that registered its international name in %s refuses it in %s',
    async (own, name) => {
      const app = await begin(stoa, keys, { redirect_uri: SPELLINGS[own] });
      for (const response of [
        await open(pageOf(app, { redirect_uri: SPELLINGS[name] })),
        await decide(app, 'allow', { redirect_uri: SPELLINGS[name] }),
      ])
        expect([response.status, response.headers.get('location')]).toEqual([400, null]);
    },
  );

  test.each([
    ...Object.values(SPELLINGS).map((address) => [address, SPELLINGS.punycode]),
    [
      'https://書店.example/受け取り?店=一',
      `https://xn--hxt89p.example/${encodeURIComponent('受け取り')}?${encodeURI('店=一')}`,
    ],
  ])('of an app at %s leads there by the name that browsers look up', async (address, looked) => {
    const app = await begin(stoa, keys, { redirect_uri: address });
    expect(await (await open(pageOf(app))).text()).toContain(`lead to ${new URL(address).host}`);
    const response = await decide(app, 'allow');
    expect(response.status).toBe(303);
    expect(response.headers.get('location')).toMatch(/^[\x21-\x7e]+$/);
    expect(response.headers.get('location')!.startsWith(looked!)).toBe(true);
    const issued = await exchange(stoa, app, calledBack(response).get('code')!);
    expect(issued.status, JSON.stringify(issued.body)).toBe(200);
  });

  test.each([
    ['a plain challenge', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['no method', { code_challenge_method: '' }, 'invalid_request'],
    ['no challenge', { code_challenge: '' }, 'invalid_request'],
    ['a short challenge', { code_challenge: 'abc' }, 'invalid_request'],
    ['the implicit flow', { response_type: 'token' }, 'unsupported_response_type'],
    ['no response type', { response_type: '' }, 'invalid_request'],
    ['a scope that was not named', { scope: 'orders:write' }, 'invalid_scope'],
    ['a scope that is none', { scope: 'everything' }, 'invalid_scope'],
  ])('with %s tells the app', async (_name, wrong, error) => {
    const app = await begin(stoa, keys);
    const back = calledBack(await open(pageOf(app, wrong)));
    expect([back.get('error'), back.get('state')]).toEqual([error, 'st4te']);
  });

  test('refuses a repeated parameter', async () => {
    const app = await begin(stoa, keys);
    expect((await open(`${pageOf(app)}&client_id=app_other`)).status).toBe(400);
  });

  test('answers 404 without a session', async () => {
    const app = await begin(stoa, keys);
    const other = `${stoa.url}/connect/${'A'.repeat(43)}?${form(app.parameters)}`;
    expect((await open(other)).status).toBe(404);
    expect((await open(`${stoa.url}/connect/short`)).status).toBe(404);
  });

  test('grants fewer scopes where the app requests fewer', async () => {
    const app = await begin(stoa, keys);
    const html = await (await open(pageOf(app, { scope: 'orders:read' }))).text();
    expect(html).toContain('See orders');
    expect(html).not.toContain('See products');
  });
});

describe('POST /v1/connect/authorize/validate', () => {
  const validate = (app: App, more: Record<string, string> = {}) =>
    postForm(stoa, '/v1/connect/authorize/validate', { ...app.parameters, ...more });

  // "Connect authorize validate, token and revoke: public, OAuth-style client credentials."
  test('describes the consent page to forms and JSON alike', async () => {
    const app = await begin(stoa, keys);
    const expected = {
      valid: true,
      client_name: 'Parcel Planner',
      store_name: 'Acme <b>Outdoor</b>',
      scopes: ['catalog:read', 'orders:read'],
    };
    expect((await validate(app)).body).toEqual(expected);
    const json = await stoa.send('POST', '/v1/connect/authorize/validate', { body: app.parameters });
    expect(json.body).toEqual(expected);
  });

  test.each([
    [{ client_id: 'app_other' }, 'invalid_request'],
    [{ redirect_uri: `${REDIRECT}/` }, 'invalid_request'],
    [{ response_type: 'token' }, 'unsupported_response_type'],
    [{ code_challenge_method: 'plain' }, 'invalid_request'],
    [{ scope: 'orders:write' }, 'invalid_scope'],
  ])('answers %j with %s', async (wrong, error) => {
    const answer = await validate(await begin(stoa, keys), wrong);
    expect([answer.status, answer.body.error]).toEqual([400, error]);
  });

  test('finds no session that was decided', async () => {
    const app = await begin(stoa, keys);
    await decide(app, 'deny');
    expect((await validate(app)).body.error).toBe('invalid_request');
  });

  test('matches any pending session of the client, whatever became of its others', async () => {
    const planner = { name: 'Planner', redirect_uris: [REDIRECT] };
    const { client_id } = ok(await stoa.services.runtime.ask('ConnectAdmin/CreateClient', NO_TENANT, planner));
    const app = await begin(stoa, keys, { client_id, scopes: ['catalog:read'] });
    const other = await stoa.createStore();
    const travel = (advance_seconds: number) =>
      stoa.send('POST', '/v1/sandbox/time-travel', { key: other.secret_test_key, body: { advance_seconds } });
    await travel(86_400);
    await begin(stoa, other, { key: other.secret_test_key, client_id });
    await travel(1_801);
    const shown = { valid: true, client_name: 'Planner', store_name: 'Acme <b>Outdoor</b>', scopes: ['catalog:read'] };
    expect((await validate(app)).body, 'a newer one is over').toEqual(shown);
    await begin(stoa, other, { client_id, scopes: ['orders:read'] });
    expect((await validate(app, { scope: 'catalog:read' })).body, 'a newer one has other scopes').toEqual(shown);
  });
});

describe('a session', () => {
  const create = (body: Record<string, unknown>) =>
    stoa.send('POST', '/v1/connect/sessions', {
      key: keys.secret_key,
      body: { client_name: 'Planner', redirect_uri: REDIRECT, scopes: ['orders:read'], ...body },
    });

  test.each([
    [{ client_name: ' ' }, 'client_name'],
    [{ client_name: 'x'.repeat(101) }, 'client_name'],
    [{ client_name: 'Planner\nThis app is checked' }, 'client_name'],
    [{ client_name: 'Planner \u202e)deifirev(' }, 'client_name'],
    [{ client_name: 'Planner\u2028more' }, 'client_name'],
    [{ redirect_uri: 'http://planner.example.com/callback' }, 'redirect_uri'],
    [{ redirect_uri: 'javascript:alert(1)' }, 'redirect_uri'],
    [{ scopes: [] }, 'scopes'],
    [{ scopes: ['orders:read', 'orders:delete'] }, 'scopes[1]'],
  ])('of %j is refused at %s', async (wrong, param) => {
    const reply = await create(wrong);
    expect([reply.status, reply.body.error.param]).toEqual([400, param]);
  });

  test('answers 404 for another store’s client or none, and 400 for another address', async () => {
    const other = await begin(stoa, await stoa.createStore());
    for (const client_id of [other.session.client_id, 'app_nobody'])
      expect((await create({ client_id })).status).toBe(404);
    const own = await begin(stoa, keys);
    const elsewhere = await create({ client_id: own.session.client_id, redirect_uri: 'https://other.example.com/' });
    expect([elsewhere.status, elsewhere.body.error.param]).toEqual([400, 'redirect_uri']);
    expect((await create({ client_id: own.session.client_id })).status).toBe(201);
  });

  // "Secret key required: … list connect sessions"
  test('lists sessions newest first, to their own store alone', async () => {
    const shop = await stoa.createStore();
    const first = await begin(stoa, shop);
    const second = await begin(stoa, shop);
    const page = await stoa.send('GET', '/v1/connect/sessions?limit=1', { key: shop.secret_key });
    expect(page.body.sessions[0]).toEqual(second.session);
    const rest = await stoa.send('GET', `/v1/connect/sessions?limit=1&cursor=${page.body.pagination.next_cursor}`, {
      key: shop.secret_key,
    });
    expect([rest.body.sessions[0], rest.body.pagination.has_more]).toEqual([first.session, false]);
    expect((await stoa.send('GET', '/v1/connect/sessions', { key: shop.publishable_key })).status).toBe(403);
    expect((await stoa.send('GET', '/v1/connect/sessions', { key: shop.secret_test_key })).body.sessions).toEqual([]);
  });
});

test.each([
  ['https://app.example.com/callback', true],
  ['https://app.example.com:8443/callback?x=1', true],
  ['http://localhost:3000/callback', true],
  ['http://127.0.0.1/callback', true],
  ['http://[::1]:9/callback', true],
  ['com.example.app:/callback', true],
  ['https://bücher.example/callback', true],
  ['http://app.example.com/callback', false],
  ['https://app.example.com/#', false],
  ['https://user@app.example.com/', false],
  ['https://user:secret@app.example.com/', false],
  ['https:app.example.com', false],
  ['https:\\\\app.example.com\\x', false],
  ['HTTPS://app.example.com/', false],
  ['https://app.example.com/ x', false],
  ['https://app.example.com/\nx', false],
  ['javascript:alert(1)', false],
  ['data:text/html,x', false],
  ['file:///etc/passwd', false],
  ['app:/callback', false],
  ['/callback', false],
  ['', false],
])('%j may be an app’s redirect address: %s', (uri, good) => {
  expect(isRedirectUri(uri)).toBe(good);
});
