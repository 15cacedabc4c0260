// A storefront project as `stoa shop new` writes it: it type-checks and builds with its own dependencies alone.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { writeShop } from '#services/cli/shop/project.ts';
import { openMerchant } from '#test/support/catalog.ts';
import { ownPort } from '#test/support/port.ts';
import { eventually } from '#test/support/server.ts';
import { type Stoa, sharedStoa } from '#test/support/stoa.ts';

const SETTING = { url: 'http://127.0.0.1:8080', key: 'svc_pk_test_0123456789', code: 'kiosk' };
const SECRETS = { key: 'svc_sk_test_0123456789', hmacSecret: 'signing' };
const TARGET = { ...SETTING, secrets: SECRETS };

let folder: string;
let shop: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stoa-shop-new-'));
  shop = join(folder, 'My Shop');
});
afterAll(async () => {
  for (const child of servers) child.kill();
  await rm(folder, { recursive: true, force: true });
});

const servers: ChildProcess[] = [];

const run = (program: string, args: readonly string[]) => {
  const { status, stdout, stderr } = spawnSync(resolve('node_modules/.bin', program), args, {
    cwd: shop,
    encoding: 'utf8',
  });
  return { status, said: stdout + stderr };
};

test('writes the project once, with its store’s name and nothing private', () => {
  const files = writeShop(shop, TARGET);
  expect(files).toContain('src/main.tsx');
  expect(JSON.parse(readFileSync(join(shop, 'public/setting.json'), 'utf8'))).toEqual({
    ...SETTING,
    server: '/server',
  });
  expect(JSON.parse(readFileSync(join(shop, 'package.json'), 'utf8'))).toMatchObject({
    name: 'my-shop',
    dependencies: { 'stoa-client': 'file:client' },
  });
  const sources = files.filter((name) => /\.tsx?$/.test(name)).map((name) => readFileSync(join(shop, name), 'utf8'));
  expect(sources.length).toBeGreaterThan(20);
  expect(sources.filter((text) => /'#(proto|edge|values|services)/.test(text))).toEqual([]);
  // Secrets are for their owner, and in no file that is published.
  expect(statSync(join(shop, '.env.local')).mode & 0o077).toBe(0);
  expect(readFileSync(join(shop, '.gitignore'), 'utf8')).toContain('.env.local');
  expect(() => writeShop(shop, TARGET)).toThrow('is not empty');
});

test('writes no server without secrets', () => {
  const plain = join(folder, 'plain');
  expect(writeShop(plain, { ...SETTING, secrets: null })).not.toContain('.env.local');
  expect(JSON.parse(readFileSync(join(plain, 'public/setting.json'), 'utf8'))).toEqual(SETTING);
});

/** Links this checkout's packages where `npm install` would put them. */
const installPackages = (): void => {
  mkdirSync(join(shop, 'node_modules/@types'), { recursive: true });
  symlinkSync(join(shop, 'client'), join(shop, 'node_modules/stoa-client'));
  mkdirSync(join(shop, 'node_modules/@fontsource-variable'));
  mkdirSync(join(shop, 'node_modules/@stripe'));
  for (const name of [
    '@fontsource-variable/figtree',
    '@stripe/stripe-js',
    'preact',
    'preact-render-to-string',
    'vite',
    'vitest',
    '@types/node',
  ])
    symlinkSync(resolve('node_modules', name), join(shop, 'node_modules', name));
};

test('type-checks, passes its own tests and builds', { timeout: 240_000 }, () => {
  installPackages();
  expect(run('tsc', [])).toEqual({ status: 0, said: '' });
  const tested = run('vitest', ['run']);
  expect(tested.status, tested.said).toBe(0);
  for (const options of [[], ['--ssr']]) {
    const built = run('vite', ['build', ...options]);
    expect(built.status, built.said).toBe(0);
  }
  for (const name of ['node', 'bun', 'worker']) expect(existsSync(join(shop, `dist/server/${name}.js`))).toBe(true);
  expect(readFileSync(join(shop, 'dist/client/setting.json'), 'utf8')).toContain('svc_pk_test_');
  const published = readdirSync(join(shop, 'dist'), { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  for (const { parentPath, name } of published)
    expect(readFileSync(join(parentPath, name), 'utf8')).not.toContain(SECRETS.key);
});

const WORKER = `import worker from './dist/server/worker.js';
const server = Bun.serve({ port: Number(process.env.PORT), fetch: (request) => worker.fetch(request, process.env) });
console.log('The shop is at ' + server.url);`;

const BUN = process.execPath;

describe('served on', () => {
  let stoa: Stoa;
  let slug: string;
  beforeAll(async () => {
    stoa = await sharedStoa();
    const { keys, createProduct } = await openMerchant(stoa);
    const product = await createProduct({ name: 'Blue mug', price: 12, stock: 5 });
    slug = product.product_slug ?? '';
    const setting = { url: stoa.url, key: keys.publishable_key, code: keys.code };
    writeFileSync(join(shop, 'public/setting.json'), JSON.stringify(setting));
    writeFileSync(join(shop, 'redirects.csv'), `old_handle,product_slug\r\nmy-mug,${slug}\r\n`);
    writeFileSync(join(shop, 'worker_host.ts'), WORKER);
    rmSync(join(shop, '.env.local'), { force: true });
    for (const options of [[], ['--ssr']]) expect(run('vite', ['build', ...options]).status).toBe(0);
  }, 240_000);

  test.each([
    ['Node', 'node', 'dist/server/node.js'],
    ['Bun', BUN, 'dist/server/bun.js'],
    ['an edge worker', BUN, 'worker_host.ts'],
  ])('%s: renders a product, takes the cart’s form and redirects an earlier address', async (host, program, file) => {
    const port = await ownPort();
    const env = { ...process.env, PORT: `${port}`, NODE_ENV: 'production' };
    servers.push(spawn(program, [file], { cwd: shop, env, stdio: 'inherit' }));
    const base = `http://127.0.0.1:${port}`;
    const ask = (path: string, init: RequestInit = {}) => fetch(base + path, { redirect: 'manual', ...init });
    const page = await eventually(async () => {
      const response = await ask(`/products/${slug}`);
      expect(response.status).toBe(200);
      return response;
    });
    const text = await page.text();
    expect(text).toContain('<title>Blue mug');
    if (host !== 'an edge worker')
      for (const [, path] of text.matchAll(
        /<(?:script type="module" src|link rel="(?:stylesheet|preload)" href)="([^"]+)"/g,
      )) {
        const loaded = await ask(path!);
        expect([loaded.status, loaded.headers.get('cache-control')]).toEqual([
          200,
          'public, max-age=31536000, immutable',
        ]);
      }
    const moved = await ask('/products/my-mug');
    expect([moved.status, moved.headers.get('location')]).toEqual([301, `/products/${slug}`]);
    const variant = /name="variant_id" value="([^"]+)"/.exec(text)![1]!;
    const body = new URLSearchParams({ variant_id: variant, quantity: '2' });
    const added = await ask('/cart', { method: 'POST', body });
    expect([added.status, added.headers.get('location')]).toEqual([303, '/cart']);
    const cookie = added.headers.get('set-cookie')!.split(';')[0]!;
    expect(await (await ask('/cart', { headers: { cookie } })).text()).toContain('$24.00');
  });
});
