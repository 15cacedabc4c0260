// A store's languages are read in one spelling; the default one is not listed twice.
import { expect, test } from 'vitest';
import { Refusal } from '#runtime/call/call.ts';
import { languagesOf, readLanguages, refuseRepeatedLanguage } from '#services/store/language.ts';

const paramOf = (outcome: unknown): string | undefined =>
  outcome instanceof Refusal ? outcome.extra.param : undefined;

test('reads tags in any letter case', () => {
  expect(readLanguages('DE', ['PT-br', 'sw'])).toEqual({ language: 'de', languages: ['pt-BR', 'sw'] });
  expect(readLanguages(undefined, undefined)).toEqual({});
  expect(readLanguages(undefined, [])).toEqual({ languages: [] });
});

test.each([
  ['german', undefined, 'language'],
  ['*', undefined, 'language'],
  ['en', ['de', 'x'], 'languages[1]'],
  ['en', ['de', 'DE'], 'languages[1]'],
  ['en', ['__proto__'], 'languages[0]'],
] as const)('refuses %s and %j at %s', (language, languages, param) => {
  expect(paramOf(readLanguages(language, languages))).toBe(param);
});

test('refuses the default language among the others, at the field that the change names', () => {
  const repeated = { language: 'de', languages: ['sw', 'de'] };
  expect(paramOf(refuseRepeatedLanguage(repeated, {}))).toBe('language');
  expect(paramOf(refuseRepeatedLanguage(repeated, { languages: ['sw', 'de'] }))).toBe('languages[1]');
  expect(refuseRepeatedLanguage({ language: 'en', languages: ['de'] }, {})).toBeNull();
});

test('lists the default language first', () => {
  expect(languagesOf({ language: 'en', languages: ['de', 'sw'] })).toEqual(['en', 'de', 'sw']);
});
