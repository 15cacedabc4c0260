// Tests which prefixes match which postcodes: a British prefix may not split a run of letters or digits.
import { expect, test } from 'vitest';
import { PostcodeZones } from '#services/shipping/postcode.ts';

const holds = (country: string, prefix: string, postcode: string): boolean => {
  const zones = new PostcodeZones();
  zones.add(country, prefix, 0);
  return zones.find(country, postcode) === 0;
};

test.each([
  ['SW1', 'SW1A 1AA', true],
  ['SW1', 'SW1 1AA', true],
  ['SW1', 'SW1', true],
  ['SW1', 'sw1a1aa', true],
  ['sw-1', 'SW1A 1AA', true],
  ['SW1', 'SW10 0AA', false],
  ['SW11', 'SW1 1AA', false],
  ['SW1A', 'SW1A 1AA', true],
  ['SW1A', 'SW1 1AA', false],
  ['SW1A 1', 'SW1A 1AA', true],
  ['SW1A 1AA', 'SW1A 1AA', true],
  ['SW', 'SW1A 1AA', true],
  ['S', 'SW1A 1AA', false],
  ['S', 'S1 2AB', true],
  ['E', 'E1 6AN', true],
  ['E', 'EC1A 1BB', false],
  ['E1', 'E14 5AB', false],
  ['E14', 'E1 4AB', false],
  ['W1A', 'W1A 0AX', true],
  ['B', 'BT1 1AA', false],
])('in GB %s and %s: %s', (prefix, postcode, held) => expect(holds('GB', prefix, postcode)).toBe(held));

test.each([
  ['001', '00100', true],
  ['1', '00100', false],
  ['00100', '00100', true],
  ['001000', '00100', false],
  ['H2X', 'h2x 1y4', true],
  ['100', '〒１００−０００１', true],
  ['〒１００', '100-0001', true],
  ['１５', '100-0001', false],
])('elsewhere %s and %s: %s', (prefix, postcode, held) => expect(holds('KE', prefix, postcode)).toBe(held));

test('matches prefixes of the postcode’s country only, and the first zone that contains it', () => {
  const zones = new PostcodeZones();
  zones.add('US', '10', 4);
  zones.add('DE', '10', 3);
  zones.add('DE', '101', 2);
  zones.add('DE', '101', 5);
  expect([
    zones.find('US', '10115'),
    zones.find('DE', '10115'),
    zones.find('DE', '10999'),
    zones.find('FR', '10'),
  ]).toEqual([4, 2, 3, -1]);
});
