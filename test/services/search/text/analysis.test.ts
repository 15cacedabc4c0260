// Each language has its stop words, stems and order of nouns; others are analysed as English.
import { expect, test } from 'vitest';
import type { SearchDocument } from '#services/search/engine/document.ts';
import { ProductIndex } from '#services/search/engine/product_index.ts';
import { parseQuery } from '#services/search/engine/query.ts';
import { search } from '#services/search/engine/search.ts';
import { analysisOf, PLAIN } from '#services/search/text/analysis.ts';

const productOf = (id: number, name: string): SearchDocument => ({
  id: `00000000-0000-4000-8000-${String(id).padStart(12, '0')}`,
  active: true,
  texts: { name, head: '', brand: '', category: '', code: '', attribute: '', description: '' },
  brand: null,
  category: null,
  subcategory: null,
  tags: [],
  attributes: [],
  conditions: ['new'],
  price: 10,
  prices: [10],
  variants: [],
  inStock: true,
  rating: null,
  reviews: 0,
  createdAt: id,
});

const found = (language: string, names: readonly string[], text: string): string[] => {
  const index = new ProductIndex(analysisOf(language));
  for (const [at, name] of names.entries()) index.put(productOf(at, name));
  const request = {
    text,
    mode: 'text',
    sort: 'relevance',
    filters: {},
    facets: [],
    everything: true,
    limit: 10,
    after: null,
  } as const;
  return search(index, request).hits.map(({ id }) => names[Number(id.slice(-12))]!);
};

test.each([
  ['de', ['Kaffeebecher', 'Teller'], 'Becher', ['Kaffeebecher']],
  ['de', ['Kaffeebecher', 'Teller'], 'Bechern', ['Kaffeebecher']],
  ['de', ['Becher für Kaffee', 'Teller'], 'Kaffeebecher', ['Becher für Kaffee']],
  ['de', ['Tasse mit Henkel', 'Teller'], 'die Tassen', ['Tasse mit Henkel']],
  ['fr', ['Tasse à café', 'Assiette'], 'des tasses', ['Tasse à café']],
  ['fr', ['Bateau rouge', 'Assiette'], 'bateaux', ['Bateau rouge']],
  ['es', ['Zapatos rojos', 'Taza'], 'zapato rojo', ['Zapatos rojos']],
  ['it', ['Bicchieri di vetro', 'Tazza'], 'bicchiere', ['Bicchieri di vetro']],
  ['pt', ['Limões frescos', 'Caneca'], 'limão', ['Limões frescos']],
  ['nl', ['Koffiekopjes', 'Bord'], 'kopje', ['Koffiekopjes']],
  ['nl', ['Houten schalen', 'Bord'], 'schaal', ['Houten schalen']],
  ['sv', ['Kaffemuggar', 'Tallrik'], 'mugg', ['Kaffemuggar']],
  ['ja', ['珈琲カップ', '皿'], 'カップ', ['珈琲カップ']],
  ['en', ['Coffee mugs', 'Plate'], 'mug', ['Coffee mugs']],
])('finds in %s among %j by %s: %j', (language, names, text, hits) =>
  expect(found(language, names, text)).toEqual(hits),
);

test.each([
  ['de', 'eine Tasse für den Kaffee', 2],
  ['fr', 'la tasse pour le café', 2],
  ['es', 'la taza para el café', 2],
  ['it', 'la tazza per il caffè', 2],
  ['pt', 'a caneca para o café', 2],
  ['nl', 'een kopje voor de koffie', 2],
  ['sv', 'en mugg för kaffe', 2],
])('ignores the frequent words of %s', (language, text, words) => {
  const index = new ProductIndex(analysisOf(language));
  index.put(productOf(1, text));
  expect(parseQuery(index, text).terms).toHaveLength(words);
});

test('does not depend on the region, and is English without rules', () => {
  expect(analysisOf('de-AT')).toBe(analysisOf('de'));
  for (const tag of ['en', 'en-GB', 'sw', 'zh-Hant', 'ja']) expect(analysisOf(tag)).toBe(PLAIN);
});
