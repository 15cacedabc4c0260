// Features: what follows from plan and data, and when a change of either is told.

import { describe, expect, test } from 'vitest';
import { type Ability, CAPABILITIES, cross, featureStates } from '#services/store/feature.ts';

const PAID: Ability = { plan: 'starter', trial: false, lapsed: false, wholesale_enabled: false };
const TRIAL: Ability = { ...PAID, trial: true };
const LAPSED: Ability = { ...PAID, plan: 'premium', lapsed: true };
const WHOLESALE: Ability = { ...PAID, wholesale_enabled: true };

const statuses = (states: readonly { feature: string; status: string }[]) =>
  Object.fromEntries(states.map(({ feature, status }) => [feature, status]));

/** A tenant that went through these occasions, and what was told at the last of them. */
const lives = (...occasions: readonly (readonly [standing: Ability, hasData: boolean | null])[]) => {
  let states = featureStates([], occasions[0]![0]);
  let told: readonly { feature: string; status: string; previousStatus: string | null }[] = [];
  for (const [standing, hasData] of occasions) {
    const news = hasData === null ? null : ({ of: 'catalogue', hasData } as const);
    const { changed, crossed } = cross(states, standing, news);
    states = states.map((state) => changed.find(({ feature }) => feature === state.feature) ?? state);
    told = crossed;
  }
  return {
    states,
    told: told.map(({ feature, status, previousStatus }) => `${feature}: ${previousStatus} > ${status}`),
  };
};

describe('features', () => {
  test.each([
    [
      'a paying store',
      PAID,
      {
        catalogue: 'awaiting_data',
        catalogue_feeds: 'awaiting_data',
        recommendations: 'awaiting_data',
        reviews: 'awaiting_data',
        wholesale: 'not_in_plan',
      },
    ],
    [
      'a trial',
      TRIAL,
      {
        catalogue: 'awaiting_data',
        catalogue_feeds: 'not_in_plan',
        recommendations: 'awaiting_data',
        reviews: 'awaiting_data',
        wholesale: 'not_in_plan',
      },
    ],
    [
      'a wholesale store',
      WHOLESALE,
      {
        catalogue: 'awaiting_data',
        catalogue_feeds: 'awaiting_data',
        recommendations: 'awaiting_data',
        reviews: 'awaiting_data',
        wholesale: 'available',
      },
    ],
    [
      'a lapsed store',
      LAPSED,
      {
        catalogue: 'awaiting_data',
        catalogue_feeds: 'not_in_plan',
        recommendations: 'awaiting_data',
        reviews: 'awaiting_data',
        wholesale: 'not_in_plan',
      },
    ],
  ])('of %s without anything', (_who, standing, expected) => {
    const states = featureStates([], standing);
    expect(statuses(states)).toEqual(expected);
    expect(states.map((state) => state.previousStatus)).toEqual(CAPABILITIES.map(() => null));
  });

  test('become available with the first product', () => {
    expect(lives([PAID, true]).told).toEqual([
      'catalogue: awaiting_data > available',
      'catalogue_feeds: awaiting_data > available',
    ]);
  });

  test('say nothing at the second product', () => {
    expect(lives([PAID, true], [PAID, true]).told).toEqual([]);
  });

  test('await data again when the last product is gone', () => {
    const { told, states } = lives([PAID, true], [PAID, false]);
    expect(told).toEqual(['catalogue: available > awaiting_data', 'catalogue_feeds: available > awaiting_data']);
    expect(states.map((state) => state.previousStatus)).toEqual(['available', 'available', null, null, null]);
  });

  test('a trial has its catalogue but not its feeds', () => {
    expect(lives([TRIAL, true]).told).toEqual(['catalogue: awaiting_data > available']);
  });

  test('a trial that is paid for gets its feeds with the data that came meanwhile', () => {
    expect(lives([TRIAL, true], [PAID, null]).told).toEqual(['catalogue_feeds: not_in_plan > available']);
  });

  test('a lapse takes the feeds away, and data lost meanwhile is known afterwards', () => {
    expect(lives([PAID, true], [LAPSED, null]).told).toEqual(['catalogue_feeds: available > not_in_plan']);
    expect(lives([PAID, true], [LAPSED, false], [PAID, null]).told).toEqual([
      'catalogue_feeds: not_in_plan > awaiting_data',
    ]);
  });

  test('wholesale comes and goes with the store’s setting, whatever data there is', () => {
    expect(lives([PAID, null], [WHOLESALE, null]).told).toEqual(['wholesale: not_in_plan > available']);
    expect(lives([PAID, null], [WHOLESALE, null], [PAID, true]).told).toContain('wholesale: available > not_in_plan');
    expect(lives([WHOLESALE, true], [WHOLESALE, false]).told).not.toContain('wholesale: available > awaiting_data');
  });

  test('that another domain feeds follow its word alone', () => {
    const states = featureStates([], PAID);
    const { changed, crossed } = cross(states, PAID, { of: { feature: 'recommendations' }, hasData: true });
    expect(crossed).toEqual(changed);
    expect(changed).toEqual([
      { feature: 'recommendations', hasData: true, status: 'available', previousStatus: 'awaiting_data' },
    ]);
  });
});
