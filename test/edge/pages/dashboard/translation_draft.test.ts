// Texts of a record in other languages: a form reads the named ones, and sends null for those that were emptied.
import { expect, test } from 'vitest';
import {
  textIn,
  textsOf,
  translationsOf,
  wholeTranslationsOf,
  withText,
} from '#edge/pages/dashboard/translation_draft.ts';

test('reads the named texts, and leaves other fields out', () => {
  const translations = { de: { name: 'Becher', seo_keywords: ['becher'], terms: { Red: 'Rot' } }, fr: { name: null } };
  expect(textsOf(translations, ['name', 'description'])).toEqual({ de: { name: 'Becher' }, fr: {} });
  expect(textsOf(undefined, ['name'])).toEqual({});
});

test('shows an empty text where there is no translation', () => {
  const draft = { translations: { de: { name: 'Becher' } } };
  expect([textIn(draft, 'de', 'name'), textIn(draft, 'de', 'description'), textIn(draft, 'fr', 'name')]).toEqual([
    'Becher',
    '',
    '',
  ]);
});

test('changes one text and no other', () => {
  const texts = { de: { name: 'Becher', description: 'Aus Ton.' }, fr: { name: 'Tasse' } };
  expect(withText(texts, 'de', 'name', 'Tasse')).toEqual({ ...texts, de: { name: 'Tasse', description: 'Aus Ton.' } });
  expect(withText(texts, 'sw', 'name', 'Kikombe')).toEqual({ ...texts, sw: { name: 'Kikombe' } });
});

test('sends null for a text that was emptied', () => {
  expect(translationsOf({ translations: { de: { name: ' ', description: 'Aus Ton.' }, fr: {} } })).toEqual({
    de: { name: null, description: 'Aus Ton.' },
    fr: {},
  });
});

test('leaves emptied texts out of a record that is replaced as a whole', () => {
  const de = { name: ' ', hours: 'Mo–Sa' };
  expect(wholeTranslationsOf({ translations: { de, fr: { name: '' } } })).toEqual({
    translations: { de: { hours: 'Mo–Sa' } },
  });
  expect(wholeTranslationsOf({ translations: { fr: { name: '' } } })).toEqual({});
});
