// Postal codes in the spellings of buyers, of countries whose formats are known and of others.
import { expect, test } from 'vitest';
import { isForeignPostalCode } from '#services/commerce/postal_code.ts';

test.each([
  ['KE', '00100'],
  ['GB', 'SW1A 1AA'],
  ['GB', 'sw1a1aa'],
  ['IE', 'D02X285'],
  ['IE', 'D02 X285'],
  ['US', '94107'],
  ['US', '94107-1234'],
  ['US', '941071234'],
  ['CA', 'h2x 1y4'],
  ['CA', 'H2X-1Y4'],
  ['DE', 'D-10115'],
  ['LV', '1010'],
  ['NL', 'NL-1234 AB'],
  ['PL', '00001'],
  ['PT', '1100-148'],
  ['SE', 'SE-114 55'],
  ['JP', '〒１００−０００１'],
  ['JP', '1000001'],
  ['NG', 'anything'],
  ['ZZ', '1'],
])('%s has %s', (country, code) => {
  expect(isForeignPostalCode(code, country)).toBe(false);
});

test.each([
  ['KE', '100'],
  ['US', '9410'],
  ['US', 'SW1A 1AA'],
  ['DE', '1011'],
  ['GB', '94107'],
  ['CA', '1234'],
  ['NL', '1234'],
])('%s does not have %s', (country, code) => {
  expect(isForeignPostalCode(code, country)).toBe(true);
});
