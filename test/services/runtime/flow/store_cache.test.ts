// Caches values until a change, and serves stale ones while the owner is unavailable.

import { expect, test } from 'vitest';
import { StoreCache } from '#runtime/flow/store_cache.ts';
import { manualClock } from '#runtime/process/clock.ts';

/** A cache over a table that the test changes directly; each load waits for `state.gate`. */
const openCache = (entriesMax = 10) => {
  const table = new Map<string, string>([['a', 'one']]);
  const clock = manualClock(0);
  const state = { loads: 0, away: false, gate: Promise.resolve() };
  const cache = new StoreCache<string | null>({
    clock,
    entriesMax,
    load: async (name) => {
      state.loads += 1;
      const value = table.get(name);
      await state.gate;
      if (state.away) throw new Error('away');
      return value === undefined ? { owner: null, value: null } : { owner: name, value };
    },
  });
  return { table, clock, state, cache };
};

/** Lets everything that is waiting for nothing but its turn run. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

test('returns a cached value synchronously', async () => {
  const { cache, state } = openCache();
  expect(await cache.get('a')).toBe('one');
  expect(cache.get('a')).toBe('one');
  expect(state.loads).toBe(1);
});

test('shares one load between concurrent callers', async () => {
  const { cache, state } = openCache();
  expect(await Promise.all([cache.get('a'), cache.get('a'), cache.get('a')])).toEqual(['one', 'one', 'one']);
  expect(state.loads).toBe(1);
});

test('does not cache a missing value', async () => {
  const { cache, table } = openCache();
  expect(await cache.get('b')).toBeNull();
  table.set('b', 'two');
  expect(await cache.get('b')).toBe('two');
});

test('reloads only the evicted entry', async () => {
  const { cache, table, state } = openCache();
  table.set('b', 'two');
  await cache.get('a');
  await cache.get('b');
  table.set('a', 'uno');
  cache.forget('a');
  expect(await cache.get('a')).toBe('uno');
  expect(cache.get('b')).toBe('two');
  expect(state.loads).toBe(3);
});

test('a load that was under way when its owner changed is neither kept nor shared with later callers', async () => {
  const { cache, table, state } = openCache();
  let open = () => {};
  state.gate = new Promise((resolve) => {
    open = resolve;
  });
  const early = cache.get('a');
  table.set('a', 'uno');
  cache.forget('a');
  const late = cache.get('a');
  open();
  expect(await early).toBe('one');
  expect(await late).toBe('uno');
  expect(cache.get('a')).toBe('uno');
});

test('returns a stale value and reloads it in the background', async () => {
  const { cache, table, clock } = openCache();
  await cache.get('a');
  table.set('a', 'uno');
  clock.advance(30_001);
  expect(cache.get('a')).toBe('one');
  await settle();
  expect(cache.get('a')).toBe('uno');
});

test('evicts a stale value that no longer exists', async () => {
  const { cache, table, clock } = openCache();
  await cache.get('a');
  table.delete('a');
  clock.advance(30_001);
  expect(cache.get('a')).toBe('one');
  await settle();
  expect(await cache.get('a')).toBeNull();
});

test('serves cached values while the database is away, and rejects for others', async () => {
  const { cache, clock, state } = openCache();
  await cache.get('a');
  state.away = true;
  clock.advance(60_000);
  for (let i = 0; i < 3; i++) {
    expect(cache.get('a')).toBe('one');
    await settle();
    clock.advance(5_000);
  }
  await expect(cache.get('b')).rejects.toThrow('away');
  state.away = false;
  clock.advance(5_000);
  cache.get('a');
  await settle();
  expect(cache.get('a')).toBe('one');
});

test('the oldest make room', async () => {
  const { cache, table, state } = openCache(2);
  for (const name of ['a', 'b', 'c']) {
    table.set(name, name);
    await cache.get(name);
  }
  expect(cache.size).toBe(2);
  expect(cache.get('c')).toBe('c');
  await cache.get('a');
  expect(state.loads).toBe(4);
});
