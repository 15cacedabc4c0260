// Addresses that lead nowhere or to two places, and the documentation.
import { beforeAll, describe, expect, test } from 'vitest';
import { createApp } from '#edge/app.ts';
import { routes } from '#proto/gen/routes.ts';
import type { LinkClient } from '#runtime/link/frame.ts';
import { sendRaw } from '#test/support/socket.ts';
import { type Keys, type Reply, type Stoa, sharedStoa } from '#test/support/stoa.ts';
import { keyText, openGates } from './gates/stand_in.ts';

let stoa: Stoa;
let keys: Keys;
beforeAll(async () => {
  stoa = await sharedStoa();
  keys = await stoa.createStore();
});

const errorOf = ({ status, body }: Reply) => [status, body.error.code, body.error.param];

describe('an address', () => {
  test.each([
    ['%2e%2e%2f', 400],
    ['..%2f..%2f', 400],
    ['%00', 400],
    ['terms%0d%0a', 400],
    ['%zz', 400],
    ['%ff', 400],
    ['a'.repeat(5_000), 400],
  ])('/v1/store/policies/%s is %d', async (type, status) => {
    const reply = await stoa.send('GET', `/v1/store/policies/${type}`, { key: keys.publishable_key });
    expect(reply.status).toBe(status);
  });

  test('answers 400 to a request with two hosts', async () => {
    const answer = await sendRaw(stoa.url, 'GET /v1/health HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1.1 400/);
  });

  test.each(['h#', 'h/v1/products?', 'h@x', 'h\\x', '[::1', 'h:x', ''])(
    'that names the host "%s" is 400',
    async (host) => {
      for (const path of ['/', '/v1/categories?/v1/products', '/openapi.json'])
        expect(await sendRaw(stoa.url, `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`), path).toMatch(
          /^HTTP\/1.1 400/,
        );
    },
  );

  test.each(['shop.example', 'shop.example:8443', '127.0.0.1', '[::1]:8080', 'a_b-c.local'])(
    'that names the host "%s" is answered',
    async (host) => {
      const answer = await sendRaw(stoa.url, `GET / HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
      expect(answer).toMatch(/^HTTP\/1.1 200/);
      // Links use the edge's own address, not the request's host.
      expect(answer).toContain(`"documentation_url":"${stoa.url}/docs"`);
    },
  );

  test.each([
    '/x/v1/store',
    '/v1/store/',
    '/v1//store',
    '//v1/store',
    '/v1/st%6fre',
    '/V1/store',
    '/docs/',
    '/x/',
    '/v1/store#x',
  ])('that is spelt %s is 404', async (path) => {
    for (const host of ['x', 'api', 'shop.example'])
      for (const key of ['', `Authorization: Bearer ${keys.secret_key}\r\n`]) {
        const answer = await sendRaw(stoa.url, `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${key}\r\n`);
        expect(answer, host).toMatch(/^HTTP\/1.1 404/);
        expect(answer).toContain('"code":"not_found"');
      }
  });

  test.each(['/v1/store', '/v1/products/none', '/', '/docs', '/openapi.json'])(
    '%s is found by the shortest host’s name too',
    async (path) => {
      for (const host of ['x', 'api:80', 'shop.example'])
        expect(await sendRaw(stoa.url, `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`)).not.toMatch(
          /^HTTP\/1.1 4(?!01)/,
        );
    },
  );

  test.each([
    'version=x',
    'version=1.5',
    'version=0',
    'draft=maybe',
    'version=1&version=2',
    'fields=nope',
    'fields=title,,body',
  ])('with ?%s is 400 naming the parameter', async (query) => {
    const reply = await stoa.send('GET', `/v1/store/policies/terms?${query}`, { key: keys.secret_key });
    expect(errorOf(reply)).toEqual([400, 'invalid_request', query.split('=')[0]]);
  });

  test('refuses NUL in its path with 400, after the key where there is an endpoint', async () => {
    for (const path of ['/v1/products/%00', '/v1/products/by-slug/a%00']) {
      expect((await stoa.send('GET', path)).status).toBe(401);
      expect((await stoa.send('GET', path, { key: keys.publishable_key })).status).toBe(400);
    }
    const code = '/v1/cart/promotions/a%00b';
    const named = await stoa.send('DELETE', code, { key: keys.publishable_key, headers: { 'X-Session-Id': 's' } });
    expect([named.status, named.body.error.param]).toEqual([400, 'code']);
    for (const path of ['/v1/store%00', '/nowhere/%00', '/%00?a=b', '/pay/%00'])
      expect(errorOf(await stoa.send('GET', path)).slice(0, 2), path).toEqual([400, 'invalid_request']);
    expect((await stoa.send('GET', '/v1/health?a=%00')).status).toBe(200);
  });

  test('ignores unknown parameters', async () => {
    expect((await stoa.send('GET', '/v1/store?utm_source=mail', { key: keys.publishable_key })).status).toBe(200);
  });
});

describe('documentation', () => {
  test('revalidates like everything that is read', async () => {
    const { headers } = await fetch(`${stoa.url}/openapi.json`);
    const again = await fetch(`${stoa.url}/openapi.json`, {
      headers: { 'If-None-Match': headers.get('etag') as string },
    });
    expect([again.status, again.headers.get('x-cache')]).toEqual([304, 'HIT-304']);
  });

  test('GET /openapi.json and GET /docs answer', async () => {
    const document = await fetch(`${stoa.url}/openapi.json`);
    expect(Object.keys(((await document.json()) as { paths: object }).paths).length).toBeGreaterThan(0);
    const page = await (await fetch(`${stoa.url}/docs`)).text();
    expect([...page.matchAll(/(?:src|href)="(https?:[^"]+)"/g)]).toEqual([]);
  });

  test.each(['/docs', '/openapi.json'])('%s has the headers of any answer, for HEAD too', async (path) => {
    const [get, head] = await Promise.all(['GET', 'HEAD'].map((verb) => stoa.send(verb, path)));
    expect(get!.headers.get('content-type')).toBe(path === '/docs' ? 'text/html; charset=utf-8' : 'application/json');
    expect([head!.status, head!.text]).toEqual([200, '']);
    for (const name of ['x-request-id', 'etag', 'cache-control', 'x-cache', 'access-control-allow-origin'])
      for (const { headers } of [get!, head!]) expect(headers.get(name), name).toBeTruthy();
    expect(head!.headers.get('content-length')).toBe(get!.headers.get('content-length'));
  });

  test.each(['/docs', '/openapi.json'])('%s takes no other verb, and says so', async (path) => {
    const { status, headers } = await stoa.send('POST', path);
    expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });

  test.each([
    ['PUT', '/docs/reference.js', 'GET, HEAD'],
    ['GET', '/shop/server/pay', 'POST'],
    ['DELETE', '/pay/pay_1', 'GET, HEAD, POST'],
  ])('%s of the page %s says what it takes', async (verb, path, allow) => {
    const { status, headers } = await stoa.send(verb, path);
    expect([status, headers.get('allow')]).toEqual([405, allow]);
  });

  test('names every endpoint of the route table', async () => {
    const { paths } = (await (await fetch(`${stoa.url}/openapi.json`)).json()) as {
      paths: Record<string, Record<string, unknown>>;
    };
    const named = Object.entries(paths).flatMap(([path, verbs]) =>
      Object.keys(verbs).map((verb) => `${verb.toUpperCase()} ${path.replace(/\{\w+\}/g, '{}')}`),
    );
    for (const { verb, path } of routes) expect(named).toContain(`${verb} ${path.replace(/:\w+/g, '{}')}`);
  });
});

describe('an endpoint', () => {
  const health = routes.find(({ path }) => path === '/v1/health')!.rpc;
  const torn = new Error('torn');
  const tornWire: LinkClient = {
    ask: () => Promise.reject(torn),
    listen() {},
    serves: () => true,
    cancelWaits() {},
    close: async () => {},
  };

  test.each([
    ['at once', '/v1/health', 'throws'],
    ['late', '/v1/health', 'rejects'],
    ['behind the gates', '/v1/products', 'rejects'],
  ])('that fails %s is a server_error with its name, and says nothing else', async (_when, path, how) => {
    const { edge } = await openGates();
    const fail = (): Promise<Response> => {
      if (how === 'throws') throw torn;
      return Promise.reject(torn);
    };
    const { app } = createApp({ ...edge, wire: tornWire }, { [health]: fail });
    const request = new Request(`http://localhost${path}`, {
      headers: { Authorization: keyText('publishable'), Host: 'localhost', 'X-Request-Id': 'mine' },
    });
    const response = await app.handle(request);
    expect([response.status, response.headers.get('x-request-id')]).toEqual([500, 'mine']);
    expect(await response.json()).toEqual({
      error: { code: 'server_error', message: expect.any(String), request_id: 'mine' },
    });
  });

  test('answers a cached read synchronously', async () => {
    const { edge } = await openGates();
    const table = createApp(edge, {}).app.routes as unknown as { method: string; path: string; compile(): unknown }[];
    const waiting = table.filter(
      ({ method, path, compile }) =>
        ['GET', 'HEAD'].includes(method) &&
        routes.some((route) => route.path === path) &&
        String(compile()).startsWith('async'),
    );
    expect(waiting.map(({ path }) => path)).toEqual([]);
  });
});

