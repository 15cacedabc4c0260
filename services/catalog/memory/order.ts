// Sort orders of product lists. No two products have equal sort keys, so the keys identify a position. An order is
// sorted when first used; later only changed products are moved.

import type { CursorKey } from '#values/cursor.ts';
import type { ProductEntry, SortKeys } from './entry.ts';

export type ProductSort = 'newest' | 'price_asc' | 'price_desc' | 'name' | 'featured' | 'rating';

type Compare = (a: SortKeys, b: SortKeys) => number;

interface Ranking {
  readonly compare: Compare;
  readonly keys: readonly (keyof SortKeys)[];
}

const texts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const newest: Compare = (a, b) => b.createdAt - a.createdAt || texts(b.id, a.id);

const nullsLast = (a: number | null, b: number | null, direction: 1 | -1): number =>
  a === b ? 0 : a === null ? 1 : b === null ? -1 : (a - b) * direction;

export const RANKINGS: Readonly<Record<ProductSort, Ranking>> = {
  newest: { compare: newest, keys: ['createdAt', 'id'] },
  price_asc: {
    compare: (a, b) => nullsLast(a.selling, b.selling, 1) || newest(a, b),
    keys: ['selling', 'createdAt', 'id'],
  },
  price_desc: {
    compare: (a, b) => nullsLast(a.selling, b.selling, -1) || newest(a, b),
    keys: ['selling', 'createdAt', 'id'],
  },
  name: { compare: (a, b) => texts(a.nameKey, b.nameKey) || newest(a, b), keys: ['nameKey', 'createdAt', 'id'] },
  featured: {
    compare: (a, b) =>
      Number(b.featured) - Number(a.featured) || (a.featured ? a.featuredOrder - b.featuredOrder : 0) || newest(a, b),
    keys: ['featured', 'featuredOrder', 'createdAt', 'id'],
  },
  rating: {
    compare: (a, b) => nullsLast(a.rating, b.rating, -1) || b.reviews - a.reviews || newest(a, b),
    keys: ['rating', 'reviews', 'createdAt', 'id'],
  },
};

export const SORTS = Object.keys(RANKINGS) as ProductSort[];

const DEFAULT_KEYS: SortKeys = {
  id: '',
  createdAt: 0,
  nameKey: '',
  featured: false,
  featuredOrder: 0,
  rating: null,
  reviews: 0,
  selling: null,
};

export const cursorKeys = (sort: ProductSort, position: SortKeys): CursorKey[] =>
  RANKINGS[sort].keys.map((key) => position[key]);

export const sortKeysOf = (sort: ProductSort, keys: readonly CursorKey[]): SortKeys =>
  Object.assign({ ...DEFAULT_KEYS }, Object.fromEntries(RANKINGS[sort].keys.map((key, at) => [key, keys[at]])));

export const firstAfter = (sorted: readonly SortKeys[], position: SortKeys, compare: Compare): number => {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compare(sorted[middle]!, position) > 0) high = middle;
    else low = middle + 1;
  }
  return low;
};

export class ProductOrder {
  readonly #sort: ProductSort;
  #sorted: ProductEntry[] | null = null;
  /** Products whose position may have changed, including new and deleted ones. */
  readonly #moved = new Set<ProductEntry>();

  constructor(sort: ProductSort) {
    this.#sort = sort;
  }

  moved(entry: ProductEntry): void {
    if (this.#sorted !== null) this.#moved.add(entry);
  }

  of(all: Iterable<ProductEntry>): readonly ProductEntry[] {
    const { compare } = RANKINGS[this.#sort];
    if (this.#sorted === null) this.#sorted = [...all].sort(compare);
    if (this.#moved.size === 0) return this.#sorted;
    const stayed = this.#sorted.filter((entry) => !this.#moved.has(entry));
    const moved = [...this.#moved].filter((entry) => !entry.deleted).sort(compare);
    this.#moved.clear();
    this.#sorted = merge(stayed, moved, compare);
    return this.#sorted;
  }
}

const merge = (a: ProductEntry[], b: ProductEntry[], compare: Compare): ProductEntry[] => {
  if (b.length === 0) return a;
  const merged: ProductEntry[] = [];
  let at = 0;
  for (const entry of a) {
    while (at < b.length && compare(b[at]!, entry) < 0) merged.push(b[at++]!);
    merged.push(entry);
  }
  while (at < b.length) merged.push(b[at++]!);
  return merged;
};
