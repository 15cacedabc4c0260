// Backs up a running system and restores it into an empty home, with the same data and nothing else.
import { type ChildProcess, spawn } from 'node:child_process';
import { appendFileSync, cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readRunning } from '#services/cli/running.ts';
import { plainPng } from '#test/support/picture.ts';
import { ownPort } from '#test/support/port.ts';
import { eventually, freshDatabase, openPostgres } from '#test/support/server.ts';
import { type Keys, type Reply, type SendOptions, sendTo } from '#test/support/stoa.ts';

const MAIN = fileURLToPath(new URL('../../../services/cli/main.ts', import.meta.url));
const STARTS = { timeout: 240_000 };

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

let root: string;
let port: number;
const systems: ChildProcess[] = [];

const spawned = (home: string, args: readonly string[], more: Readonly<Record<string, string>>): ChildProcess =>
  spawn(process.execPath, [MAIN, ...args], {
    env: {
      ...process.env,
      DATABASE_URL: '',
      NATS_URL: '',
      REDIS_URL: '',
      STOA_MASTER_KEY: '',
      STOA_DEMO: '',
      STOA_HOME: join(root, home),
      PORT: String(port),
      ...more,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });

const stoa = (home: string, args: readonly string[], more: Readonly<Record<string, string>> = {}): Promise<Ended> =>
  new Promise((done) => {
    const child = spawned(home, args, more);
    let [out, err] = ['', ''];
    child.stdout!.on('data', (bytes) => {
      out += bytes;
    });
    child.stderr!.on('data', (bytes) => {
      err += bytes;
    });
    child.once('close', (code) => done({ code, out, err }));
  });

const start = async (home: string, more: Readonly<Record<string, string>> = {}): Promise<ChildProcess> => {
  const system = spawned(home, ['start'], more);
  systems.push(system);
  let out = '';
  system.stdout!.on('data', (bytes) => {
    out += bytes;
  });
  await eventually(() => expect(out).toContain('ready '), 120_000);
  return system;
};
const stop = (system: ChildProcess): Promise<void> =>
  new Promise((done) => {
    system.once('close', () => done());
    system.kill('SIGTERM');
  });
const send = (method: string, path: string, options?: SendOptions): Promise<Reply> =>
  sendTo(`http://127.0.0.1:${port}`, method, path, options);
const backupAt = (name: string): string => join(root, name);

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'stoa-backup-'));
  port = await ownPort();
});
afterAll(() => {
  for (const system of systems) system.kill('SIGKILL');
  rmSync(root, { recursive: true, force: true });
});