describe('a path that there is not', () => {
  test.each([
    ['/v1/product', '/v1/products'],
    ['/v1/products/', '/v1/products'],
    ['/v1/orders/0190a1b2-0000-7000-8000-000000000000/refund', '/v1/orders/{id}/refunds'],
    ['/openapi.jsn', '/openapi.json'],
    ['/console/main', '/console/main.js'],
  ])('is 404 and told the nearest one: %s', async (path, nearest) => {
    for (const method of ['GET', 'POST']) {
      const { status, body } = await stoa.send(method, path);
      expect([status, body.error.code, body.error.details]).toEqual([
        404,
        'not_found',
        `The nearest path is ${nearest}.`,
      ]);
    }
  });

  test.each([
    ['/docs/guides/quik-start', 'href="/docs/guides/quick-start"'],
    ['/v1/products/1/varients', '<code>/v1/products/{id}/variants'],
    ['/nowhere-at-all', 'href="/"'],
  ])('is a page to a browser: %s', async (path, leads) => {
    const answer = await fetch(`${stoa.url}${path}`, { headers: { Accept: 'text/html,*/*;q=0.8' } });
    expect([answer.status, answer.headers.get('content-type'), answer.headers.get('vary')]).toEqual([
      404,
      'text/html; charset=utf-8',
      'Accept',
    ]);
    expect(await answer.text()).toContain(leads);
  });

  test('and is near none is just 404', async () => {
    const { status, body } = await stoa.send('GET', '/favicon.ico');
    expect([status, body.error.details]).toEqual([404, undefined]);
  });
});
