// A record is read in a language field by field.
import { expect, test } from 'vitest';
import { translated } from '#values/translation.ts';

const MUG = { name: 'Mug', description: 'Of clay.', price: 3 };

test('falls back to the record’s own text for each field', () => {
  const translations = { de: { name: 'Becher' }, sw: {} };
  expect(translated(MUG, translations, 'de')).toEqual({ ...MUG, name: 'Becher' });
  expect(translated(MUG, translations, 'sw')).toEqual(MUG);
});

test.each([
  [null, 'de'],
  [{ de: { name: 'Becher' } }, undefined],
  [{ de: { name: 'Becher' } }, 'fr'],
  [{ de: { name: 'Becher' } }, 'constructor'],
  [{ de: { name: 'Becher' } }, '__proto__'],
])('returns the record itself with %j in %s', (translations, language) => {
  expect(translated(MUG, translations, language)).toBe(MUG);
});
