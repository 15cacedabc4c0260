// Selects the products of a list request and returns the requested page.
import type { ListProductsRequest } from '#proto/gen/catalog.ts';
import { foreignCursor, Refusal, refuse, type Tenant, tenantKey } from '#runtime/call/call.ts';
import { type CursorKey, decodeCursor, encodeCursor } from '#values/cursor.ts';
import { toMajor } from '#values/money.ts';
import { nameKey } from '#values/text.ts';
import type { ProductListPage } from './answer.ts';
import type { Catalogue } from './catalogue.ts';
import { type ProductEntry, type SortKeys, sortKeyOf, type VariantEntry } from './entry.ts';
import { cursorKeys, firstAfter, RANKINGS, sortKeysOf } from './order.ts';
import { type ShownPrices, storedPrices } from './shown_price.ts';

export const LIMIT_DEFAULT = 20;

const FILTERS = [
  'category_id',
  'subcategory_id',
  'collection_id',
  'brand',
  'tag',
  'condition',
  'featured',
  'in_stock',
  'min_price',
  'max_price',
  'ids',
  'search',
  'is_active',
  'low_stock',
] as const satisfies (keyof ListProductsRequest)[];

type Filter = (entry: ProductEntry) => boolean;

/** Returns the keys that the request's cursor holds; null without a cursor. */
export const cursorOf = (
  tenant: Tenant,
  request: ListProductsRequest,
  prices: Pick<ShownPrices, 'currency'>,
): readonly CursorKey[] | null | Refusal => {
  if (request.cursor === undefined) return null;
  const scope = scopeOf(tenant, request.sort ?? 'newest', request, prices);
  return decodeCursor(scope, request.cursor) ?? foreignCursor(request.cursor);
};

/** Returns a page of the list. With `everything` (secret keys) inactive products are included. */
export const listPage = (
  catalogue: Catalogue,
  tenant: Tenant,
  request: ListProductsRequest,
  everything: boolean,
  prices: ShownPrices = storedPrices(catalogue),
): ProductListPage | Refusal => {
  const sort = request.sort ?? 'newest';
  if (sort === 'collection' && request.collection_id === undefined) {
    return refuse('invalid_request', 'The sort `collection` needs `collection_id`. Send it, or choose another sort.', {
      param: 'sort',
    });
  }
  const after = cursorOf(tenant, request, prices);
  if (after instanceof Refusal) return after;
  const scope = scopeOf(tenant, sort, request, prices);
  const limit = request.limit ?? LIMIT_DEFAULT;
  const members = membersOf(catalogue, request, everything);
  const passes = filterOf(members, catalogue, request, everything, prices);
  const { entries, start, keysOf } =
    sort === 'collection'
      ? inCollection(members, catalogue, after)
      : inOrder(members, catalogue, request, sort, after, prices);

  const found: ProductEntry[] = [];
  let at = start;
  for (; at < entries.length && found.length <= limit; at++) if (passes(entries[at]!)) found.push(entries[at]!);
  if (found.length <= limit) return { entries: found, limit, nextCursor: null };
  found.pop();
  return { entries: found, limit, nextCursor: encodeCursor(scope, keysOf(found[limit - 1]!)) };
};

/** Identifies the list, so that a cursor is refused for any other list. */
const scopeOf = (
  tenant: Tenant,
  sort: string,
  request: ListProductsRequest,
  { currency }: Pick<ShownPrices, 'currency'>,
): string =>
  JSON.stringify([
    'products',
    tenantKey(tenant),
    sort,
    ...FILTERS.map((name) => request[name] ?? null),
    ...(currency === null ? [] : [currency]),
  ]);

interface ProductSequence {
  readonly entries: readonly ProductEntry[];
  readonly start: number;
  readonly keysOf: (entry: ProductEntry) => CursorKey[];
}

/** Returns the products of the requested collection: none if it is inactive, null if no collection was requested. */
const membersOf = (
  catalogue: Catalogue,
  { collection_id }: ListProductsRequest,
  everything: boolean,
): readonly string[] | null => {
  if (collection_id === undefined) return null;
  const collection = catalogue.collection(collection_id);
  return collection && (everything || collection.is_active) ? collection.product_ids : [];
};

const inOrder = (
  members: readonly string[] | null,
  catalogue: Catalogue,
  request: ListProductsRequest,
  sort: Exclude<NonNullable<ListProductsRequest['sort']>, 'collection'>,
  after: readonly CursorKey[] | null,
  prices: ShownPrices,
): ProductSequence => {
  const { compare } = RANKINGS[sort];
  const few = namedEntries(members, catalogue, request);
  if (!prices.isOrdered && (sort === 'price_asc' || sort === 'price_desc'))
    return byShownPrice(few ?? catalogue.sorted('newest'), sort, after, prices);
  const entries = few ? few.sort(compare) : catalogue.sorted(sort);
  const start = after === null ? 0 : firstAfter(entries, sortKeysOf(sort, after), compare);
  return { entries, start, keysOf: (entry) => cursorKeys(sort, entry) };
};

