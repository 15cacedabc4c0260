// Caches values for a time, until a change or until others need the room; callers that miss together share a load.

import { expect, test } from 'vitest';
import { type Refusal, refuse } from '#runtime/call/call.ts';
import { LookupCache } from '#runtime/flow/lookup_cache.ts';
import { manualClock } from '#runtime/process/clock.ts';

const TTL_MS = 30_000;
const AWAY = refuse('service_unavailable', 'The table is away.');

/** A cache over a table that the test changes directly; each load waits for `state.gate`. Rows `a` and `a2` are owned by `a`. */
const openCache = (entriesMax = 10, servesStale = true) => {
  const table = new Map<string, string>([['a', 'one']]);
  const clock = manualClock(0);
  const state = { loads: 0, away: false, refuses: false, gate: Promise.resolve() };
  const cache = new LookupCache<string, string | null, void, Refusal>({
    now: () => clock.real(),
    entriesMax,
    servesStale,
    load: async (name) => {
      state.loads += 1;
      const value = table.get(name);
      await state.gate;
      if (state.away) throw new Error('away');
      if (state.refuses) return AWAY;
      return value === undefined ? { value: null, ttlMs: 0 } : { value, ttlMs: TTL_MS, owners: [name.slice(0, 1)] };
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

test('forgets one value, those of an owner, or all', async () => {
  const { cache, table, state } = openCache();
  for (const name of ['a', 'a2', 'b']) {
    table.set(name, name);
    await cache.get(name);
  }
  cache.forget('a');
  await cache.get('a');
  expect([cache.get('a2'), cache.get('b'), state.loads]).toEqual(['a2', 'b', 4]);
  cache.forgetOwner('a');
  expect([cache.size, cache.get('b')]).toEqual([1, 'b']);
  await cache.get('a2');
  cache.forgetAll();
  expect(cache.size).toBe(0);
  cache.forgetOwner('a');
  expect(await cache.get('a2')).toBe('a2');
});

test.each<[string, (cache: ReturnType<typeof openCache>['cache']) => void]>([
  ['its value', (cache) => cache.forget('a')],
  ['its owner', (cache) => cache.forgetOwner('a')],
  ['everything', (cache) => cache.forgetAll()],
])('neither caches a load nor shares it with later callers if %s is forgotten meanwhile', async (_, forget) => {
  const { cache, table, state } = openCache();
  let open = () => {};
  state.gate = new Promise((resolve) => {
    open = resolve;
  });
  const early = cache.get('a');
  table.set('a', 'uno');
  forget(cache);
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

test('waits for a fresh value unless it may serve stale ones', async () => {
  const { cache, table, clock } = openCache(10, false);
  await cache.get('a');
  table.set('a', 'uno');
  clock.advance(TTL_MS - 1);
  expect(cache.get('a')).toBe('one');
  clock.advance(1);
  expect(cache.peek('a')?.value).toBe('one');
  expect(await cache.get('a')).toBe('uno');
});

test('returns a refusal, and leaves what is cached', async () => {
  const { cache, clock, state } = openCache(10, false);
  await cache.get('a');
  clock.advance(TTL_MS);
  state.refuses = true;
  expect(await cache.get('a')).toBe(AWAY);
  expect(cache.peek('a')?.value).toBe('one');
});

test('counts the time of a value from the start of its load', async () => {
  const { cache, clock, state } = openCache(10, false);
  let open = () => {};
  state.gate = new Promise((resolve) => {
    open = resolve;
  });
  const loading = cache.get('a');
  clock.advance(TTL_MS);
  open();
  await loading;
  await cache.get('a');
  expect(state.loads).toBe(2);
});

test('evicts the least recently used value, also from its owner', async () => {
  const { cache, table, state } = openCache(2);
  for (const name of ['a', 'b', 'c']) {
    table.set(name, name);
    await cache.get(name);
  }
  expect(cache.size).toBe(2);
  expect(cache.get('b')).toBe('b');
  cache.forgetOwner('a');
  await cache.get('a');
  expect(state.loads).toBe(4);
  expect([cache.peek('a')?.value, cache.peek('b')?.value, cache.peek('c')]).toEqual(['a', 'b', undefined]);
});
