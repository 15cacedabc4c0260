// A state's code and its English name are equal in every spelling.
import names from 'cldr-subdivisions-full/subdivisions/en/en.json' with { type: 'json' };
import { expect, test } from 'vitest';
import { stateCode } from '#values/state.ts';

test.each([
  ['US', 'TX', 'TX'],
  ['US', 'Texas', 'TX'],
  ['US', 'texas', 'TX'],
  ['US', ' TEXAS ', 'TX'],
  ['US', 'US-TX', 'TX'],
  ['US', 'Ｔｅｘａｓ', 'TX'],
  ['US', 'New York', 'NY'],
  ['US', 'NEW-YORK', 'NY'],
  ['US', 'Washington', 'WA'],
  ['US', 'Washington, D.C.', 'DC'],
  ['US', 'District of Columbia', 'DC'],
  ['CA', 'Québec', 'QC'],
  ['CA', 'quebec', 'QC'],
  ['DE', 'Bavaria', 'BY'],
  ['BR', 'Sao Paulo', 'SP'],
  ['JP', 'Tokyo', '13'],
  ['JP', 'JP-13', '13'],
  ['KE', 'Nairobi', '30'],
  ['KE', 'Nairobi County', '30'],
  ['KE', '30', '30'],
  ['MX', 'Mexico City', 'CMX'],
  ['MX', 'CMX', 'CMX'],
  ['GB', 'England', 'ENG'],
  ['CN', '11', 'BJ'],
  // A city that is a state, and the state around it.
  ['UA', 'Kyiv', '30'],
  ['UA', 'Kyivshchyna', '32'],
  // An unknown name stays itself and has no meaning in another country.
  ['US', 'Ruritania', 'RURITANIA'],
  ['KE', 'Texas', 'TEXAS'],
  ['ZZ', 'TX', 'TX'],
  ['US', '-', ''],
])('in %s %s is %s', (country, text, code) => expect(stateCode(country, text)).toBe(code));

test('every name of the table means what its code means, and codes that differ in name differ', () => {
  const all = Object.entries(names.subdivisions.localeDisplayNames.subdivisions);
  expect(all.length).toBeGreaterThan(5_000);
  const folded = (text: string): string =>
    text
      .normalize('NFKD')
      .replace(/[^\p{L}\p{N}]/gu, '')
      .toLowerCase();
  const byCode = new Map<string, Set<string>>();
  for (const [id, name] of all) {
    const country = id.slice(0, 2).toUpperCase();
    expect(stateCode(country, name), id).toBe(stateCode(country, id.slice(2)));
    const key = `${country}-${stateCode(country, name)}`;
    byCode.set(key, (byCode.get(key) ?? new Set()).add(folded(name)));
  }
  const doubles = [...byCode].filter(([, own]) => own.size > 1).map(([key]) => key);
  // Two names of one state, from the withdrawn and the current code.
  expect(doubles).toEqual(['MX-CMX']);
});
