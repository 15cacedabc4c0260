// Features follow from plan and data; a change of status is reported once.

import { describe, expect, test } from 'vitest';
import { type Ability, CAPABILITIES, featureChanges, featureStates } from '#services/store/feature.ts';

const PAID: Ability = { plan: 'starter', trial: false, lapsed: false, wholesale_enabled: false };
const TRIAL: Ability = { ...PAID, trial: true };
const LAPSED: Ability = { ...PAID, plan: 'premium', lapsed: true };
const WHOLESALE: Ability = { ...PAID, wholesale_enabled: true };

const statuses = (states: readonly { feature: string; status: string }[]) =>
  Object.fromEntries(states.map(({ feature, status }) => [feature, status]));

const afterChanges = (...occasions: readonly (readonly [ability: Ability, hasData: boolean | null])[]) => {
  let states = featureStates([], occasions[0]![0]);
  let last: readonly { feature: string; status: string; previousStatus: string | null }[] = [];
  for (const [ability, hasData] of occasions) {
    const dataChange = hasData === null ? null : ({ subject: 'catalogue', hasData } as const);
    const { changed, statusChanges } = featureChanges(states, ability, dataChange);
    states = states.map((state) => changed.find(({ feature }) => feature === state.feature) ?? state);
    last = statusChanges;
  }
  return {
    states,
    statusChanges: last.map(({ feature, status, previousStatus }) => `${feature}: ${previousStatus} > ${status}`),
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
  ])('of %s without anything', (_who, ability, expected) => {
    const states = featureStates([], ability);
    expect(statuses(states)).toEqual(expected);
    expect(states.map((state) => state.previousStatus)).toEqual(CAPABILITIES.map(() => null));
  });

  test('become available with the first product', () => {
    expect(afterChanges([PAID, true]).statusChanges).toEqual([
      'catalogue: awaiting_data > available',
      'catalogue_feeds: awaiting_data > available',
    ]);
  });

  test('report nothing at the second product', () => {
    expect(afterChanges([PAID, true], [PAID, true]).statusChanges).toEqual([]);
  });

  test('await data again when the last product is gone', () => {
    const { statusChanges, states } = afterChanges([PAID, true], [PAID, false]);
    expect(statusChanges).toEqual([
      'catalogue: available > awaiting_data',
      'catalogue_feeds: available > awaiting_data',
    ]);
    expect(states.map((state) => state.previousStatus)).toEqual(['available', 'available', null, null, null]);
  });

  test('gives a trial the catalogue without feeds', () => {
    expect(afterChanges([TRIAL, true]).statusChanges).toEqual(['catalogue: awaiting_data > available']);
  });

  test('opens the feeds of a trial that becomes paid, with its data', () => {
    expect(afterChanges([TRIAL, true], [PAID, null]).statusChanges).toEqual([
      'catalogue_feeds: not_in_plan > available',
    ]);
  });

  test('closes the feeds of a lapsed store and remembers data lost meanwhile', () => {
    expect(afterChanges([PAID, true], [LAPSED, null]).statusChanges).toEqual([
      'catalogue_feeds: available > not_in_plan',
    ]);
    expect(afterChanges([PAID, true], [LAPSED, false], [PAID, null]).statusChanges).toEqual([
      'catalogue_feeds: not_in_plan > awaiting_data',
    ]);
  });

  test('makes wholesale follow the store’s setting, whatever data there is', () => {
    expect(afterChanges([PAID, null], [WHOLESALE, null]).statusChanges).toEqual(['wholesale: not_in_plan > available']);
    expect(afterChanges([PAID, null], [WHOLESALE, null], [PAID, true]).statusChanges).toContain(
      'wholesale: available > not_in_plan',
    );
    expect(afterChanges([WHOLESALE, true], [WHOLESALE, false]).statusChanges).not.toContain(
      'wholesale: available > awaiting_data',
    );
  });

  test('changes a reported feature only by its own domain’s report', () => {
    const states = featureStates([], PAID);
    const { changed, statusChanges } = featureChanges(states, PAID, {
      subject: { feature: 'recommendations' },
      hasData: true,
    });
    expect(statusChanges).toEqual(changed);
    expect(changed).toEqual([
      { feature: 'recommendations', hasData: true, status: 'available', previousStatus: 'awaiting_data' },
    ]);
  });
});
