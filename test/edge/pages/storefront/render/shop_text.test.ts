// The shop's own texts: each language has all of them, with the same values in them.
import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { textsIn } from '#edge/pages/storefront/render/shop_text.ts';
import { wordsOf } from '#edge/pages/storefront/wording.ts';

const FILES = readdirSync('edge/pages/storefront/language').map((name) => name.replace('.json', ''));
const english = textsIn('en').texts;

const valuesIn = (text: string): readonly string[] => (text.match(/\{\w+\}/g) ?? []).sort();

test('speaks the languages that it has files of', () => {
  expect(FILES.sort()).toEqual(['de', 'en', 'es', 'fr', 'it', 'nl', 'pt', 'sv']);
  expect(FILES.map((language) => textsIn(language).language)).toEqual(FILES);
});

test.each(FILES)('contains every text in %s, with its values', (language) => {
  const { texts } = textsIn(language);
  expect(Object.keys(texts).sort()).toEqual(Object.keys(english).sort());
  for (const [name, text] of Object.entries(texts)) {
    expect(text.trim(), name).toBe(text);
    // English alone shows the API's own sentence.
    if (language !== 'en' && name.startsWith('refusal.')) expect([name, valuesIn(text)]).toEqual([name, []]);
    else expect([name, valuesIn(text)]).toEqual([name, valuesIn(english[name as keyof typeof english])]);
  }
  if (language === 'en') return;
  const same = Object.entries(texts).filter(([name, text]) => text === english[name as keyof typeof english]);
  expect(same.length, same.map(([name]) => name).join()).toBeLessThan(Object.keys(texts).length / 10);
});

test('uses the nearest language, and English for one that it does not speak', () => {
  expect(textsIn('pt-BR')).toEqual({ language: 'pt-BR', texts: textsIn('pt').texts });
  expect(textsIn('sw')).toEqual({ language: 'en', texts: english });
  expect(textsIn('constructor').language).toBe('en');
});

test('writes numbers, amounts and plurals as the language does', () => {
  const words = (language: string) => wordsOf(language, textsIn(language).texts);
  expect(words('de').count(1234, 'product')).toBe('1.234 Produkte');
  expect(words('de').money(1234.5, 'EUR')).toBe('1.234,50\u00a0€');
  expect([0, 1, 2].map((count) => words('fr').count(count, 'item'))).toEqual(['0 article', '1 article', '2 articles']);
  expect([0, 1, 2].map((count) => words('en').count(count, 'item'))).toEqual(['0 items', '1 item', '2 items']);
  expect(words('sv').text('cart_empty')).toBe('Din varukorg är tom');
  expect(words('es').money(null, 'EUR')).toBe('No está a la venta');
});
