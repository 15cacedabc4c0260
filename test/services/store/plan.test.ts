// Plans: the specification's table of limits, trials, overrides, and what the sandbox is spared.

import { describe, expect, test } from 'vitest';
import { limitsOf, NO_OVERRIDES, type Plan, planNamed } from '#services/store/plan.ts';

const limits = (plan: Plan, trial = false, overrides = {}) =>
  Object.values(limitsOf({ plan, trial, lapsed: false }, { ...NO_OVERRIDES, ...overrides }, 'production'));

describe('limits, as key an hour, key a day, network an hour, month', () => {
  test.each([
    ['starter', false, [10_000, 50_000, 2_000, 100_000]],
    ['growth', false, [30_000, 150_000, 5_000, 1_000_000]],
    ['premium', false, [150_000, 750_000, 25_000, 5_000_000]],
    ['enterprise', false, [0, 0, 0, 0]],
    ['starter', true, [2_500, 10_000, 2_000, 20_000]],
    ['growth', true, [2_500, 10_000, 2_000, 200_000]],
    ['premium', true, [2_500, 10_000, 2_000, 1_000_000]],
    ['enterprise', true, [2_500, 10_000, 2_000, 0]],
  ] as const)('of %s, trial %s: %j', (plan, trial, expected) => {
    expect(limits(plan, trial)).toEqual(expected);
  });

  test('replaces one window by an override and keeps the others', () => {
    expect(limits('starter', false, { key_hour: 5, month: 0 })).toEqual([5, 50_000, 2_000, 0]);
  });

  test('meters enterprise only where an override is set', () => {
    expect(limits('enterprise', false, { key_hour: 7 })).toEqual([7, 0, 0, 0]);
  });

  test('divides no override by a trial', () => {
    expect(limits('growth', true, { month: 50 })).toEqual([2_500, 10_000, 2_000, 50]);
  });

  test('throttles the sandbox without a monthly quota', () => {
    const sandbox = limitsOf(
      { plan: 'starter', trial: false, lapsed: false },
      { ...NO_OVERRIDES, month: 9 },
      'sandbox',
    );
    expect(sandbox).toEqual({ key_hour: 10_000, key_day: 50_000, network_hour: 2_000, month: 0 });
  });
});

describe('names of plans', () => {
  test.each([
    ['trial', false, { plan: 'starter', trial: true }],
    ['growth', false, { plan: 'growth', trial: false }],
    ['growth', true, { plan: 'growth', trial: true }],
  ] as const)('%s, trial %s is %j', (name, trial, expected) => {
    expect(planNamed(name, trial)).toEqual(expected);
  });
});
