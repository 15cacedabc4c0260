// The package as its users get it: installed from the tarball into an empty folder, run by Node and Bun, bundled for a page.
import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packClient } from '#proto/client/pack.ts';
import { type Merchant, openMerchant } from '#test/support/catalog.ts';
import { type Stoa, startStoa } from '#test/support/stoa.ts';

const SLIM_BYTES_MAX = 10 * 1024;

const folder = mkdtempSync(join(tmpdir(), 'stoa-pack-'));
let stoa: Stoa;
let merchant: Merchant;
beforeAll(async () => {
  const tarball = packClient(folder);
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  const npm = ['install', '--offline', '--no-audit', '--no-fund', '--loglevel=error', tarball];
  const { status, stderr } = spawnSync('npm', npm, { cwd: folder, encoding: 'utf8' });
  expect([stderr, status]).toEqual(['', 0]);
  stoa = await startStoa();
  merchant = await openMerchant(stoa);
  await merchant.createProduct({ name: 'Mug', price: 12, stock: 3 });
});
afterAll(async () => {
  await stoa.stop();
  rmSync(folder, { recursive: true, force: true });
});

const write = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};

describe('the package', () => {
  it('stands alone', () =>
    expect(readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual(['stoa-client']));

  it.each(['node', process.execPath])('is imported and calls the system in %s', async (runtime) => {
    const script = write(
      'buy.js',
      `import { StoaError, storefront } from 'stoa-client';
       import { server } from 'stoa-client/server';
       const [url, key, secret, hmacSecret] = process.argv.slice(2);
       const shop = storefront({ url, key });
       const names = [];
       for await (const product of shop.products.list({ fields: ['name'] })) names.push(product.name);
       const refusal = await shop.products.get({ id: 'x' }).catch((error) => error);
       const back = server({ url, key: secret, hmacSecret });
       const { products } = await back.products.list({ limit: 1 });
       const { order } = await back.orders.create({
         items: [{ variant_id: products[0].variant_id, quantity: 1 }], email: 'ada@example.com',
         shipping_address: { line1: '1 Moi Avenue', city: 'Nairobi', country: 'KE' },
       });
       console.log(JSON.stringify([names, refusal instanceof StoaError, refusal.code, order.total_amount]));`,
    );
    const { publishable_key, secret_key, hmac_secret } = merchant.keys;
    const words = [script, stoa.url, publishable_key, secret_key, hmac_secret];
    // Not waited for by standing still: the system runs in this process.
    const { stdout, stderr } = await promisify(execFile)(runtime, words, { cwd: folder });
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toEqual([['Mug'], true, 'invalid_request', 12]);
  });
});

describe('a bundle for a page', () => {
  const bundle = async (text: string): Promise<string> => {
    const { outputs } = await Bun.build({ entrypoints: [write('page.js', text)], target: 'browser', minify: true });
    return outputs[0]!.text();
  };

  it(`with reads and the cart alone is at most ${SLIM_BYTES_MAX} bytes, and holds nothing else`, async () => {
    const text = await bundle(
      `import { cart, products, search, slim, store } from 'stoa-client/slim';
       globalThis.shop = slim({ url: '', key: 'svc_pk_test_1' }, { cart, products, search, store });`,
    );
    expect(text).toContain('/v1/cart/items');
    expect(text).not.toContain('/v1/reviews');
    expect(gzipSync(text).length).toBeLessThanOrEqual(SLIM_BYTES_MAX);
  });

  it('cannot hold what takes secret keys', async () => {
    const page = `import { server } from 'stoa-client/server'; globalThis.shop = server;`;
    await expect(bundle(page)).rejects.toThrow();
  });
});
