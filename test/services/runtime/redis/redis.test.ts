// The optional cache: it may be slow, frozen or gone, and no caller waits or hears of it.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { connectCache, type SharedStore } from '#runtime/redis/redis.ts';
import { ownPort } from '#test/support/port.ts';
import { startProxy, type TestProxy } from '#test/support/proxy.ts';
import { eventually, testLog } from '#test/support/server.ts';

const hasRedis = spawnSync('redis-server', ['--version']).status === 0;
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const text = (message: Uint8Array | null): string | null => (message ? new TextDecoder().decode(message) : null);

test('misses every time without a URL', async () => {
  const cache = connectCache({ url: undefined, prefix: 'x:', log: testLog() });
  await cache.set('k', bytes('v'), 1_000);
  expect(await cache.get('k')).toBeNull();
  expect(cache.available).toBe(false);
  await cache.delete('k');
  await cache.close();
});

test('an address where no server answers is as good as none', async () => {
  const cache = connectCache({ url: 'redis://127.0.0.1:1', prefix: 'x:', log: testLog() });
  expect(await cache.get('k')).toBeNull();
  await cache.set('k', bytes('v'), 1_000);
  await cache.close();
});

describe.skipIf(!hasRedis)('with a real server', () => {
  let folder: string;
  let server: ChildProcess;
  let url: string;
  const caches: SharedStore[] = [];
  const proxies: TestProxy[] = [];

  const connect = async (to = url): Promise<SharedStore> => {
    const cache = connectCache({ url: to, prefix: 'stoa:', log: testLog() });
    caches.push(cache);
    await eventually(() => expect(cache.available).toBe(true));
    return cache;
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'stoa-redis-'));
    const port = await ownPort();
    server = spawn('redis-server', ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--dir', folder], {
      stdio: 'ignore',
    });
    url = `redis://127.0.0.1:${port}`;
  });
  afterAll(async () => {
    server.kill('SIGKILL');
    await rm(folder, { recursive: true });
  });
  afterEach(async () => {
    for (const cache of caches.splice(0)) await cache.close();
    for (const proxy of proxies.splice(0)) await proxy.close();
  });

  test('keeps bytes as they are, until they are deleted or too old', async () => {
    const cache = await connect();
    const all = Uint8Array.from({ length: 256 }, (_, at) => at);
    await cache.set('all', all, 60_000);
    expect(Buffer.from((await cache.get('all')) ?? [])).toEqual(Buffer.from(all));
    await cache.delete('all', 'never there');
    expect(await cache.get('all')).toBeNull();
    await cache.set('short', bytes('v'), 30);
    await eventually(async () => expect(await cache.get('short')).toBeNull());
  });

  test('shares entries within one namespace only', async () => {
    const [one, two] = [await connect(), await connect()];
    const other = connectCache({ url, prefix: 'other:', log: testLog() });
    caches.push(other);
    await eventually(() => expect(other.available).toBe(true));
    await one.set('k', bytes('v'), 60_000);
    expect(text(await two.get('k'))).toBe('v');
    expect(await other.get('k')).toBeNull();
  });

  test('frozen: misses, then is not asked at all, then serves again without help', async () => {
    const proxy = await startProxy(url);
    proxies.push(proxy);
    const cache = await connect(proxy.url);
    await cache.set('k', bytes('v'), 60_000);
    proxy.freeze();
    const answers = await Promise.all(Array.from({ length: 100 }, () => cache.get('k')));
    expect(answers.every((answer) => answer === null)).toBe(true);
    expect(cache.available).toBe(false);
    let asked = 0;
    proxy.onSent = () => asked++;
    for (let at = 0; at < 1_000; at++) await cache.get('k');
    expect(asked).toBeLessThan(10);
    proxy.onSent = null;
    proxy.thaw();
    await eventually(async () => expect(text(await cache.get('k'))).toBe('v'));
  });

  test('cut in the middle: a miss, and back by itself', async () => {
    const proxy = await startProxy(url);
    proxies.push(proxy);
    const cache = await connect(proxy.url);
    await cache.set('k', bytes('v'), 60_000);
    proxy.onSent = () => proxy.cut();
    expect(await cache.get('k')).toBeNull();
    proxy.onSent = null;
    await eventually(async () => expect(text(await cache.get('k'))).toBe('v'));
  });

  test('a value of another kind is a miss', async () => {
    const cache = await connect();
    spawnSync('redis-cli', ['-u', url, 'lpush', 'stoa:list', 'x']);
    expect(await cache.get('list')).toBeNull();
    expect(cache.available).toBe(true);
  });
});
