// Public feeds over HTTP: without a key, kept by everybody for a minute, and never older than the catalogue or the store.
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { eventually } from '#test/support/server.ts';
import { type Keys, type Reply, type Stoa, sharedStoa } from '#test/support/stoa.ts';

let stoa: Stoa;
let keys: Keys;
beforeAll(async () => {
  stoa = await sharedStoa();
});
beforeEach(async () => {
  keys = await stoa.createStore();
  await merchant('PATCH', '/v1/store', { feeds: { products_enabled: true } });
});

const merchant = (method: string, path: string, body?: unknown): Promise<Reply> =>
  stoa.send(method, path, { key: keys.secret_key, body });
const call = (method: string, path: string, headers: Record<string, string> = {}): Promise<Reply> =>
  stoa.send(method, path, { headers });

describe('public feeds', () => {
  test('answers each feed without a key in its own media type', async () => {
    await merchant('POST', '/v1/products', { name: 'Shoe <b>&</b> "sock"', price: 10, stock: 1 });
    const summary = await call('GET', `/v1/feeds/${keys.code}/llms.txt`);
    expect(summary.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
    expect(summary.text).toContain('- Products: 1\n');
    const json = await call('GET', `/v1/feeds/${keys.code}/products.json`);
    expect(json.body).toMatchObject({ currency: 'USD', products: [{ name: 'Shoe <b>&</b> "sock"' }] });
    const xml = await call('GET', `/v1/feeds/${keys.code}/products.xml`);
    expect(xml.headers.get('content-type')).toBe('application/xml; charset=utf-8');
    expect(xml.text).toContain('<title>Shoe &lt;b&gt;&amp;&lt;/b&gt; &quot;sock&quot;</title>');
    for (const { status, headers } of [summary, json, xml]) {
      expect([status, headers.get('cache-control')]).toEqual([200, 'public, max-age=60']);
      expect(headers.get('etag')).toMatch(/^"/);
    }
    expect((await call('GET', `/v1/feeds/${keys.store_id}/llms.txt`)).text).toBe(summary.text);
  });

  test('revalidates feeds, and answers new ones after a change of the catalogue', async () => {
    const path = `/v1/feeds/${keys.code}/llms.txt`;
    await merchant('POST', '/v1/products', { name: 'Shoe', price: 10 });
    await eventually(async () => expect((await call('GET', path)).text).toContain('Products: 1'));
    const cached = await call('GET', path);
    expect(cached.headers.get('x-cache')).toBe('HIT');
    const same = await call('GET', path, { 'If-None-Match': cached.headers.get('etag')! });
    expect([same.status, same.text, same.headers.get('x-cache')]).toEqual([304, '', 'HIT-304']);
    await merchant('POST', '/v1/products', { name: 'Sock', price: 1 });
    const fresh = await call('GET', path, { 'If-None-Match': cached.headers.get('etag')! });
    expect([fresh.status, fresh.text.includes('Products: 2')]).toEqual([200, true]);
  });

  test('end when the merchant turns them off', async () => {
    await merchant('POST', '/v1/products', { name: 'Shoe', price: 10 });
    const paths = ['llms.txt', 'products.json', 'products.xml'].map((file) => `/v1/feeds/${keys.code}/${file}`);
    for (const path of paths) expect((await call('GET', path)).status).toBe(200);
    await merchant('PATCH', '/v1/store', { feeds: { llms_enabled: false, products_enabled: false } });
    await eventually(async () => {
      for (const path of paths) expect((await call('GET', path)).status).toBe(404);
    });
  });

  test('answers 404 with an error object for an unknown store', async () => {
    const reply = await call('GET', '/v1/feeds/unknown/products.json');
    expect([reply.status, reply.body.error.code]).toEqual([404, 'not_found']);
    expect(reply.headers.get('cache-control')).toBe('no-store');
  });
});
