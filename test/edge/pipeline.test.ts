// The contract's common rules over HTTP: check order, strict bodies, the error object, tags, idempotency, throttles.
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { NO_TENANT } from '#runtime/call/call.ts';
import { eventually } from '#test/support/server.ts';
import { sendRaw } from '#test/support/socket.ts';
import { type Keys, type Reply, type Stoa, sharedStoa } from '#test/support/stoa.ts';
import { awayFromWindowEnd } from '#test/support/window.ts';

let stoa: Stoa;
let keys: Keys;
let other: Keys;

beforeAll(async () => {
  stoa = await sharedStoa();
  keys = await stoa.createStore();
  other = await stoa.createStore();
});

const patch = (body: unknown, headers: Record<string, string> = {}): Promise<Reply> =>
  stoa.send('PATCH', '/v1/store', { key: keys.secret_key, body, headers });
const errorOf = ({ status, body }: Reply) => [status, body.error.code, body.error.param];

describe('the order of checks', () => {
  test.each<[string, string, string, string | undefined, number, string]>([
    ['an unknown path is 404 even without a key', 'GET', '/v1/nothing', undefined, 404, 'not_found'],
    ['a trailing slash is another path', 'GET', '/v1/store/', undefined, 404, 'not_found'],
    ['a wrong verb is 405 even without a key', 'DELETE', '/v1/store', undefined, 405, 'method_not_allowed'],
    ['no key is 401', 'GET', '/v1/store', undefined, 401, 'unauthorized'],
    ['an unknown key is 401', 'GET', '/v1/store', 'svc_sk_live_doesnotexist0000000000', 401, 'unauthorized'],
    ['no key is 401 before a bad body is looked at', 'PATCH', '/v1/store', undefined, 401, 'unauthorized'],
  ])('%s', async (_name, verb, path, key, status, code) => {
    const options = verb === 'PATCH' ? { body: '{broken' } : {};
    const reply = await stoa.send(verb, path, key ? { ...options, key } : options);
    expect([reply.status, reply.body.error.code]).toEqual([status, code]);
  });

  test('405 says what the path takes', async () => {
    expect((await stoa.send('DELETE', '/v1/store')).headers.get('allow')).toBe('GET, HEAD, PATCH');
  });

  test('a publishable key is 403 with a hint before the body is looked at', async () => {
    const reply = await stoa.send('PATCH', '/v1/store', { key: keys.publishable_key, body: '{broken' });
    expect(errorOf(reply)).toEqual([403, 'forbidden', undefined]);
    expect(reply.body.error.hint).toMatch(/secret key/);
  });

  test('a test key may not write what both environments share', async () => {
    const reply = await stoa.send('PATCH', '/v1/store', { key: keys.secret_test_key, body: { name: 'x' } });
    expect(errorOf(reply).slice(0, 2)).toEqual([403, 'forbidden']);
    expect(reply.body.error.hint).toBeTruthy();
  });

  test.each(['Basic abc', 'Bearer', 'Bearer svc_sk_live_', 'Bearer svc_xx_live_abcdefgh', 'svc_sk_live_abcdefgh'])(
    'the credential %s is 401',
    async (authorization) => {
      const reply = await stoa.send('GET', '/v1/store', { headers: { Authorization: authorization } });
      expect(reply.status).toBe(401);
    },
  );

  test('a key never shows in an error', async () => {
    const reply = await stoa.send('GET', '/v1/store', { key: `${keys.secret_key}x` });
    expect(reply.text).not.toContain(keys.secret_key);
  });
});

