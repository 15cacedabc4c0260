// Slugs of names.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { productSlug, slugOf, uniqueSlug } from '#values/slug.ts';

/** The pattern of slugs in the API. */
const PATTERN = /^[a-z0-9][a-z0-9-]{0,199}$/;
const ID = '01a1fd90-cff5-7276-a21e-ebf5cacc0a1e';

describe('a slug', () => {
  test.each([
    ['Trail Shoe', 'trail-shoe'],
    ['  Crème brûlée – 4 × 100 g ', 'creme-brulee-4-x-100-g'],
    ['Straße', 'strasse'],
    ['Łódź', 'lodz'],
    ['Smørrebrød & Ærter', 'smorrebrod-aerter'],
    ['Đà Nẵng', 'da-nang'],
    ['Œuvre İstanbul Ísafjörður', 'oeuvre-istanbul-isafjordur'],
    ['Þórsmörk', 'thorsmork'],
    ['Чай и Ёжик', 'chai-i-ezhik'],
    ['Київська щітка', 'kiivska-shchitka'],
    ['Ελληνικός καφές', 'ellinikos-kafes'],
    ['ＡＢＣ １２', 'abc-12'],
    ['日本 Tea', 'tea'],
    ['A/B.C_D', 'a-b-c-d'],
    ['50%', '50'],
    ['日本', ''],
    ['--', ''],
  ])('of %j is %j', (name, slug) => {
    expect(slugOf(name)).toBe(slug);
  });

  test('joins a product’s name and a short id, within the pattern', () => {
    expect(productSlug('Trail Shoe', ID)).toBe('trail-shoe-cacc0a1e');
    expect(productSlug('日本', ID)).toBe('cacc0a1e');
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 400 }), (name) => {
        expect(productSlug(name, ID)).toMatch(PATTERN);
      }),
    );
  });

  test('gets the first free number where it is taken', () => {
    const taken = new Set(['shoes', 'shoes-2']);
    expect(uniqueSlug('Shoes', ID, (slug) => taken.has(slug))).toBe('shoes-3');
    expect(uniqueSlug('Hats', ID, (slug) => taken.has(slug))).toBe('hats');
    expect(uniqueSlug('日本', ID, (slug) => taken.has(slug))).toBe('cacc0a1e');
    expect(uniqueSlug('Shoes', ID, () => true)).toBe('shoes-cacc0a1e');
    fc.assert(
      fc.property(fc.string({ maxLength: 400 }), (name) => {
        expect(uniqueSlug(name, ID, () => true)).toMatch(PATTERN);
      }),
    );
  });
});
