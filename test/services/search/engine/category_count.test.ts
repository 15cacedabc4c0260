// Category counts of active products, while products are added, changed and removed.
import { expect, test } from 'vitest';
import type { SearchDocument } from '#services/search/engine/document.ts';
import { ProductIndex } from '#services/search/engine/product_index.ts';
import { search } from '#services/search/engine/search.ts';
import { namedProduct } from './named_product.ts';

const PRODUCTS = 90;

test('counts each active product once after any changes', () => {
  const index = new ProductIndex();
  const documents = new Map<string, SearchDocument>();
  let state = 3;
  const below = (end: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * end);
  };
  const counted = (of: (document: SearchDocument) => string | null): Record<string, number> => {
    const counts: Record<string, number> = {};
    for (const document of documents.values()) {
      const value = document.active ? of(document) : null;
      if (value !== null) counts[value] = (counts[value] ?? 0) + 1;
    }
    return counts;
  };
  for (let change = 0; change < 1_500; change++) {
    const number = below(PRODUCTS);
    const before = documents.get(namedProduct(number, '').id);
    const kind = below(4);
    if (before && kind === 0) {
      index.remove(before.id);
      documents.delete(before.id);
    } else {
      const category = below(5) === 0 ? null : `00000000-0000-4000-9000-00000000000${below(4)}`;
      const brand = below(5) === 0 ? null : `brand ${below(3)}`;
      const figures = { active: below(4) > 0, category };
      // Sometimes only numbers change, sometimes texts and brand.
      const document =
        before && kind === 1
          ? { ...before, ...figures }
          : { ...namedProduct(number, `shoe ${below(9)}`), brand, ...figures };
      index.put(document);
      documents.set(document.id, document);
    }
    if (change % 100 === 0) index.merge();
    expect(index.categoryCounts.size).toBe([...documents.values()].filter(({ active }) => active).length);
    const { facets } = search(index, {
      text: '',
      mode: 'text',
      filters: {},
      facets: ['brand', 'category'],
      sort: 'newest',
      limit: 1,
      everything: false,
      after: null,
    });
    const [brands, categories] = facets.map(({ values }) =>
      Object.fromEntries(values!.map(({ value, count }) => [value, count])),
    );
    expect(brands).toEqual(counted(({ brand }) => brand));
    expect(categories).toEqual(counted(({ category }) => category));
  }
});