describe('a body', () => {
  test.each([
    ['that is no JSON', '{"name":', undefined],
    ['with a duplicate key', '{"name":"a","name":"b"}', 'name'],
    ['with NUL in a text', '{"name":"a\\u0000"}', 'name'],
    ['with a lone surrogate', '{"name":"\\ud800"}', 'name'],
    ['with a number beyond a double', '{"return_window_days":1e999}', 'return_window_days'],
    ['that is a list', '[]', undefined],
    ['that is null', 'null', undefined],
    ['with a byte-order mark', '\ufeff{}', undefined],
    ['nested too deep', `{"branding":${'['.repeat(40)}${']'.repeat(40)}}`, undefined],
    ['with the wrong type', '{"name":7}', 'name'],
    ['with null where it may not be', '{"allowed_redirect_origins":[null]}', 'allowed_redirect_origins[0]'],
    ['with a fraction for a whole number', '{"return_window_days":1.5}', 'return_window_days'],
    ['with a number out of bounds', '{"return_window_days":-1}', 'return_window_days'],
    ['with a bad nested field', '{"feeds":{"llms_enabled":"yes"}}', 'feeds.llms_enabled'],
    ['with a bad list item', '{"allowed_redirect_origins":["https://a.example",7]}', 'allowed_redirect_origins[1]'],
  ])('%s is 400 and changes nothing', async (_name, body, param) => {
    const before = await stoa.send('GET', '/v1/store', { key: keys.secret_key });
    expect(errorOf(await patch(body))).toEqual([400, 'invalid_request', param]);
    expect((await stoa.send('GET', '/v1/store', { key: keys.secret_key })).text).toBe(before.text);
  });

  test.each(['19.99999999999999999', '1e-400', '20.00000000000000000001', '99999999.990000000001', '"20"', '20.001'])(
    'with an amount is judged by its text: %s is 400',
    async (amount) => {
      for (const [path, body, param] of [
        ['/v1/products', `{"name":"Cup","price":${amount}}`, 'price'],
        ['/v1/gift-cards', `{"amount":${amount}}`, 'amount'],
        ['/v1/promotions', `{"name":"Less","type":"fixed_amount","value":${amount}}`, 'value'],
      ] as const)
        expect(errorOf(await stoa.send('POST', path, { key: keys.secret_key, body }))).toEqual([
          400,
          'invalid_request',
          param,
        ]);
    },
  );

  test('answers 400 to invalid UTF-8', async () => {
    expect((await patch(new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x7d]))).status).toBe(400);
  });

  test.each(['text/plain', 'application/xml', 'application/json; charset=latin1', 'multipart/form-data', ''])(
    'of type "%s" is 415',
    async (type) => {
      expect(errorOf(await patch('{}', { 'Content-Type': type })).slice(0, 2)).toEqual([415, 'unsupported_media_type']);
    },
  );

  test.each([
    'application/json',
    'APPLICATION/JSON',
    'application/json; charset=utf-8',
    'application/json;charset="UTF-8"',
  ])('of type %s is taken', async (type) => {
    expect((await patch('{}', { 'Content-Type': type })).status).toBe(200);
  });

  test('answers 400 to a compressed body', async () => {
    expect((await patch(Bun.gzipSync('{}'), { 'Content-Encoding': 'gzip' })).status).toBe(400);
  });

  test('over 1 MiB is 413, whether its length is told or not', async () => {
    const large = JSON.stringify({ description: 'x'.repeat(1_100_000) });
    expect(errorOf(await patch(large)).slice(0, 2)).toEqual([413, 'payload_too_large']);
    const stream = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode(large));
        controller.close();
      },
    });
    const response = await fetch(`${stoa.url}/v1/store`, {
      method: 'PATCH',
      headers: { Authorization: `Bearer ${keys.secret_key}`, 'Content-Type': 'application/json' },
      body: stream,
    });
    expect(response.status).toBe(413);
  });

  test('announced as huge is refused without waiting for it', async () => {
    const answer = await sendRaw(
      stoa.url,
      `PATCH /v1/store HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${keys.secret_key}\r\nContent-Type: application/json\r\nContent-Length: 99999999\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1.1 413/);
    expect(answer).toContain('payload_too_large');
  });

  test('drops unknown fields', async () => {
    const reply = await patch({ description: 'known', nonsense: { deep: true }, __proto__x: 1 });
    expect(reply.status).toBe(200);
    expect(reply.body.store).not.toHaveProperty('nonsense');
  });
});

describe('answers', () => {
  test('carry the common headers', async () => {
    const { headers } = await stoa.send('GET', '/v1/store', { key: keys.publishable_test_key });
    expect(headers.get('svc-environment')).toBe('sandbox');
    expect(headers.get('cache-control')).toBe('private, max-age=0, must-revalidate');
    expect(headers.get('vary')).toContain('Authorization');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    for (const name of [
      'etag',
      'x-cache',
      'x-request-id',
      'server-timing',
      'x-ratelimit-limit',
      'x-ratelimit-remaining',
      'x-ratelimit-reset',
    ])
      expect(headers.get(name), name).toBeTruthy();
  });

  test('echo a request id and replace a bad one', async () => {
    const sent = await stoa.send('GET', '/v1/nothing', { headers: { 'X-Request-Id': 'mine-1.2_3' } });
    expect([sent.headers.get('x-request-id'), sent.body.error.request_id]).toEqual(['mine-1.2_3', 'mine-1.2_3']);
    const bad = await stoa.send('GET', '/v1/nothing', { headers: { 'X-Request-Id': 'a b' } });
    expect(bad.headers.get('x-request-id')).toMatch(/^req_/);
  });

  test('allow cross-origin scripts for publishable keys only', async () => {
    const open = await stoa.send('GET', '/v1/store', { key: keys.publishable_key });
    const closed = await stoa.send('GET', '/v1/store', { key: keys.secret_key });
    expect([
      open.headers.get('access-control-allow-origin'),
      closed.headers.get('access-control-allow-origin'),
    ]).toEqual(['*', null]);
    expect(open.headers.get('access-control-allow-credentials')).toBeNull();
  });

  test('list the verbs in a preflight response', async () => {
    const { status, headers } = await stoa.send('OPTIONS', '/v1/store', {
      headers: { 'Access-Control-Request-Method': 'PATCH' },
    });
    expect([status, headers.get('access-control-allow-methods')]).toEqual([204, 'GET, HEAD, PATCH']);
    for (const name of ['Authorization', 'X-Session-Id', 'X-Auth-Token'])
      expect(headers.get('access-control-allow-headers')).toContain(name);
  });

  test('carry the headers of GET and no body on HEAD', async () => {
    const get = await stoa.send('GET', '/v1/store', { key: keys.secret_key });
    const head = await stoa.send('HEAD', '/v1/store', { key: keys.secret_key });
    expect([head.status, head.text]).toEqual([200, '']);
    for (const name of ['etag', 'content-length', 'content-type', 'cache-control', 'vary'])
      expect(head.headers.get(name), name).toBe(get.headers.get(name));
  });

  test('revalidate by their tag', async () => {
    const first = await stoa.send('GET', '/v1/store', { key: keys.secret_key });
    const etag = first.headers.get('etag') as string;
    const again = await stoa.send('GET', '/v1/store', { key: keys.secret_key, headers: { 'If-None-Match': etag } });
    expect([again.status, again.text, again.headers.get('x-cache'), again.headers.get('etag')]).toEqual([
      304,
      '',
      'HIT-304',
      etag,
    ]);
    await patch({ description: `changed ${Math.random()}` });
    const changed = await stoa.send('GET', '/v1/store', { key: keys.secret_key, headers: { 'If-None-Match': etag } });
    expect(changed.status).toBe(200);
  });

  test('get different ETags for different tenants and key types', async () => {
    const tags = await Promise.all(
      [
        keys.secret_key,
        keys.publishable_key,
        keys.secret_test_key,
        keys.publishable_test_key,
        other.publishable_key,
      ].map(async (key) => (await stoa.send('GET', '/v1/store/policies', { key })).headers.get('etag')),
    );
    expect(new Set(tags).size).toBe(5);
  });
});

describe('fields', () => {
  test('return exactly what they name', async () => {
    const { body } = await stoa.send('GET', '/v1/store?fields=code,feeds.llms_enabled', { key: keys.publishable_key });
    expect(body).toEqual({ store: { code: keys.code, feeds: { llms_enabled: true } } });
  });
});

describe('an idempotent write', () => {
  beforeEach(() => awayFromWindowEnd('key_hour', 20_000));

  const policy = (body: unknown, key: string) =>
    stoa.send('PUT', '/v1/store/policies/terms', { key: keys.secret_key, body, headers: { 'Idempotency-Key': key } });

  test('takes effect once; a retry gets the same response marked as replayed', async () => {
    const first = await policy({ title: 'T', body: 'B', publish: true }, 'once');
    const retry = await policy({ title: 'T', body: 'B', publish: true }, 'once');
    expect(retry.status).toBe(first.status);
    expect(retry.body).toEqual({ ...first.body, idempotent: true });
    expect([first.headers.get('idempotent-replayed'), retry.headers.get('idempotent-replayed')]).toEqual([
      null,
      'true',
    ]);
  });

  test('answers 409 to another body under the same key', async () => {
    await policy({ title: 'T', body: 'one' }, 'twice');
    expect(errorOf(await policy({ title: 'T', body: 'two' }, 'twice')).slice(0, 2)).toEqual([
      409,
      'idempotency_conflict',
    ]);
  });

  test('accepts a retry under the same key after a refusal', async () => {
    expect((await policy({ title: '' }, 'again')).status).toBe(400);
    expect((await policy({ title: 'T', body: 'B' }, 'again')).status).toBe(200);
  });

  test('sent twenty times at once has one effect', async () => {
    const version = async () =>
      (await stoa.send('GET', '/v1/store/policies/refund', { key: keys.secret_key })).body?.policy?.version ?? 0;
    const send = () =>
      stoa.send('PUT', '/v1/store/policies/refund', {
        key: keys.secret_key,
        body: { title: 'R', body: 'B', publish: true },
        headers: { 'Idempotency-Key': 'storm' },
      });
    const replies = await Promise.all(Array.from({ length: 20 }, send));
    expect(
      replies.every(({ status, headers }) => status === 200 || (status === 409 && headers.get('retry-after') === '1')),
    ).toBe(true);
    expect(replies.filter(({ status, body }) => status === 200 && !body.idempotent)).toHaveLength(1);
    expect(await version()).toBe(1);
  });

  test('costs nothing when it is replayed', async () => {
    await policy({ title: 'T', body: 'cheap' }, 'cheap');
    const remaining = ({ headers }: Reply) => headers.get('x-ratelimit-remaining');
    const before = await policy({ title: 'T', body: 'cheap' }, 'cheap');
    const after = await policy({ title: 'T', body: 'cheap' }, 'cheap');
    expect(remaining(after)).toBe(remaining(before));
  });

  test.each(['k'.repeat(256), 'clé'])('with the key %s is 400', async (key) => {
    const encoded = Buffer.from(key).toString('latin1');
    expect(errorOf(await policy({ title: 'T', body: 'B' }, encoded))).toEqual([
      400,
      'invalid_request',
      'Idempotency-Key',
    ]);
  });
});

describe('throttles', () => {
  beforeEach(() => awayFromWindowEnd('key_hour', 20_000));

  test('admit exactly the limit, then answer 429 with the window', async () => {
    const limited = await stoa.createStore({ plan: 'starter' });
    await stoa.services.runtime.ask('StoreAdmin/SetLimits', NO_TENANT, { store: limited.store_id, key_hour: 5 });
    const statuses: number[] = [];
    let last: Reply | null = null;
    for (let i = 0; i < 7; i++) {
      last = await stoa.send('GET', '/v1/store', { key: limited.secret_key });
      statuses.push(last.status);
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429]);
    const { headers, body } = last as Reply;
    expect(body.error).toMatchObject({
      code: 'rate_limited',
      remaining: 0,
      reset: Number(headers.get('x-ratelimit-reset')),
    });
    expect([
      headers.get('x-ratelimit-scope'),
      headers.get('x-ratelimit-limit'),
      headers.get('x-ratelimit-remaining'),
    ]).toEqual(['abuse', '5', '0']);
    const secondsLeft = body.error.reset - Date.now() / 1000;
    expect(Math.abs(Number(headers.get('retry-after')) - secondsLeft)).toBeLessThan(3);
    expect(body.error.reset % 3_600).toBe(0);
  });

  test('count another key of the same store by itself', async () => {
    const limited = await stoa.createStore();
    await stoa.services.runtime.ask('StoreAdmin/SetLimits', NO_TENANT, { store: limited.store_id, key_hour: 1 });
    expect((await stoa.send('GET', '/v1/store', { key: limited.secret_key })).status).toBe(200);
    expect((await stoa.send('GET', '/v1/store', { key: limited.publishable_key })).status).toBe(200);
    expect((await stoa.send('GET', '/v1/store', { key: limited.secret_key })).status).toBe(429);
  });

  test('end the month with quota_exceeded for live keys only', async () => {
    const limited = await stoa.createStore();
    await stoa.services.runtime.ask('StoreAdmin/SetLimits', NO_TENANT, { store: limited.store_id, month: 2 });
    const live = () => stoa.send('GET', '/v1/store', { key: limited.secret_key });
    expect([(await live()).status, (await live()).status]).toEqual([200, 200]);
    const refused = await live();
    expect([refused.status, refused.body.error.code, refused.headers.get('x-ratelimit-scope')]).toEqual([
      429,
      'quota_exceeded',
      null,
    ]);
    expect((await stoa.send('GET', '/v1/store', { key: limited.secret_test_key })).status).toBe(200);
  });

  test('count shoppers by their network when the key is publishable', async () => {
    const limited = await stoa.createStore();
    await stoa.services.runtime.ask('StoreAdmin/SetLimits', NO_TENANT, { store: limited.store_id, network_hour: 1 });
    expect((await stoa.send('GET', '/v1/store', { key: limited.publishable_key })).status).toBe(200);
    const spoofed = await stoa.send('GET', '/v1/store', {
      key: limited.publishable_key,
      headers: { 'X-Forwarded-For': '9.9.9.9' },
    });
    expect(spoofed.status).toBe(429);
    expect((await stoa.send('GET', '/v1/store', { key: limited.secret_key })).status).toBe(200);
  });

  test('show in the usage of the month', async () => {
    const used = async () => (await stoa.send('GET', '/v1/usage', { key: other.secret_key })).body.usage.used as number;
    const before = await used();
    for (let i = 0; i < 5; i++) await stoa.send('GET', '/v1/store', { key: other.publishable_key });
    // Applies at once, including this request.
    expect(await used()).toBe(before + 6);
  });
});

describe('a key', () => {
  test('refuses a revoked key within a second', async () => {
    const store = await stoa.createStore();
    expect((await stoa.send('GET', '/v1/store', { key: store.publishable_key })).status).toBe(200);
    await stoa.services.runtime.ask('StoreAdmin/RevokeKey', NO_TENANT, { key: store.publishable_key });
    await eventually(async () =>
      expect((await stoa.send('GET', '/v1/store', { key: store.publishable_key })).status).toBe(401),
    );
  });
});
