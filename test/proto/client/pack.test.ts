// The package as its users get it: installed from the tarball into an empty folder, run by Node and Bun, bundled for a page.
import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createContext, runInContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packClient } from '#proto/client/pack.ts';
import { chromiumProgram, openBrowser } from '#test/support/browser.ts';
import { type Merchant, openMerchant } from '#test/support/catalog.ts';
import { readGuides } from '#test/support/guide.ts';
import { type Stoa, sharedStoa } from '#test/support/stoa.ts';

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
  stoa = await sharedStoa();
  merchant = await openMerchant(stoa);
  await merchant.createProduct({ name: 'Mug', price: 12, stock: 3 });
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
});

const write = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};

describe('the package', () => {
  it('packs and installs by the first commands of its guide', () => {
    const place = join(folder, 'my-shop');
    mkdirSync(place);
    writeFileSync(join(place, 'package.json'), '{}');
    const { blocks } = readGuides().find(({ name }) => name === 'client')!;
    const commands = blocks.find(({ language }) => language === 'sh')!.text.replaceAll('../my-shop', place);
    const env = { ...process.env, npm_config_offline: 'true', npm_config_loglevel: 'error' };
    const { status, stderr } = spawnSync('bash', ['-ec', commands], { encoding: 'utf8', env });
    expect([stderr, status]).toEqual(['', 0]);
    expect(readdirSync(join(place, 'node_modules'))).toContain('stoa-client');
  });

  it('stands alone', () =>
    expect(readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual(['stoa-client']));

  it.each(['node', process.execPath])('imports and calls the system in %s', async (runtime) => {
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
    // Awaited without blocking: the system runs in this process.
    const { stdout, stderr } = await promisify(execFile)(runtime, words, { cwd: folder });
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toEqual([['Mug'], true, 'invalid_request', 12]);
  });
});

describe('its types', () => {
  const examples = readGuides().flatMap(({ name, source, blocks }) =>
    source.includes("from 'stoa-client")
      ? blocks.filter(({ language }) => language === 'ts').map((block) => ({ ...block, name }))
      : [],
  );
  const GIVEN = {
    shop: "import type { Storefront } from 'stoa-client';\ndeclare const shop: Storefront;",
    back: "import type { Server } from 'stoa-client/server';\ndeclare const back: Server;",
  };
  const OPTIONS = {
    strict: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: false,
    noEmit: true,
    target: 'es2022',
    lib: ['es2022', 'dom', 'dom.iterable'],
    types: [],
    module: 'nodenext',
    moduleResolution: 'nodenext',
  };
  const compile = (options: object, files: readonly string[]): string => {
    write('tsconfig.json', JSON.stringify({ compilerOptions: { ...OPTIONS, ...options }, files }));
    const tsc = join(process.cwd(), 'node_modules/.bin/tsc');
    const { stdout, stderr, status } = spawnSync(tsc, ['-p', folder], { cwd: folder, encoding: 'utf8' });
    return `${stdout}${stderr}${status}`;
  };

  it('hold for every example of the guides, where Node resolves modules and where a bundler does', () => {
    const environment = 'declare const process: { readonly env: Readonly<Record<string, string | undefined>> };';
    const files = examples.map(({ name: guide, text, line }) => {
      const given = Object.entries(GIVEN).filter(
        ([name]) => new RegExp(`\\b${name}\\.`).test(text) && !text.includes(`const ${name} =`),
      );
      const name = `${guide}_${line}.ts`;
      write(name, `${given.map(([, head]) => head).join('\n')}\n${environment}\n${text}\nexport {};\n`);
      return name;
    });
    expect(new Set(examples.map(({ name }) => name))).toEqual(new Set(['client', 'shop', 'storefront']));
    expect(files.length).toBeGreaterThan(10);
    expect(compile({}, files)).toBe('0');
    expect(compile({ module: 'esnext', moduleResolution: 'bundler' }, files)).toBe('0');
  });
});

describe('a bundle', () => {
  const bundle = async (text: string, conditions: readonly string[] = []): Promise<string> => {
    const entrypoints = [write('page.js', text)];
    const built = await Bun.build({ entrypoints, target: 'browser', minify: true, conditions: [...conditions] });
    return built.outputs[0]!.text();
  };

  it(`takes at most ${SLIM_BYTES_MAX} bytes with reads and the cart alone, and bundles nothing else`, async () => {
    const text = await bundle(
      `import { cart, products, search, slim, store } from 'stoa-client/slim';
       globalThis.shop = slim({ url: '', key: 'svc_pk_test_1' }, { cart, products, search, store });`,
    );
    expect(text).toContain('/v1/cart/items');
    expect(text).not.toContain('/v1/reviews');
    expect(gzipSync(text).length).toBeLessThanOrEqual(SLIM_BYTES_MAX);
  });

  it('keeps code for secret keys out of a page’s bundle', async () => {
    const page = `import { server } from 'stoa-client/server'; globalThis.shop = server;`;
    await expect(bundle(page)).rejects.toThrow();
  });

  it('runs in an edge worker with a worker’s globals, signing included', async () => {
    const text = await bundle(
      `import { server } from 'stoa-client/server';
       import { verifyWebhook } from 'stoa-client/webhook';
       globalThis.run = async (url, key, hmacSecret) => {
         const back = server({ url, key, hmacSecret });
         const { job } = await back.ingestion.push({ products: [{ external_id: 'W', name: 'Bowl', price: 5 }] });
         return [job.rows_total, await verifyWebhook({ body: '{}', signature: '' }, '').catch(({ code }) => code)];
       };`,
      ['workerd'],
    );
    const names = ['fetch', 'crypto', 'URLSearchParams', 'AbortController', 'TextEncoder', 'TextDecoder', 'btoa'];
    const timers = ['setTimeout', 'clearTimeout', 'performance', 'Request', 'Uint8Array'];
    const worker = createContext(
      Object.fromEntries([...names, ...timers].map((name) => [name, Reflect.get(globalThis, name)])),
    );
    runInContext(text, worker);
    const { secret_key, hmac_secret } = merchant.keys;
    expect(await worker.run(stoa.url, secret_key, hmac_secret)).toEqual([1, 'missing_signature']);
  });

  const program = chromiumProgram();
  it.skipIf(!program)('runs in a browser, on a page of another origin', { timeout: 120_000 }, async () => {
    const text = await bundle(
      `import { StoaError, storefront } from 'stoa-client';
       const statuses = [];
       const shop = storefront({
         url: ${JSON.stringify(stoa.url)}, key: ${JSON.stringify(merchant.keys.publishable_key)},
         observe: ({ status }) => statuses.push(status),
       });
       const run = async () => {
         const { products } = await shop.products.list({ sort: 'price_desc', fields: ['id', 'name'] });
         await shop.products.list({ sort: 'price_desc', fields: ['id', 'name'] });
         const { cart } = await shop.cart.items.add({ product_id: products[0].id });
         const refusal = await shop.products.get({ id: 'x' }).catch((error) => error);
         return [products[0].name, cart.item_count, refusal instanceof StoaError, refusal.requestId !== null, ...statuses];
       };
       run().then((outcome) => { globalThis.outcome = outcome; }, (error) => { globalThis.outcome = String(error); });`,
    );
    const html = `<!doctype html><title>Shop</title><script>${text.replaceAll('</script', '<\\/script')}</script>`;
    const page = Bun.serve({ port: 0, fetch: () => new Response(html, { headers: { 'content-type': 'text/html' } }) });
    const browser = await openBrowser(program!);
    try {
      await browser.page.open(`http://127.0.0.1:${page.port}/`);
      await expect
        .poll(() => browser.page.read('globalThis.outcome ?? null'), { timeout: 20_000 })
        .toEqual(['Mug', 1, true, true, 200, 304, 200, 400]);
    } finally {
      await browser.close();
      await page.stop(true);
    }
  });
});
