// Caches values until a change, and serves stale ones while the owner is unavailable.

import { expect, test } from 'vitest';
import { StoreCache } from '#runtime/flow/store_cache.ts';
import { manualClock } from '#runtime/process/clock.ts';

/** A memory over a table that the test may change behind its back; each load waits for `open` where given. */
const memory = (entriesMax = 10) => {
  const table = new Map<string, string>([['a', 'one']]);
  const clock = manualClock(0);
  const state = { loads: 0, away: false, gate: Promise.resolve() };
  const kept = new StoreCache<string | null>({
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
  return { table, clock, state, kept };
};

/** Lets everything that is waiting for nothing but its turn run. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

test('returns a cached value synchronously', async () => {
  const { kept, state } = memory();
  expect(await kept.get('a')).toBe('one');
  expect(kept.get('a')).toBe('one');
  expect(state.loads).toBe(1);
});

test('callers who meet share one load', async () => {
  const { kept, state } = memory();
  expect(await Promise.all([kept.get('a'), kept.get('a'), kept.get('a')])).toEqual(['one', 'one', 'one']);
  expect(state.loads).toBe(1);
});

test('does not cache a missing value', async () => {
  const { kept, table } = memory();
  expect(await kept.get('b')).toBeNull();
  table.set('b', 'two');
  expect(await kept.get('b')).toBe('two');
});

test('reloads only the evicted entry', async () => {
  const { kept, table, state } = memory();
  table.set('b', 'two');
  await kept.get('a');
  await kept.get('b');
  table.set('a', 'uno');
  kept.forget('a');
  expect(await kept.get('a')).toBe('uno');
  expect(kept.get('b')).toBe('two');
  expect(state.loads).toBe(3);
});

test('a load that was under way when its owner changed is neither kept nor shared with later callers', async () => {
  const { kept, table, state } = memory();
  let open = () => {};
  state.gate = new Promise((resolve) => {
    open = resolve;
  });
  const early = kept.get('a');
  table.set('a', 'uno');
  kept.forget('a');
  const late = kept.get('a');
  open();
  expect(await early).toBe('one');
  expect(await late).toBe('uno');
  expect(kept.get('a')).toBe('uno');
});

test('returns a stale value and reloads it in the background', async () => {
  const { kept, table, clock } = memory();
  await kept.get('a');
  table.set('a', 'uno');
  clock.advance(30_001);
  expect(kept.get('a')).toBe('one');
  await settle();
  expect(kept.get('a')).toBe('uno');
});

test('evicts a stale value that no longer exists', async () => {
  const { kept, table, clock } = memory();
  await kept.get('a');
  table.delete('a');
  clock.advance(30_001);
  expect(kept.get('a')).toBe('one');
  await settle();
  expect(await kept.get('a')).toBeNull();
});

test('while the database is away what is known goes on, and what is not is a fault', async () => {
  const { kept, clock, state } = memory();
  await kept.get('a');
  state.away = true;
  clock.advance(60_000);
  for (let i = 0; i < 3; i++) {
    expect(kept.get('a')).toBe('one');
    await settle();
    clock.advance(5_000);
  }
  await expect(kept.get('b')).rejects.toThrow('away');
  state.away = false;
  clock.advance(5_000);
  kept.get('a');
  await settle();
  expect(kept.get('a')).toBe('one');
});

test('the oldest make room', async () => {
  const { kept, table, state } = memory(2);
  for (const name of ['a', 'b', 'c']) {
    table.set(name, name);
    await kept.get(name);
  }
  expect(kept.size).toBe(2);
  expect(kept.get('c')).toBe('c');
  await kept.get('a');
  expect(state.loads).toBe(4);
});
