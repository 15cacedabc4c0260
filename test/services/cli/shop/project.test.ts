// A storefront project as `stoa shop new` writes it: it type-checks and builds with its own dependencies alone.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeShop } from '#services/cli/shop/project.ts';

const SETTING = { url: 'http://127.0.0.1:8080', key: 'svc_pk_test_0123456789', code: 'kiosk' };
const SECRETS = { key: 'svc_sk_test_0123456789', hmacSecret: 'signing' };
const TARGET = { ...SETTING, secrets: SECRETS };

let folder: string;
let shop: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stoa-shop-new-'));
  shop = join(folder, 'My Shop');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

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

test('type-checks and builds', { timeout: 120_000 }, () => {
  // Links this checkout's packages where `npm install` would put them.
  mkdirSync(join(shop, 'node_modules'));
  symlinkSync(join(shop, 'client'), join(shop, 'node_modules/stoa-client'));
  for (const name of ['preact', 'vite']) symlinkSync(resolve('node_modules', name), join(shop, 'node_modules', name));
  expect(run('tsc', ['-p', '.'])).toEqual({ status: 0, said: '' });
  const built = run('vite', ['build']);
  expect(built.status, built.said).toBe(0);
  expect(existsSync(join(shop, 'dist/index.html'))).toBe(true);
  expect(readFileSync(join(shop, 'dist/setting.json'), 'utf8')).toContain('svc_pk_test_');
  const published = readdirSync(join(shop, 'dist'), { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.\w+$/.test(name),
  );
  for (const name of published) expect(readFileSync(join(shop, 'dist', name), 'utf8')).not.toContain(SECRETS.key);
});
