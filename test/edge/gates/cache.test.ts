// Tests that the edge's cache is bounded by bytes and evicts unused entries first.
import { expect, test } from 'vitest';
import { Cache, type CacheEntry, newCacheEntry } from '#edge/gates/cache.ts';

const entryOf = (bytes: number): CacheEntry =>
  newCacheEntry(
    {
      body: new Uint8Array(bytes),
      etag: '"x"',
      dependsOn: [],
      staleAt: Number.POSITIVE_INFINITY,
    },
    'often',
  );

test('stays within its bound, drops the oldest, spares what was asked for', () => {
  const cache = new Cache(100_000);
  for (let i = 0; i < 500; i++) {
    cache.set(`key ${i}`, entryOf(1_000));
    const first = cache.get('key 0');
    if (first) first.used = true;
    expect(cache.bytes).toBeLessThanOrEqual(100_000);
  }
  expect(cache.get('key 0')).toBeDefined();
  expect(cache.get('key 1')).toBeUndefined();
  expect(cache.get('key 499')).toBeDefined();
});

test('counts an entry once however often it is replaced', () => {
  const cache = new Cache(100_000);
  cache.set('key', entryOf(1_000));
  const once = cache.bytes;
  cache.set('key', entryOf(1_000));
  expect(cache.bytes).toBe(once);
  cache.delete('key');
  expect([cache.bytes, cache.size]).toEqual([0, 0]);
});

test('does not take what would push out everything else', () => {
  const cache = new Cache(100_000);
  cache.set('huge', entryOf(50_000));
  expect(cache.get('huge')).toBeUndefined();
});

test('counts the smaller forms of an entry, and makes room for them', async () => {
  const cache = new Cache(100_000);
  const noise = (): CacheEntry => {
    const entry = entryOf(10_000);
    crypto.getRandomValues(entry.body as Uint8Array<ArrayBuffer>);
    return entry;
  };
  const first = noise();
  cache.set('first', first);
  const plain = cache.bytes;
  const form = await first.encodedBodies.of('gzip');
  expect(cache.bytes).toBe(plain + form.length);
  expect(await first.encodedBodies.of('gzip')).toBe(form);
  expect(cache.bytes).toBe(plain + form.length);
  for (let at = 0; at < 30; at++) {
    const entry = noise();
    cache.set(`key ${at}`, entry);
    for (const coding of ['gzip', 'br', 'zstd'] as const) await entry.encodedBodies.of(coding);
    expect(cache.bytes).toBeLessThanOrEqual(100_000);
  }
  // Evicted entries count no bytes.
  const { bytes } = cache;
  await first.encodedBodies.of('br');
  expect(cache.bytes).toBe(bytes);
  for (let at = 0; at < 30; at++) cache.delete(`key ${at}`);
  expect([cache.bytes, cache.size]).toEqual([0, 0]);
});
