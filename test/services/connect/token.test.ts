// Codes, tokens and what ends them, over HTTP: used twice, used by another, used late, used by many at once.
import { beforeAll, describe, expect, test } from 'vitest';
import {
  begin,
  calledBack,
  connected,
  decide,
  exchange,
  postForm,
  reads,
  refresh,
} from '#test/services/connect/flow.ts';
import { type Keys, type Stoa, sharedStoa } from '#test/support/stoa.ts';

let stoa: Stoa;
let keys: Keys;
beforeAll(async () => {
  stoa = await sharedStoa();
  keys = await stoa.createStore();
});

const allowed = async () => {
  const app = await begin(stoa, keys);
  return { app, code: calledBack(await decide(app, 'allow')).get('code')! };
};

describe('an authorization code', () => {
  test('issues tokens in the form that OAuth clients read', async () => {
    const { app, code } = await allowed();
    const { status, headers, body } = await exchange(stoa, app, code);
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toContain('no-store');
    expect(body).toEqual({
      access_token: expect.stringMatching(/^svc_at_live_/),
      token_type: 'Bearer',
      expires_in: 3600,
      refresh_token: expect.stringMatching(/^svc_rt_live_/),
      scope: 'catalog:read orders:read',
      store_id: keys.store_id,
    });
    expect((await reads(stoa, String(body.access_token))).status).toBe(200);
  });

  test.each([
    ['another verifier', { code_verifier: 'a'.repeat(43) }, 'invalid_grant'],
    ['a short verifier', { code_verifier: 'short' }, 'invalid_grant'],
    ['no verifier', { code_verifier: '' }, 'invalid_request'],
    ['another address', { redirect_uri: 'https://planner.example.com/callback/' }, 'invalid_grant'],
    ['no address', { redirect_uri: '' }, 'invalid_grant'],
    ['another code', { code: 'svc_ac_live_nothing' }, 'invalid_grant'],
    ['no code', { code: '' }, 'invalid_request'],
    ['an unknown client', { client_id: 'app_nobody' }, 'invalid_client'],
    ['a secret of a client that has none', { client_secret: 'x' }, 'invalid_client'],
    ['no client', { client_id: '' }, 'invalid_request'],
    ['another grant type', { grant_type: 'password' }, 'unsupported_grant_type'],
  ])('with %s gives nothing, and is still good', async (_name, wrong, error) => {
    const { app, code } = await allowed();
    const refused = await exchange(stoa, app, code, wrong);
    expect([refused.status, refused.body.error]).toEqual([error === 'invalid_client' ? 401 : 400, error]);
    expect(refused.body.error_description).toEqual(expect.any(String));
    if (error === 'invalid_client') expect(refused.headers.get('www-authenticate')).toMatch(/^Basic/);
    expect((await exchange(stoa, app, code)).status).toBe(200);
  });

  test('refuses another client’s code', async () => {
    const { code } = await allowed();
    const other = await begin(stoa, keys);
    expect((await exchange(stoa, other, code)).body.error).toBe('invalid_grant');
  });

  test('revokes its grant when a code is used again', async () => {
    const { code, tokens, ...app } = await connected(stoa, keys);
    expect((await exchange(stoa, app, code)).body.error).toBe('invalid_grant');
    expect((await reads(stoa, tokens.access_token)).status).toBe(401);
    expect((await refresh(stoa, app, tokens.refresh_token)).body.error).toBe('invalid_grant');
  });

  test('exchanges a code once for 20 simultaneous uses, then revokes the grant', async () => {
    const { app, code } = await allowed();
    const answers = await Promise.all(Array.from({ length: 20 }, () => exchange(stoa, app, code)));
    const given = answers.filter(({ status }) => status === 200);
    expect(given).toHaveLength(1);
    for (const { status, body } of answers) if (status !== 200) expect(body.error).toBe('invalid_grant');
    expect((await reads(stoa, String(given[0]!.body.access_token))).status).toBe(401);
  });

  test('expires a code after a minute of the store’s clock', async () => {
    const app = await begin(stoa, keys, { key: keys.secret_test_key });
    const code = calledBack(await decide(app, 'allow')).get('code')!;
    const travelled = await stoa.send('POST', '/v1/sandbox/time-travel', {
      key: keys.secret_test_key,
      body: { advance_seconds: 61 },
    });
    expect(travelled.status, travelled.text).toBe(200);
    expect((await exchange(stoa, app, code)).body.error).toBe('invalid_grant');
  });
});

