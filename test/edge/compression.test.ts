// Smaller answers for those who ask for them: the same answer under the same tag, in the form that the caller likes best.
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Coding, codingOf, EncodedBodies, isWorth, pack } from '#edge/compression.ts';
import { type Keys, type Stoa, sharedStoa } from '#test/support/stoa.ts';

const unpack = (bytes: Uint8Array, coding: string | null): string => {
  if (coding === 'gzip') return gunzipSync(bytes).toString();
  if (coding === 'br') return brotliDecompressSync(bytes).toString();
  if (coding === 'zstd') return Bun.zstdDecompressSync(bytes as Uint8Array<ArrayBuffer>).toString();
  return Buffer.from(bytes).toString();
};
const CODINGS: readonly Coding[] = ['gzip', 'br', 'zstd'];

describe('the coding of an answer', () => {
  test.each<[string | null, Coding | null]>([
    [null, null],
    ['', null],
    ['gzip', 'gzip'],
    ['GZip', 'gzip'],
    ['x-gzip', 'gzip'],
    ['br', 'br'],
    ['zstd', 'zstd'],
    ['gzip, deflate, br, zstd', 'zstd'],
    ['gzip, deflate, br', 'br'],
    ['gzip, deflate', 'gzip'],
    ['deflate', null],
    ['identity', null],
    ['*', 'zstd'],
    ['*;q=0', null],
    ['gzip;q=0', null],
    ['gzip;q=0, *', 'zstd'],
    ['zstd;q=0, *;q=0.1', 'br'],
    ['gzip;q=1.0, br;q=0.5', 'gzip'],
    ['gzip;q=0.2 , br ; q=0.200', 'br'],
    ['identity;q=1, gzip;q=0.5', null],
    ['identity;q=0.5, gzip;q=0.5', 'gzip'],
    ['gzip;q=2', null],
    ['gzip;q=x, br', 'br'],
    ['; , ,gzip', 'gzip'],
  ])('by %j is %s', (header, expected) => {
    expect(codingOf(header)).toBe(expected);
    expect(codingOf(header)).toBe(expected);
  });

  test('negotiates correctly after more distinct headers than it caches', () => {
    for (let at = 0; at < 1_000; at++)
      expect(codingOf(`gzip;q=0.${String(at).padStart(3, '0')}, none-${at}`)).toBe(at ? 'gzip' : null);
  });
});

describe('a form', () => {
  const text = 'one and the same, '.repeat(20_000);
  const body = new TextEncoder().encode(text);

  test.each(CODINGS)('compresses a body once in %s, small or large, without loss', async (coding) => {
    for (const bytes of [body.slice(0, 5_000), body]) {
      const forms = new EncodedBodies(bytes, 'often');
      const made = await Promise.all([forms.of(coding), forms.of(coding), forms.of(coding)]);
      expect(new Set([...made, await forms.of(coding)]).size).toBe(1);
      expect(made[0]!.length).toBeLessThan(bytes.length / 10);
      expect(forms.bytes).toBe(made[0]!.length);
      expect(unpack(made[0]!, coding)).toBe(text.slice(0, bytes.length));
    }
    expect(unpack(await pack(body, coding, 'ever'), coding)).toBe(text);
  });

  test('leaves bodies below 1 kB uncompressed', () => {
    expect([isWorth(1_000), isWorth(1_001)]).toEqual([false, true]);
  });
});

