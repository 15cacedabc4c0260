// Checks the common parts of all reads and successes: ETags and revalidation, cache headers, the environment, the remaining
// plan, scripts of other origins, HEAD.
import { beforeAll, describe, expect, test } from 'vitest';
import { routes } from '#proto/gen/routes.ts';
import type { Route } from '#proto/route.ts';
import { type Reply, type SendOptions, type Stoa, sendTo, sharedStoa } from '#test/support/stoa.ts';
import type { Owner } from './owner.ts';
import { pathOf, secretOf } from './target.ts';
import { hostedRoutes, openOwner, waitForEventLog } from './world.ts';

let stoa: Stoa;
let mine: Owner;
let theirs: Owner;
beforeAll(async () => {
  stoa = await sharedStoa();
  mine = await openOwner(stoa, 'blackbird');
  theirs = await openOwner(stoa, 'blackbird');
  await waitForEventLog(stoa, mine);
});

const READS = routes
  .filter(({ verb, access }) => verb === 'GET' && access.session === 'none')
  .map((route) => [route.path, route] as const);

const isSandboxOnly = ({ access }: Route): boolean => access.key === 'secret_test';

const keyOf = (route: Route, { keys, operatorKey }: Owner): string | undefined => {
  if (route.access.key === 'none' || route.access.key === 'staff') return undefined;
  if (route.access.key === 'operator') return operatorKey;
  return isSandboxOnly(route) ? keys.secret_test_key : keys.secret_key;
};

const staffHeaders = (route: Route, owner: Owner) =>
  route.access.key === 'staff' ? secretOf(route, owner).headers : {};

const ask = (verb: string, route: Route, { headers, ...options }: SendOptions = {}, owner = mine): Promise<Reply> => {
  const key = keyOf(route, owner);
  const named = route.headers.map(({ header }) => [header, owner.customerToken]);
  return sendTo(stoa.url, verb, pathOf(route, owner), {
    ...(key ? { key } : {}),
    ...options,
    headers: { ...Object.fromEntries(named), ...staffHeaders(route, owner), ...headers },
  });
};
const read = (route: Route, options?: SendOptions, owner?: Owner): Promise<Reply> => ask('GET', route, options, owner);

const CACHE_CONTROL = ({ path, cache }: Route): string => {
  if (path === '/' || path === '/v1/health') return 'no-store';
  if (cache === 'none') return 'private, no-store';
  return path.startsWith('/v1/feeds/') ? 'public, max-age=60' : 'private, max-age=0, must-revalidate';
};

