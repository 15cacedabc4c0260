// Translations of a request are merged into those of a record, within bounds.
import { describe, expect, test } from 'vitest';
import { Refusal } from '#runtime/call/call.ts';
import { mergeTranslations, TRANSLATIONS_BYTES_MAX } from '#services/commerce/translation.ts';

const LANGUAGES = ['en', 'de', 'de-AT'];
const merge = (before: Record<string, object> | null, given: Record<string, object | null> | null | undefined) =>
  mergeTranslations(before, given, LANGUAGES);
const refusalOf = (given: Record<string, object | null>, before: Record<string, object> | null = null) => {
  const outcome = merge(before, given);
  if (!(outcome instanceof Refusal)) throw new Error('the translations were accepted');
  return outcome;
};

describe('merging', () => {
  test('leaves what the request does not name', () => {
    const before = { de: { name: 'Becher', description: 'Aus Ton.' } };
    expect(merge(before, undefined)).toBe(before);
    expect(merge(before, {})).toEqual(before);
    expect(merge(before, { de: { name: 'Tasse' } })).toEqual({ de: { name: 'Tasse', description: 'Aus Ton.' } });
    expect(merge(before, { 'DE-at': { name: 'Häferl' } })).toEqual({ ...before, 'de-AT': { name: 'Häferl' } });
  });

  test('removes what is null: a field, a language, or all', () => {
    const before = { de: { name: 'Becher', description: 'Aus Ton.' }, 'de-AT': { name: 'Häferl' } };
    expect(merge(before, { de: { description: null } })).toEqual({ ...before, de: { name: 'Becher' } });
    expect(merge(before, { de: null })).toEqual({ 'de-AT': { name: 'Häferl' } });
    expect(merge(before, { de: { name: null, description: null }, 'de-AT': null })).toBeNull();
    expect(merge(before, null)).toBeNull();
    expect(merge(null, { fr: null })).toBeNull();
  });

  test('accepts a language that the store no longer lists if the record has it', () => {
    const before = { fr: { name: 'Tasse' } };
    expect(merge(before, before)).toEqual(before);
    expect(refusalOf({ sw: { name: 'Kikombe' } }, before).extra.param).toBe('translations.sw');
  });

  test('orders the languages, so that equal translations are equal texts', () => {
    const [one, other] = [
      merge(null, { de: { name: 'a' }, 'de-AT': { name: 'b' } }),
      merge({ 'de-AT': { name: 'b' } }, { de: { name: 'a' } }),
    ];
    expect(JSON.stringify(one)).toBe(JSON.stringify(other));
  });
});

describe('a refusal', () => {
  test.each([
    ['fr', 'translations.fr'],
    ['en', 'translations.en'],
    ['EN', 'translations.EN'],
    ['de-CH', 'translations["de-CH"]'],
    ['*', 'translations["*"]'],
    ['', 'translations[""]'],
    ['__proto__', 'translations.__proto__'],
    ['constructor', 'translations.constructor'],
  ])('names the path of %j', (language, param) => {
    expect(refusalOf(JSON.parse(`{${JSON.stringify(language)}:{"name":"x"}}`)).extra.param).toBe(param);
  });

  test('bounds the JSON of all languages together', () => {
    const half = 'x'.repeat(TRANSLATIONS_BYTES_MAX / 2);
    expect(merge(null, { de: { description: half } })).not.toBeInstanceOf(Refusal);
    expect(refusalOf({ 'de-AT': { description: half } }, { de: { description: half } }).extra.param).toBe(
      'translations',
    );
  });
});
