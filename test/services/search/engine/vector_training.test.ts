// A semantic search returns at most a thousand products, including ties.
import { expect, test } from 'vitest';
import { FIELDS, type SearchDocument } from '#services/search/engine/document.ts';
import { ProductIndex } from '#services/search/engine/product_index.ts';
import { type Result, type SearchRequest, search } from '#services/search/engine/search.ts';

const NOWHERE = Object.fromEntries(FIELDS.map((field) => [field, ''])) as SearchDocument['texts'];

const index = new ProductIndex();
index.vectors.replace(2, 0, null);
let made = 0;
/** Products with equal vectors. */
const put = (count: number, brand: string, meaning: readonly number[]): void => {
  for (let each = 0; each < count; each++) {
    const id = `00000000-0000-4000-8000-${String(++made).padStart(12, '0')}`;
    index.put({
      ...{ id, active: true, texts: NOWHERE, brand, category: null, subcategory: null },
      ...{ tags: [], attributes: [], conditions: ['new'], price: 5, prices: [5], variants: [], inStock: true },
      ...{ rating: null, reviews: 0, createdAt: 1_700_000_000_000 },
    });
    index.vectors.set(index.productIds.find(id), Float32Array.from(meaning));
  }
};

const ask = (more: Partial<SearchRequest> = {}): Result =>
  search(index, {
    ...{ text: 'whatever', mode: 'semantic', filters: {}, facets: ['brand'], sort: 'relevance' },
    ...{ limit: 100, everything: false, after: null, vector: Float32Array.of(127, 0), ...more },
  });

const pages = (more: Partial<SearchRequest> = {}): string[] => {
  const ids: string[] = [];
  for (let after: SearchRequest['after'] = null; ; ) {
    const { hits, total, next } = ask({ ...more, after });
    expect(total).toBe(1_000);
    ids.push(...hits.map(({ id }) => id));
    if (next === null) return ids;
    after = next;
  }
};

test('ties return the first ones in page order, each once over all pages', () => {
  put(1_300, 'Acme', [127, 0]);
  put(60, 'Zenith', [120, 40]);
  put(200, 'Zenith', [0, 127]);
  const ids = pages();
  expect([ids.length, new Set(ids).size]).toEqual([1_000, 1_000]);
  expect(ask().facets[0]!.values!.reduce((sum, { count }) => sum + count, 0)).toBe(1_000);
  // Newest first, as pages are.
  const acme = pages({ filters: { brand: ['acme'] } });
  expect(acme).toEqual(
    Array.from({ length: 1_000 }, (_, at) => `00000000-0000-4000-8000-${String(1_300 - at).padStart(12, '0')}`),
  );
});
