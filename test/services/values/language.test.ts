// Language tags are spelled one way, and a reader gets the nearest of a store's languages.
import { describe, expect, test } from 'vitest';
import { acceptedLanguage, nearestLanguage, parseLanguage, primaryLanguage } from '#values/language.ts';

describe('a tag', () => {
  test.each([
    ['de', 'de'],
    ['DE', 'de'],
    ['pt-br', 'pt-BR'],
    ['zh-hANT-tw', 'zh-Hant-TW'],
    ['es-419', 'es-419'],
    ['swa', 'swa'],
  ])('spells %s as %s', (text, tag) => expect(parseLanguage(text)).toBe(tag));

  test.each(['', 'd', 'german', '*', 'de_AT', 'de-', 'de-AT-1996', 'x-klingon', '__proto__', 'de\n', 'de-AT-', 'ďe'])(
    'refuses %j',
    (text) => expect(parseLanguage(text)).toBeNull(),
  );

  test('names its primary language', () => expect(primaryLanguage('pt-BR')).toBe('pt'));
});

describe('the nearest language', () => {
  test.each([
    ['de', ['en', 'de'], 'de'],
    ['de-AT', ['en', 'de'], 'de'],
    ['DE-at', ['en', 'de', 'de-AT'], 'de-AT'],
    ['zh-Hant-TW', ['en', 'zh-Hans', 'zh-Hant'], 'zh-Hant'],
    ['pt', ['en', 'pt-BR'], 'pt-BR'],
    ['pt-PT', ['en', 'pt-BR'], 'pt-BR'],
    ['fr', ['en', 'de'], null],
    ['', ['en'], null],
  ])('finds for %j among %j: %s', (tag, languages, nearest) => expect(nearestLanguage(tag, languages)).toBe(nearest));
});

describe('the accepted language', () => {
  const languages = ['en', 'de', 'pt-BR'];

  test.each([
    [null, 'en'],
    ['', 'en'],
    ['de', 'de'],
    ['de-AT', 'de'],
    ['fr, de;q=0.5', 'de'],
    ['en;q=0.3, de;q=0.9', 'de'],
    ['de ; q=0.9 , pt', 'pt-BR'],
    ['*', 'en'],
    ['en;q=0, *', 'de'],
    ['fr, *;q=0.5', 'en'],
    ['de;q=0', 'en'],
    ['de;q=nan, pt;q=2', 'pt-BR'],
    ['fr', 'en'],
    [';;;,,,q=,,\u0000', 'en'],
    ['de;q=0.1234', 'en'],
  ])('reads %j as %s', (header, chosen) => expect(acceptedLanguage(header, languages)).toBe(chosen));

  test('reads the start of a long header alone', () => {
    expect(acceptedLanguage(`${'fr;q=0.9, '.repeat(200_000)}de`, languages)).toBe('en');
  });

  test('returns the only language of a store that has one', () => expect(acceptedLanguage('de', ['sw'])).toBe('sw'));
});
