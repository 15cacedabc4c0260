// Tests addresses in the style of their country.
import { describe, expect, test } from 'vitest';
import { addressLines, countryName } from '#services/b2b/pdf/address.ts';

const place = (country: string, given: object = {}) =>
  addressLines({ line1: 'Line 1', city: 'City', postal_code: '12345', country, ...given });

describe('an address', () => {
  test.each([
    ['KE', {}, ['Line 1', '12345 City', 'Kenya']],
    ['de', {}, ['Line 1', '12345 City', 'Germany']],
    ['IT', { state: 'MI' }, ['Line 1', '12345 City', 'MI', 'Italy']],
    ['US', { state: 'IL' }, ['Line 1', 'City, IL 12345', 'United States']],
    ['US', {}, ['Line 1', 'City, 12345', 'United States']],
    ['GB', {}, ['Line 1', 'City', '12345', 'United Kingdom']],
    ['JP', { state: 'Tokyo' }, ['Line 1', 'City 12345', 'Tokyo', 'Japan']],
    ['KE', { postal_code: null, line2: 'Floor 3' }, ['Line 1', 'Floor 3', 'City', 'Kenya']],
  ])('in %s with %j', (country, given, lines) => expect(place(country, given)).toEqual(lines));

  test('begins with the company, then the person', () => {
    expect(place('KE', { company: 'Kibo Ltd', first_name: 'Ada', last_name: null })).toEqual([
      'Kibo Ltd',
      'Ada',
      'Line 1',
      '12345 City',
      'Kenya',
    ]);
  });
});

test('an unknown country is shown by its code', () => expect(countryName('xx')).toBe('XX'));