describe('an answer', () => {
  let stoa: Stoa;
  let keys: Keys;
  beforeAll(async () => {
    stoa = await sharedStoa();
    keys = await stoa.createStore();
    for (let at = 0; at < 10; at++)
      await stoa.send('POST', '/v1/products', {
        key: keys.secret_key,
        body: { name: `Mug ${at}`, price: 9, description: 'Holds coffee. '.repeat(10) },
      });
  });

  interface Raw {
    readonly status: number;
    readonly headers: Headers;
    readonly bytes: Uint8Array;
  }

  const ask = async (
    path: string,
    coding: string | null,
    { method = 'GET', body, headers = {} }: { method?: string; body?: string; headers?: Record<string, string> } = {},
  ): Promise<Raw> => {
    const response = await fetch(`${stoa.url}${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${keys.publishable_key}`,
        'Accept-Encoding': coding ?? 'identity',
        ...(body && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body && { body }),
      decompress: false,
    });
    return { status: response.status, headers: response.headers, bytes: await response.bytes() };
  };

  test.each(CODINGS)('sends equal bodies in %s from the service and from the cache', async (coding) => {
    const path = `/v1/products?limit=${10 + CODINGS.indexOf(coding)}`;
    const first = await ask(path, coding);
    const plain = await ask(path, null);
    const again = await ask(path, coding);
    expect([first, plain, again].map(({ headers }) => headers.get('x-cache'))).toEqual(['MISS', 'HIT', 'HIT']);
    expect([first, plain, again].map(({ headers }) => headers.get('content-encoding'))).toEqual([coding, null, coding]);
    expect(new Set([first, plain, again].map(({ headers }) => headers.get('etag'))).size).toBe(1);
    expect(again.bytes).toEqual(first.bytes);
    expect(first.bytes.length).toBeLessThan(plain.bytes.length / 3);
    expect(unpack(first.bytes, coding)).toBe(unpack(plain.bytes, null));
    for (const { headers, bytes } of [first, plain, again]) {
      expect(headers.get('vary')).toMatch(/^Authorization, Accept-Encoding$/);
      expect(headers.get('content-length')).toBe(`${bytes.length}`);
    }
  });

  test('shares one ETag among all codings and sends no coding on 304', async () => {
    const etag = (await ask('/v1/products', 'br')).headers.get('etag')!;
    for (const coding of [null, ...CODINGS]) {
      const { status, headers, bytes } = await ask('/v1/products', coding, { headers: { 'If-None-Match': etag } });
      expect([status, headers.get('content-encoding'), bytes.length]).toEqual([304, null, 0]);
      expect(headers.get('vary')).toContain('Accept-Encoding');
    }
  });

  test('announces the length of the GET response on HEAD', async () => {
    for (const coding of [null, ...CODINGS]) {
      const get = await ask('/v1/products', coding);
      const head = await ask('/v1/products', coding, { method: 'HEAD' });
      expect(head.bytes.length).toBe(0);
      for (const name of ['content-length', 'content-encoding', 'etag', 'vary'])
        expect(head.headers.get(name), name).toBe(get.headers.get(name));
    }
  });

  test('compresses a POST response without affecting the next one', async () => {
    const body = '{"query":"mug","limit":10}';
    const plain = await ask('/v1/search', null, { method: 'POST', body });
    for (const coding of CODINGS) {
      const { headers, bytes } = await ask('/v1/search', coding, { method: 'POST', body });
      expect(headers.get('content-encoding')).toBe(coding);
      expect(JSON.parse(unpack(bytes, coding)).products).toHaveLength(10);
      const next = await ask('/v1/search', null, { method: 'POST', body });
      expect([next.headers.get('content-encoding'), next.bytes.length]).toEqual([null, plain.bytes.length]);
    }
  });

  test('under a kilobyte, or that refuses, goes as it is', async () => {
    for (const path of ['/v1/store', '/v1/health', '/v1/nowhere', '/v1/products/nothing'])
      expect((await ask(path, 'gzip')).headers.get('content-encoding')).toBeNull();
  });

  test('compresses pages', async () => {
    for (const path of ['/docs', '/docs/guides', '/console', '/console/main.js', '/sandbox/outbox', '/openapi.json']) {
      const plain = await ask(path, null);
      expect([path, plain.status]).toEqual([path, 200]);
      for (const coding of isWorth(plain.bytes.length) ? CODINGS : []) {
        const { headers, bytes } = await ask(path, coding);
        expect([path, headers.get('content-encoding')]).toEqual([path, coding]);
        expect(headers.get('vary')).toContain('Accept-Encoding');
        expect(headers.get('etag')).toBe(plain.headers.get('etag'));
        expect(bytes.length).toBeLessThan(plain.bytes.length);
        expect(unpack(bytes, coding)).toBe(unpack(plain.bytes, null));
      }
    }
    const home = await ask('/', 'gzip', { headers: { Accept: 'text/html' } });
    expect([home.headers.get('content-encoding'), home.headers.get('vary')]).toEqual([
      'gzip',
      'Accept-Encoding, Accept',
    ]);
  });

  test('serves documentation assets under content-addressed names with unlimited caching', async () => {
    const page = unpack((await ask('/docs', null)).bytes, null);
    const names = [...page.matchAll(/\/docs\/\w+\.[0-9a-f]{16}\.\w+/g)].map(([name]) => name);
    expect(names.map((name) => name.replace(/[0-9a-f]{16}/, '…')).sort()).toEqual(
      expect.arrayContaining(['/docs/openapi.….json', '/docs/reference.….js']),
    );
    for (const name of new Set(names)) {
      const { headers, bytes } = await ask(name, 'br');
      expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(headers.get('content-encoding')).toBe('br');
      const plain = await ask(name, null);
      expect(bytes.length).toBeLessThan(plain.bytes.length / 3);
      // Requests an asset name of another release.
      const other = await ask(name.replace(/[0-9a-f]{16}/, '0'.repeat(16)), null);
      expect([other.status, other.headers.get('cache-control')]).toEqual([200, 'public, max-age=0, must-revalidate']);
    }
    const description = names.find((name) => name.endsWith('.json'))!;
    expect((await ask(description, null)).bytes).toEqual((await ask('/openapi.json', null)).bytes);
    expect((await ask('/docs/nothing.0123456789abcdef.js', null)).status).toBe(404);
  });
});