describe('a backup', STARTS, () => {
  let keys: Keys;
  let product: string;
  let picture: { id: string; url: string; bytes: number };
  const session = { 'X-Session-Id': 'visit-1' };

  beforeAll(async () => {
    const system = await start('first', { STOA_DEMO: '0' });
    keys = JSON.parse((await stoa('first', ['store', 'create', '--name', 'Kept', '--currency', 'USD', '--json'])).out);
    const made = await send('POST', '/v1/products', {
      key: keys.secret_key,
      body: { name: 'Cup', price: 3, stock: 5 },
    });
    product = made.body.id;
    picture = (await send('POST', '/v1/media', { key: keys.secret_key, body: plainPng(900, 300) })).body.media;
    const item = { variant_id: made.body.variant_id, quantity: 2 };
    const put = await send('POST', '/v1/cart/items', { key: keys.publishable_key, headers: session, body: item });
    expect(put.status).toBeLessThan(300);
    const postgres = openPostgres(readRunning(join(root, 'first'))!.database_url);
    // The journal is written to Postgres a moment later.
    await eventually(async () => {
      const carts = await postgres.sql`select 1 from runtime.actor where kind = 'cart' and store = ${keys.store_id}`;
      expect(carts.length).toBe(1);
    });
    await postgres.close();
    expect(await stoa('first', ['backup', backupAt('kept')])).toMatchObject({ code: 0, err: '' });
    expect(await stoa('first', ['restore', backupAt('kept')])).toMatchObject({
      code: 1,
      err: expect.stringContaining('already running'),
    });
    await stop(system);
  }, STARTS.timeout);

  test('writes a backup readable by its owner alone', () => {
    expect(readdirSync(backupAt('kept')).sort()).toEqual(['backup.json', 'files', 'master.key', 'stoa.dump']);
    for (const name of readdirSync(backupAt('kept')).filter((each) => each !== 'files'))
      expect(statSync(join(backupAt('kept'), name)).mode & 0o777).toBe(0o600);
    expect(statSync(backupAt('kept')).mode & 0o777).toBe(0o700);
  });

  test.each([
    { what: 'no backup', folder: 'nothing', says: 'holds no backup' },
    { what: 'a dump that changed', folder: 'damaged', says: 'the hash of stoa.dump differs from the manifest' },
    { what: 'a picture that changed', folder: 'repainted', says: 'differs from the manifest' },
    { what: 'a key that is gone', folder: 'keyless', says: 'lacks master.key' },
  ])('$what is not restored, and leaves the home as it was', async ({ folder, says }) => {
    cpSync(backupAt('kept'), backupAt('damaged'), { recursive: true });
    appendFileSync(join(backupAt('damaged'), 'stoa.dump'), 'x');
    cpSync(backupAt('kept'), backupAt('repainted'), { recursive: true });
    const file = join(keys.store_id, 'production', picture.id, 'main');
    appendFileSync(join(backupAt('repainted'), 'files', file), 'x');
    cpSync(backupAt('kept'), backupAt('keyless'), { recursive: true });
    rmSync(join(backupAt('keyless'), 'master.key'));
    expect(await stoa('untouched', ['restore', backupAt(folder)])).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringContaining(says),
    });
    expect(existsSync(join(root, 'untouched', 'postgres.json'))).toBe(false);
  });

  test('refuses to restore into a home that is in use', async () => {
    expect(await stoa('first', ['restore', backupAt('kept')])).toMatchObject({
      code: 1,
      err: expect.stringContaining('is in use'),
    });
  });

  test('comes back in an empty home: stores, keys, products, pictures and carts, and no demo store', async () => {
    expect(await stoa('second', ['restore', backupAt('kept')])).toMatchObject({ code: 0 });
    const system = await start('second');
    expect(existsSync(join(root, 'second', 'demo.json'))).toBe(false);
    // The streams are new, and complete as they are.
    expect((await send('GET', '/v1/health')).body.status).toBe('ok');
    const read = await send('GET', `/v1/products/${product}`, { key: keys.secret_key });
    expect([read.status, read.body.name]).toEqual([200, 'Cup']);
    const file = await fetch(picture.url);
    expect([file.status, (await file.bytes()).length]).toEqual([200, picture.bytes]);
    const cart = await send('GET', '/v1/cart', { key: keys.publishable_key, headers: session });
    expect(cart.body.cart.items).toMatchObject([{ quantity: 2 }]);
    const { variant_id } = cart.body.cart.items[0];
    const more = await send('POST', '/v1/cart/items', {
      key: keys.publishable_key,
      headers: session,
      body: { variant_id, quantity: 1 },
    });
    expect(more.body.cart.items).toMatchObject([{ quantity: 3 }]);
    const again = await stoa('second', ['backup', backupAt('kept')]);
    expect([again.code, again.err]).toEqual([1, expect.stringContaining('already holds a backup')]);
    await stop(system);
  });

  test('comes back in an empty database, and in no other', async () => {
    const database = await freshDatabase({ empty: true });
    const where = { DATABASE_URL: database.url };
    expect(await stoa('third', ['restore', backupAt('kept')], where)).toMatchObject({ code: 0 });
    const full = await stoa('fourth', ['restore', backupAt('kept')], where);
    expect([full.code, full.err]).toEqual([1, expect.stringContaining('not empty')]);
    // Another home's start finds a database that others filled; with another key than theirs it would not serve.
    const key = readFileSync(join(backupAt('kept'), 'master.key'), 'utf8').trim();
    const system = await start('fifth', { ...where, STOA_MASTER_KEY: key });
    expect(existsSync(join(root, 'fifth', 'demo.json'))).toBe(false);
    await stop(system);
    await database.drop();
  });
});

test('explains what to do without a running system or a database', async () => {
  const { code, err } = await stoa('idle', ['backup', backupAt('none')], { STOA_MASTER_KEY: 'x' });
  expect([code, err]).toEqual([1, expect.stringContaining('DATABASE_URL')]);
  expect(existsSync(backupAt('none'))).toBe(false);
});