describe('a refresh token', () => {
  test('replaces a refresh token; the earlier access token stays valid until its end', async () => {
    const { tokens, ...app } = await connected(stoa, keys);
    const next = await refresh(stoa, app, tokens.refresh_token);
    expect(next.status, JSON.stringify(next.body)).toBe(200);
    expect(next.body.refresh_token).not.toBe(tokens.refresh_token);
    expect((await reads(stoa, String(next.body.access_token))).status).toBe(200);
    expect((await reads(stoa, tokens.access_token)).status).toBe(200);
  });

  test('revokes the grant and newer tokens when a refresh token is used again', async () => {
    const { tokens, ...app } = await connected(stoa, keys);
    const next = await refresh(stoa, app, tokens.refresh_token);
    expect((await refresh(stoa, app, tokens.refresh_token)).body.error).toBe('invalid_grant');
    expect((await reads(stoa, String(next.body.access_token))).status).toBe(401);
    expect((await refresh(stoa, app, String(next.body.refresh_token))).body.error).toBe('invalid_grant');
    const { grants } = (await stoa.send('GET', '/v1/connect/grants', { key: keys.secret_key })).body;
    expect(grants.map(({ client_id }: { client_id: string }) => client_id)).not.toContain(app.session.client_id);
  });

  test('exchanges a refresh token at most once for 20 simultaneous uses', async () => {
    const { tokens, ...app } = await connected(stoa, keys);
    const answers = await Promise.all(Array.from({ length: 20 }, () => refresh(stoa, app, tokens.refresh_token)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test('expires a refresh token 90 days after its last use', async () => {
    const shop = await stoa.createStore();
    const { tokens, ...app } = await connected(stoa, shop, { key: shop.secret_test_key });
    const travel = async (days: number) => {
      const body = { advance_seconds: days * 86_400 };
      const travelled = await stoa.send('POST', '/v1/sandbox/time-travel', { key: shop.secret_test_key, body });
      expect(travelled.status, travelled.text).toBe(200);
    };
    await travel(89);
    const next = await refresh(stoa, app, tokens.refresh_token);
    expect(next.status, JSON.stringify(next.body)).toBe(200);
    const whoHasAccess = async () =>
      (await stoa.send('GET', '/v1/connect/grants', { key: shop.secret_test_key })).body.grants;
    expect(await whoHasAccess()).toHaveLength(1);
    await travel(91);
    expect((await refresh(stoa, app, String(next.body.refresh_token))).body.error).toBe('invalid_grant');
    expect(await whoHasAccess()).toEqual([]);
  });

  test('issues fewer scopes on request, never more', async () => {
    const { tokens, ...app } = await connected(stoa, keys);
    const fewer = await refresh(stoa, app, tokens.refresh_token, { scope: 'catalog:read' });
    expect(fewer.body.scope).toBe('catalog:read');
    expect((await reads(stoa, String(fewer.body.access_token), '/v1/orders')).status).toBe(403);
    const again = await refresh(stoa, app, String(fewer.body.refresh_token));
    expect(again.body.scope).toBe('catalog:read orders:read');
    const more = await refresh(stoa, app, String(again.body.refresh_token), { scope: 'orders:write' });
    expect(more.body.error).toBe('invalid_scope');
  });
});

describe('an access token', () => {
  test('expires an access token after an hour of the store’s clock', async () => {
    const { tokens, ...app } = await connected(stoa, keys, { key: keys.secret_test_key });
    expect((await reads(stoa, tokens.access_token)).headers.get('svc-environment')).toBe('sandbox');
    const travelled = await stoa.send('POST', '/v1/sandbox/time-travel', {
      key: keys.secret_test_key,
      body: { advance_seconds: 3_601 },
    });
    expect(travelled.body.fired).toContainEqual({ type: 'access_token.expired', count: expect.any(Number) });
    expect((await reads(stoa, tokens.access_token)).status).toBe(401);
    expect((await refresh(stoa, app, tokens.refresh_token)).status).toBe(200);
  });

  test('revokes an access token at once and keeps the refresh token', async () => {
    const { tokens, ...app } = await connected(stoa, keys);
    expect((await reads(stoa, tokens.access_token)).status).toBe(200);
    const { client_id } = app.session;
    const revoked = await postForm(stoa, '/v1/connect/revoke', { token: tokens.access_token, client_id });
    expect([revoked.status, revoked.body]).toEqual([200, {}]);
    expect((await reads(stoa, tokens.access_token)).status).toBe(401);
    expect((await refresh(stoa, app, tokens.refresh_token)).status).toBe(200);
  });

  test('ends an access token with its refresh token and with its grant', async () => {
    const one = await connected(stoa, keys);
    await postForm(stoa, '/v1/connect/revoke', {
      token: one.tokens.refresh_token,
      client_id: one.session.client_id,
      token_type_hint: 'refresh_token',
    });
    expect((await reads(stoa, one.tokens.access_token)).status).toBe(401);

    const two = await connected(stoa, keys);
    expect((await reads(stoa, two.tokens.access_token)).status).toBe(200);
    const { grants } = (await stoa.send('GET', '/v1/connect/grants', { key: keys.secret_key })).body;
    const own = grants.find(({ client_id }: { client_id: string }) => client_id === two.session.client_id);
    expect(own).toMatchObject({ client_name: 'Parcel Planner', scopes: ['catalog:read', 'orders:read'] });
    const ended = await stoa.send('DELETE', `/v1/connect/grants/${own.id}`, { key: keys.secret_key });
    expect(ended.body).toEqual({ deleted: true, id: own.id });
    expect((await reads(stoa, two.tokens.access_token)).status).toBe(401);
    expect((await stoa.send('DELETE', `/v1/connect/grants/${own.id}`, { key: keys.secret_key })).status).toBe(404);
  });

  test('answers 200 without effect when the token is another client’s, unknown or malformed', async () => {
    const { tokens } = await connected(stoa, keys);
    const other = await begin(stoa, keys);
    for (const token of [tokens.access_token, tokens.refresh_token, 'nonsense', '']) {
      const clients: Record<string, string>[] = [
        { client_id: other.session.client_id },
        { client_id: 'app_nobody' },
        { client_secret: 'x' },
      ];
      for (const client of clients) {
        const answer = await postForm(stoa, '/v1/connect/revoke', { token, ...client });
        expect([answer.status, answer.body]).toEqual([200, {}]);
      }
    }
    expect((await reads(stoa, tokens.access_token)).status).toBe(200);
  });

  test('revokes a token for its holder without client credentials', async () => {
    const { tokens } = await connected(stoa, keys);
    expect((await postForm(stoa, '/v1/connect/revoke', { token: tokens.refresh_token })).status).toBe(200);
    expect((await reads(stoa, tokens.access_token)).status).toBe(401);
  });

  test('accepts no token in the address', async () => {
    const { tokens } = await connected(stoa, keys);
    const reply = await stoa.send('GET', `/v1/orders?access_token=${tokens.access_token}`);
    expect([reply.status, reply.body.error.code]).toEqual([401, 'unauthorized']);
  });

  test('opens only its own store', async () => {
    const { tokens } = await connected(stoa, keys);
    const other = await stoa.createStore();
    const made = await stoa.send('POST', '/v1/products', { key: other.secret_key, body: { name: 'Lamp', price: 10 } });
    expect((await reads(stoa, tokens.access_token, `/v1/products/${made.body.id}`)).status).toBe(404);
  });

  test('deletes tokens with a reset of the sandbox', async () => {
    const { tokens } = await connected(stoa, keys, { key: keys.secret_test_key });
    expect((await reads(stoa, tokens.access_token)).status).toBe(200);
    const reset = await stoa.send('POST', '/v1/sandbox/reset', { key: keys.secret_test_key, body: {} });
    expect(reset.status, reset.text).toBe(200);
    expect((await reads(stoa, tokens.access_token)).status).toBe(401);
  });
});

test('takes JSON and forms at the token endpoints, and answers errors in OAuth’s form', async () => {
  const { app, code } = await allowed();
  const { client_id, redirect_uri } = app.session;
  const body = { grant_type: 'authorization_code', code, redirect_uri, client_id, code_verifier: app.verifier };
  const issued = await stoa.send('POST', '/v1/connect/token', { body });
  expect(issued.status, issued.text).toBe(200);
  const revoked = await stoa.send('POST', '/v1/connect/revoke', {
    body: { token: issued.body.access_token, client_id },
  });
  expect([revoked.status, revoked.body]).toEqual([200, {}]);
  for (const long of [{ token: 'x'.repeat(5_000) }, { token: 'x', token_type_hint: 'y'.repeat(5_000) }]) {
    const passed = await stoa.send('POST', '/v1/connect/revoke', { body: { ...long, client_id } });
    expect([passed.status, passed.body]).toEqual([200, {}]);
  }
  for (const wrong of ['{', [], { ...body, code: 7 }, { ...body, code: 'x'.repeat(201) }]) {
    const refused = await stoa.send('POST', '/v1/connect/token', { body: wrong });
    expect([refused.status, refused.body.error]).toEqual([400, 'invalid_request']);
  }
});

test('stores no code, token or secret in readable form', async () => {
  const { tokens, code, session } = await connected(stoa, keys);
  const { sql } = stoa.services.runtime.postgres;
  const rows = await sql`
    select coalesce(string_agg(t::text, ' '), '') as text from (
      select row_to_json(c) as t from connect.credential as c
      union all select row_to_json(s) from connect.session as s
    ) as all_rows`;
  const text = String(rows[0]!.text);
  for (const secret of [tokens.access_token, tokens.refresh_token, code, session.connect_url!.split('/').at(-1)!])
    expect(text).not.toContain(secret);
});

test.each([
  ['client_id', { client_id: 'a\0b' }, {}],
  ['refresh_token', { client_id: 'app_x', refresh_token: '\0' }, {}],
  ['Basic header', {}, { Authorization: `Basic ${btoa('a\0b:x')}` }],
  ['encoded Basic header', {}, { Authorization: `Basic ${btoa('a%00b:x')}` }],
])('NUL in a %s is a mistake of the client', async (_name, wrong, headers) => {
  const values = { grant_type: 'refresh_token', refresh_token: 'x', token: 'x', ...wrong };
  for (const path of ['/v1/connect/token', '/v1/connect/authorize/validate'])
    expect((await postForm(stoa, path, values, headers)).status).toBeOneOf([400, 401]);
  expect((await postForm(stoa, '/v1/connect/revoke', values, headers)).status).toBe(200);
});
