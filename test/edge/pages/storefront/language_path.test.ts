// Languages in the shop's addresses.
import { expect, test } from 'vitest';
import { alternatesOf, languagePath, splitLanguage } from '#edge/pages/storefront/language_path.ts';

const STORE = { language: 'en', languages: ['de', 'pt-BR'] };

test.each([
  ['/', null, '/'],
  ['/products/mug', null, '/products/mug'],
  ['/cart', null, '/cart'],
  ['/de', 'de', '/'],
  ['/de?q=x', 'de', '/?q=x'],
  ['/de/products/mug?variant=1', 'de', '/products/mug?variant=1'],
  ['/pt-BR/search?q=a', 'pt-BR', '/search?q=a'],
  ['/zh-Hant/cart', 'zh-Hant', '/cart'],
  ['/design', null, '/design'],
  ['/DE/cart', null, '/DE/cart'],
  ['//de/cart', null, '//de/cart'],
])('splits %s', (path, language, rest) => {
  expect(splitLanguage(path)).toEqual({ language, path: rest });
});

test.each([
  ['en', '/', ''],
  ['de', '/', '/de'],
  ['de', '', '/de'],
  ['de', '/?variant=1', '/de?variant=1'],
  ['en', '/products/mug', '/products/mug'],
  ['pt-BR', '/products/mug?variant=1', '/pt-BR/products/mug?variant=1'],
])('writes the address in %s of %s', (language, path, written) => {
  expect(languagePath(STORE, language, path)).toBe(written);
});

test('lists alternates in a store with several languages only', () => {
  expect(alternatesOf({ language: 'en', languages: [] }, '/')).toEqual([]);
  expect(alternatesOf(STORE, '/cart').map(({ language, path }) => `${language} ${path}`)).toEqual([
    'en /cart',
    'de /de/cart',
    'pt-BR /pt-BR/cart',
    'x-default /cart',
  ]);
});
