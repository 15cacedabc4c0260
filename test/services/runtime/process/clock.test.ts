// Clocks of tenants.
import { expect, test } from 'vitest';
import type { Tenant } from '#runtime/call/call.ts';
import { manualClock, systemClock } from '#runtime/process/clock.ts';

const production: Tenant = { store: 'a', environment: 'production' };
const sandbox: Tenant = { store: 'a', environment: 'sandbox' };
const other: Tenant = { store: 'b', environment: 'sandbox' };

test('every tenant begins at the real time', () => {
  const clock = systemClock();
  const before = Date.now();
  const seen = [clock.real(), ...[production, sandbox].map((tenant) => clock.now(tenant).getTime())];
  const after = Date.now();
  for (const ms of seen) expect(ms >= before && ms <= after).toBe(true);
});

test('a sandbox runs ahead for itself alone, and goes on from there', () => {
  const clock = manualClock(1_000);
  clock.setOffset(sandbox, 500);
  clock.advance(10);
  expect([production, sandbox, other].map((tenant) => clock.now(tenant).getTime())).toEqual([1_010, 1_510, 1_010]);
  expect(clock.real()).toBe(1_010);
  expect([production, sandbox, other].map((tenant) => clock.offset(tenant))).toEqual([0, 500, 0]);
  clock.setOffset(sandbox, 0);
  expect(clock.now(sandbox).getTime()).toBe(1_010);
});

test.each([
  ['production', production, 1],
  ['a sandbox to before the real time', sandbox, -1],
  ['a sandbox to no time at all', sandbox, Number.NaN],
] as const)('no call moves %s', (_, tenant, offsetMs) => {
  expect(() => manualClock(0).setOffset(tenant, offsetMs)).toThrow();
});

test('freezes the clock of a sandbox at a time, and resumes from its offset', () => {
  const clock = manualClock(1_000);
  const sandbox = { store: 'a', environment: 'sandbox' } as const;
  clock.setOffset(sandbox, 500);
  clock.freeze(sandbox, 9_000);
  clock.advance(100);
  expect([clock.now(sandbox).getTime(), clock.offset(sandbox), clock.isFrozen(sandbox)]).toEqual([9_000, 7_900, true]);
  expect(clock.moved()).toEqual([]);
  clock.setOffset(sandbox, 8_000);
  expect([clock.now(sandbox).getTime(), clock.isFrozen(sandbox)]).toEqual([9_100, false]);
  expect(clock.moved()).toEqual([sandbox]);
  expect(() => clock.freeze({ store: 'a', environment: 'production' }, 1)).toThrow();
});
