// Does due work one by one and in segments, on a frozen clock.
import { expect, test } from 'vitest';
import type { Tenant } from '#runtime/call/call.ts';
import { type ClockAdvance, countTypes, expiryDue, sequentialDue } from '#runtime/domain/due.ts';
import { manualClock } from '#runtime/process/clock.ts';

const TENANT: Tenant = { store: 'a', environment: 'sandbox' };
const NOW = 1_000;
const advance = (until: number, target = until): ClockAdvance => ({ since: NOW, until, target, endsAt: NOW + 60_000 });

/** Items that are each due at a time; some add another one when they fire. */
const scheduleOf = (items: readonly { at: number; id: string; makes?: { at: number; id: string } }[]) => {
  const clock = manualClock(NOW);
  const waiting = [...items];
  const happened: string[] = [];
  let looks = 0;
  const due = sequentialDue(clock, {
    first: async (_tenant, { target }) => {
      looks++;
      const [first] = waiting.filter(({ at }) => at <= target).sort((a, b) => a.at - b.at || a.id.localeCompare(b.id));
      return first ?? null;
    },
    fire: async (tenant, { id }) => {
      const [item] = waiting.splice(
        waiting.findIndex((each) => each.id === id),
        1,
      );
      happened.push(`${id} at ${clock.now(tenant).getTime()}`);
      if (item?.makes) waiting.push(item.makes);
      return ['thing'];
    },
  });
  return { clock, due, happened, looks: () => looks };
};

test('does due work in order, each at its time, with work that it causes', async () => {
  const { due, happened } = scheduleOf([
    { at: 5_000, id: 'c' },
    { at: 2_000, id: 'a', makes: { at: 3_000, id: 'b' } },
    { at: 9_000, id: 'late' },
  ]);
  expect(await due.next(TENANT, advance(6_000))).toBe(2_000);
  expect(await due.run(TENANT, advance(6_000))).toEqual([{ type: 'thing', count: 3 }]);
  expect(happened).toEqual(['a at 2000', 'b at 3000', 'c at 5000']);
  expect(await due.next(TENANT, advance(6_000))).toBeNull();
});

test('does overdue work at the start of the advance', async () => {
  const { due, happened } = scheduleOf([{ at: 10, id: 'old' }]);
  await due.run(TENANT, advance(6_000));
  expect(happened).toEqual(['old at 1000']);
});

test('does not look twice for work behind a segment', async () => {
  const { due, looks } = scheduleOf([
    { at: 2_000, id: 'a' },
    { at: 8_000, id: 'b' },
  ]);
  await due.run(TENANT, advance(6_000, 9_000));
  const before = looks();
  expect(await due.next(TENANT, advance(9_000))).toBe(8_000);
  expect(looks()).toBe(before);
  // Another advance looks for itself.
  expect(await due.next(TENANT, { ...advance(9_000), since: NOW + 1 })).toBe(8_000);
  expect(looks()).toBe(before + 1);
});

test('throws instead of looping when work stays due', async () => {
  const clock = manualClock(NOW);
  const stuck = sequentialDue(clock, { first: async () => ({ id: 'stuck', at: 2_000 }), fire: async () => [] });
  await expect(stuck.run(TENANT, advance(3_000))).rejects.toThrow('stuck');
});

test('counts each expiry once across segments', async () => {
  const ends = [2_000, 3_000, 3_000, 7_000];
  const clock = manualClock(NOW);
  const due = expiryDue(clock, {
    type: 'quote',
    first: async (_tenant, from, target) => ends.find((at) => at > from && at <= target) ?? null,
    count: async (_tenant, from, until) => ends.filter((at) => at > from && at <= until).length,
  });
  expect(await due.next(TENANT, advance(9_000))).toBe(2_000);
  expect(await due.run(TENANT, advance(2_500, 9_000))).toEqual([{ type: 'quote', count: 1 }]);
  expect(await due.next(TENANT, advance(9_000))).toBe(3_000);
  expect(await due.run(TENANT, advance(9_000))).toEqual([{ type: 'quote', count: 3 }]);
  expect(await due.next(TENANT, advance(9_000))).toBeNull();
});

test('types are counted in the order of their names', () => {
  expect(countTypes(['b', 'a', 'b'])).toEqual([
    { type: 'a', count: 1 },
    { type: 'b', count: 2 },
  ]);
});