/** Sorts by prices whose order is not that of the stored ones. */
const byShownPrice = (
  unsorted: readonly ProductEntry[],
  sort: 'price_asc' | 'price_desc',
  after: readonly CursorKey[] | null,
  prices: ShownPrices,
): ProductSequence => {
  const { compare } = RANKINGS[sort];
  const keysOf = (entry: ProductEntry): SortKeys => ({
    id: entry.id,
    createdAt: entry.createdAt,
    nameKey: entry.nameKey,
    featured: entry.featured,
    featuredOrder: entry.featuredOrder,
    rating: entry.rating,
    reviews: entry.reviews,
    selling: prices.figures(entry.defaultVariant).selling_price,
  });
  const keyed = unsorted.map((entry) => ({ entry, keys: keysOf(entry) })).sort((a, b) => compare(a.keys, b.keys));
  const sorted = keyed.map(({ keys }) => keys);
  return {
    entries: keyed.map(({ entry }) => entry),
    start: after === null ? 0 : firstAfter(sorted, sortKeysOf(sort, after), compare),
    keysOf: (entry) => cursorKeys(sort, keysOf(entry)),
  };
};

const namedEntries = (
  members: readonly string[] | null,
  catalogue: Catalogue,
  { ids }: ListProductsRequest,
): ProductEntry[] | null => {
  if (ids !== undefined) return existingEntries(catalogue, new Set(ids.map((id) => id.toLowerCase())));
  return members && existingEntries(catalogue, members);
};

const existingEntries = (catalogue: Catalogue, ids: Iterable<string>): ProductEntry[] => {
  const entries: ProductEntry[] = [];
  for (const id of ids) {
    const entry = catalogue.product(id);
    if (entry) entries.push(entry);
  }
  return entries;
};

const inCollection = (
  members: readonly string[] | null,
  catalogue: Catalogue,
  after: readonly CursorKey[] | null,
): ProductSequence => {
  const places = new Map<ProductEntry, number>();
  let start = 0;
  for (const [place, id] of (members ?? []).entries()) {
    const entry = catalogue.product(id);
    if (!entry) continue;
    if (after !== null && place <= Number(after[0])) start = places.size + 1;
    places.set(entry, place);
  }
  return { entries: [...places.keys()], start, keysOf: (entry) => [places.get(entry)!] };
};

const filterOf = (
  members: readonly string[] | null,
  catalogue: Catalogue,
  request: ListProductsRequest,
  everything: boolean,
  prices: ShownPrices,
): Filter => {
  const filters: Filter[] = [];
  if (!everything) filters.push((entry) => entry.active);
  const { category_id, subcategory_id, brand, tag, featured, ids, search, is_active } = request;
  if (is_active !== undefined) filters.push((entry) => entry.active === is_active);
  if (category_id !== undefined) {
    const id = category_id.toLowerCase();
    filters.push((entry) => entry.category_id === id);
  }
  if (subcategory_id !== undefined) {
    const id = subcategory_id.toLowerCase();
    filters.push((entry) => entry.subcategory_id === id);
  }
  if (members !== null && ids !== undefined) {
    const both = new Set(ids.map((id) => id.toLowerCase())).intersection(new Set(members));
    filters.push((entry) => both.has(entry.id));
  }
  if (brand !== undefined) {
    const key = nameKey(brand);
    filters.push((entry) => entry.brandKey === key);
  }
  if (tag !== undefined) {
    const key = nameKey(tag);
    filters.push((entry) => entry.tagKeys.includes(key));
  }
  if (featured !== undefined) filters.push((entry) => entry.featured === featured);
  if (search !== undefined) filters.push(searchFilter(search));
  if (request.low_stock !== undefined) filters.push(lowStockFilter(catalogue, request.low_stock));
  filters.push(...variantFilters(prices, request));
  const [first = () => true, ...rest] = filters;
  return rest.reduce<Filter>((all, filter) => (entry) => all(entry) && filter(entry), first);
};

const searchFilter = (search: string): Filter => {
  const key = sortKeyOf(search.trim());
  const sku = nameKey(search);
  return ({ nameKey: name, variants }) => name.includes(key) || variants.some(({ skuKey }) => skuKey.startsWith(sku));
};

export const isLow = ({ frame }: Catalogue, { stock, low_stock_threshold }: VariantEntry): boolean =>
  stock < (low_stock_threshold ?? frame.lowStockThreshold);

const lowStockFilter =
  (catalogue: Catalogue, wanted: boolean): Filter =>
  ({ variants }) =>
    variants.some((variant) => isLow(catalogue, variant)) === wanted;

/**
 * Returns filters that one and the same variant of a product must pass. `in_stock` looks at the variants that pass the
 * other filters: true requires one in stock, false that none is.
 */
const variantFilters = (
  { frame: { currency }, figures }: ShownPrices,
  { condition, in_stock, min_price, max_price }: ListProductsRequest,
): Filter[] => {
  const priced = min_price !== undefined || max_price !== undefined;
  if (condition === undefined && in_stock === undefined && !priced) return [];
  const { min, max } = { min: min_price ?? 0, max: max_price ?? Number.POSITIVE_INFINITY };
  const isWanted = (variant: VariantEntry): boolean => {
    if (condition !== undefined && variant.condition !== condition) return false;
    if (!priced) return true;
    const { selling_price } = figures(variant);
    const amount = selling_price === null ? Number.NaN : toMajor(selling_price, currency);
    return amount >= min && amount <= max;
  };
  if (in_stock === undefined) return [({ variants }) => variants.some(isWanted)];
  return [
    ({ variants }) => {
      const wanted = variants.filter(isWanted);
      return wanted.length > 0 && wanted.some(({ stock }) => stock > 0) === in_stock;
    },
  ];
};
