// Products whose names alone are searched.
import { FIELDS, type SearchDocument } from '#services/search/engine/document.ts';
import { ProductIndex } from '#services/search/engine/product_index.ts';
import { search } from '#services/search/engine/search.ts';

const NO_TEXTS = Object.fromEntries(FIELDS.map((field) => [field, ''])) as SearchDocument['texts'];

/** The larger number is newer. */
export const namedProduct = (number: number, name: string): SearchDocument => ({
  id: `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
  active: true,
  texts: { ...NO_TEXTS, name },
  brand: null,
  category: null,
  subcategory: null,
  tags: [],
  attributes: [],
  conditions: [],
  price: null,
  prices: [],
  variants: [],
  inStock: true,
  rating: null,
  reviews: 0,
  createdAt: 1_700_000_000_000 + number,
});

/** Searches by words and returns names in order; ties return the newer first. */
export const asking = (names: readonly string[]) => askingDocuments(names.map((name, at) => namedProduct(at, name)));

/** The same for whole documents. */
export const askingDocuments = (documents: readonly SearchDocument[]) => {
  const index = new ProductIndex();
  const names = new Map(documents.map(({ id, texts }) => [id, texts.name]));
  for (const document of documents) index.put(document);
  return (text: string) => {
    const { hits, corrections } = search(index, {
      text,
      mode: 'text',
      filters: {},
      facets: [],
      sort: 'relevance',
      limit: 50,
      everything: true,
      after: null,
    });
    return { names: hits.map(({ id }) => names.get(id)!), corrections };
  };
};
