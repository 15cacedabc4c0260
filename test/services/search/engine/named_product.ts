// A product of which only its name is searched.
import { FIELDS, type SearchDocument } from '#services/search/engine/document.ts';

const NO_TEXTS = Object.fromEntries(FIELDS.map((field) => [field, ''])) as SearchDocument['texts'];

/** Of two the one with the larger number is the newer. */
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
  inStock: true,
  rating: null,
  reviews: 0,
  createdAt: 1_700_000_000_000 + number,
});