describe.each(READS)('GET %s', (path, route) => {
  const public_ = route.access.key === 'none';
  const isHosted = () => hostedRoutes(stoa).includes(route);

  test('carries a strong ETag and answers 304 to it', async () => {
    if (!isHosted()) return;
    const first = await read(route);
    expect(first.status, first.text).toBe(200);
    const tag = first.headers.get('etag')!;
    expect(tag).toMatch(/^"[^"]+"$/);
    expect(['HIT', 'MISS']).toContain(first.headers.get('x-cache'));
    // Every request is counted, so this one changes by being asked.
    if (path === '/v1/usage') return;
    for (const held of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
      const again = await read(route, { headers: { 'If-None-Match': held } });
      expect([again.status, again.text, again.headers.get('etag'), again.headers.get('x-cache')], held).toEqual([
        304,
        '',
        tag,
        'HIT-304',
      ]);
      expect(again.headers.get('cache-control')).toBe(first.headers.get('cache-control'));
      expect(again.headers.get('vary')).toBe(first.headers.get('vary'));
    }
    const other = await read(route, { headers: { 'If-None-Match': '"other"' } });
    expect([other.status, other.text, other.headers.get('etag')]).toEqual([200, first.text, tag]);
  });

  test('says who may keep it, and for whom', async () => {
    if (!isHosted()) return;
    const { headers } = await read(route);
    expect(headers.get('cache-control')).toBe(CACHE_CONTROL(route));
    expect(headers.get('svc-environment')).toBe(public_ ? null : isSandboxOnly(route) ? 'sandbox' : 'production');
    if (!public_) expect(headers.get('vary')).toMatch(/\bAuthorization\b/i);
    for (const name of ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'])
      if (public_ || route.access.key === 'operator') expect(headers.get(name), name).toBeNull();
      else expect(headers.get(name), name).toMatch(/^\d+$/);
    expect(headers.get('x-ratelimit-scope')).toBeNull();
    expect(headers.get('server-timing')).toBeTruthy();
  });

  test('answers HEAD with its headers alone', async () => {
    if (!isHosted()) return;
    const get = await read(route);
    const head = await ask('HEAD', route);
    expect([head.status, head.text]).toEqual([200, '']);
    const names = ['content-type', 'cache-control', 'vary', 'svc-environment'];
    if (path !== '/v1/usage') names.push('etag');
    for (const name of names) expect(head.headers.get(name), name).toBe(get.headers.get(name));
    // A long answer is streamed, and says no length itself.
    const length = get.headers.get('content-length') ?? String(Buffer.byteLength(get.text));
    if (path !== '/v1/usage') expect(head.headers.get('content-length')).toBe(length);
  });

  test('differs in its ETag by tenant, environment and kind of key, even with the same bytes', async () => {
    if (!isHosted() || public_ || path === '/v1/usage') return;
    const tags: (string | null)[] = [];
    const { keys } = mine;
    tags.push((await read(route)).headers.get('etag'));
    if (route.access.key === 'publishable') {
      const publishable = await read(route, { key: keys.publishable_key });
      tags.push(publishable.headers.get('etag'));
    }
    const sandbox = await read(route, { key: keys.secret_test_key });
    if (sandbox.status === 200 && !isSandboxOnly(route)) tags.push(sandbox.headers.get('etag'));
    tags.push((await read(route, {}, theirs)).headers.get('etag'));
    expect(new Set(tags).size).toBe(tags.length);
  });

  test('may be read by scripts of any origin with a publishable key, by none with a secret one', async () => {
    if (!isHosted()) return;
    const origin = { headers: { Origin: 'https://shop.example' } };
    const own = await read(route, origin);
    expect(own.headers.get('access-control-allow-origin')).toBe(public_ ? '*' : null);
    expect(own.headers.get('access-control-allow-credentials')).toBeNull();
    if (route.access.key !== 'publishable') return;
    const shopper = await read(route, { ...origin, key: mine.keys.publishable_key });
    expect(shopper.headers.get('access-control-allow-origin')).toBe('*');
    expect(shopper.headers.get('access-control-allow-credentials')).toBeNull();
  });
});

describe('scripts of other origins', () => {
  test.each(
    [...new Set(routes.map(({ path }) => path))].map(
      (path) => [path, routes.find((route) => route.path === path)!] as const,
    ),
  )('may ask what %s takes', async (path, route) => {
    const { status, text, headers } = await stoa.send('OPTIONS', pathOf(route, mine), {
      headers: {
        Origin: 'https://shop.example',
        'Access-Control-Request-Method': route.verb,
        'Access-Control-Request-Headers': 'authorization, x-session-id',
      },
    });
    expect([status, text]).toEqual([204, '']);
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(headers.get('access-control-allow-credentials')).toBeNull();
    expect(headers.get('access-control-allow-headers')).toBe('authorization, x-session-id');
    const verbs = routes.filter((other) => other.path === path).map(({ verb }) => verb);
    for (const verb of verbs) expect(headers.get('access-control-allow-methods')?.split(', ')).toContain(verb);
  });

  test('may read a refusal too', async () => {
    const { status, headers } = await stoa.send('GET', '/v1/products/none', { key: mine.keys.publishable_key });
    expect([status, headers.get('access-control-allow-origin')]).toEqual([400, '*']);
    expect(headers.get('access-control-expose-headers')).toBeTruthy();
  });
});

describe('an answer that is kept', () => {
  test('answers the same bytes as a MISS first and as a HIT then', async () => {
    const ask = () =>
      stoa.send('GET', `/v1/products/${mine.records.product}?fields=id,name`, { key: mine.keys.secret_key });
    const [first, second] = [await ask(), await ask()];
    expect([first.headers.get('x-cache'), second.headers.get('x-cache')]).toEqual(['MISS', 'HIT']);
    expect([second.text, second.headers.get('etag')]).toEqual([first.text, first.headers.get('etag')]);
  });

  test.each([['%6cimit=1'], ['limit=1&%73ort=name'], ['%6C%49mit=1&%6Cimit=1'], ['cursor%3d=1&%6c%69mit=1']])(
    'is not taken from the question ?%s',
    async (query) => {
      const key = mine.keys.publishable_key;
      await stoa.send('POST', '/v1/products', { key: mine.keys.secret_key, body: { name: 'Another', price: 1 } });
      const odd = await stoa.send('GET', `/v1/products?${query}`, { key });
      const plain = await stoa.send('GET', '/v1/products', { key });
      expect(odd.text).not.toBe(plain.text);
      expect(plain.body.products.length).toBeGreaterThan(1);
      expect(Object.keys(plain.body.products[0]).length).toBeGreaterThan(10);
      const same = await stoa.send('GET', '/v1/products?utm_source=mail', { key });
      expect([same.text, same.headers.get('etag')]).toEqual([plain.text, plain.headers.get('etag')]);
    },
  );

  test('changes its ETag with its content, both ways', async () => {
    const ask = () => stoa.send('GET', '/v1/categories?fields=name', { key: mine.keys.secret_key });
    const rename = (name: string) =>
      stoa.send('PATCH', `/v1/categories/${mine.records.category}`, { key: mine.keys.secret_key, body: { name } });
    const before = (await ask()).headers.get('etag');
    await rename('raven');
    expect((await ask()).headers.get('etag')).not.toBe(before);
    await rename('blackbird');
    expect((await ask()).headers.get('etag')).toBe(before);
  });
});

describe('pages that are no JSON', () => {
  test.each(['/docs', '/openapi.json', `/v1/feeds/:store/llms.txt`])('%s revalidates too', async (path) => {
    const url = `${stoa.url}${path.replace(':store', mine.keys.code)}`;
    const first = await fetch(url);
    const tag = first.headers.get('etag');
    expect([first.status, tag]).toEqual([200, expect.stringMatching(/^"[^"]+"$/)]);
    const again = await fetch(url, { headers: { 'If-None-Match': tag! } });
    expect([again.status, await again.text()]).toEqual([304, '']);
  });
});

/** These show no records of a store. */
const WITHOUT_FIELDS = [
  ...['/', '/v1/health', '/v1/sandbox/clock'],
  ...['/v1/console/activity', '/v1/console/requests/:request_id', '/v1/staff/session'],
];

test('"Field filtering: a `fields` query parameter" is one of every read that shows records', () => {
  const without = routes.filter(
    ({ verb, produces, query }) =>
      verb === 'GET' && produces === 'application/json' && !query.some(({ name }) => name === 'fields'),
  );
  const feeds = without.filter(({ cache }) => cache !== 'feed');
  expect(feeds.map(({ path }) => path).sort()).toEqual([...WITHOUT_FIELDS].sort());
});
