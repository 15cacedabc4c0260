// Compiles a search's filters to one test per dimension.

import { type Column, MANY, TAGS } from './attribute.ts';
import type { Dictionary } from './dictionary.ts';
import { type AttributeValue, foldValue } from './document.ts';
import { CONDITIONS, IN_STOCK, type ProductIndex } from './product_index.ts';

export interface Range {
  readonly gte?: number | undefined;
  readonly lte?: number | undefined;
}

export interface Filters {
  readonly ids?: readonly string[] | undefined;
  readonly category_id?: readonly string[] | undefined;
  readonly subcategory_id?: string | undefined;
  readonly brand?: readonly string[] | undefined;
  readonly tag?: readonly string[] | undefined;
  readonly condition?: readonly string[] | undefined;
  readonly price?: Range | undefined;
  readonly rating?: Range | undefined;
  readonly in_stock?: boolean | undefined;
  readonly attributes?: Readonly<Record<string, readonly AttributeValue[]>> | undefined;
}

export type Test = (docId: number) => boolean;

export interface Dimension {
  /** Key of the facet that does not apply this filter. */
  readonly key: string;
  readonly test: Test;
}

/** Compiles the filters. `judges` selects products whose variants must be tested one by one. */
export const dimensionsOf = (index: ProductIndex, filters: Filters, judges?: Test): Dimension[] => {
  const dimensions: Dimension[] = [];
  const { ids, category_id, subcategory_id, brand, tag, condition, price, rating, in_stock, attributes } = filters;
  if (ids) {
    const wanted = new Set(ids.map((id) => index.productIds.find(id.toLowerCase())));
    dimensions.push({ key: 'id', test: (docId) => wanted.has(docId) });
  }
  if (subcategory_id) {
    const wanted = wantedCodes(index.categories, [subcategory_id.toLowerCase()]);
    dimensions.push({ key: 'subcategory', test: (docId) => wanted.has(index.subcategory[docId]!) });
  }
  if (category_id) {
    const wanted = wantedCodes(
      index.categories,
      category_id.map((id) => id.toLowerCase()),
    );
    dimensions.push({
      key: 'category',
      test: (docId) => wanted.has(index.category[docId]!) || wanted.has(index.subcategory[docId]!),
    });
  }
  if (brand) {
    const wanted = wantedCodes(index.brands, brand);
    dimensions.push({ key: 'brand', test: (docId) => wanted.has(index.brand[docId]!) });
  }
  if (tag) dimensions.push({ key: 'tag', test: columnTest(index.attributes.column(TAGS), tag) });
  if (condition) {
    let mask = 0;
    for (const each of condition) mask |= 1 << CONDITIONS.indexOf(each);
    dimensions.push({ key: 'condition', test: (docId) => (index.condition[docId]! & mask) !== 0 });
  }
  if (price) dimensions.push({ key: 'price', test: priceTest(index, price) });
  if (rating) {
    const { gte = 0, lte = 5 } = rating;
    dimensions.push({
      key: 'rating',
      test: (docId) => {
        const tenths = index.rating[docId]!;
        return tenths > 0 && tenths >= gte * 10 && tenths <= lte * 10;
      },
    });
  }
  if (in_stock !== undefined) {
    // With `in_stock: false`, passes every product with differing variants. Then variant_match.ts tests the variants
    // that match the other filters.
    const test: Test = (docId) =>
      ((index.flags[docId]! & IN_STOCK) !== 0) === in_stock || (!in_stock && judges !== undefined && judges(docId));
    dimensions.push({ key: 'in_stock', test });
  }
  for (const [name, values] of Object.entries(attributes ?? {})) {
    dimensions.push({ key: `attributes.${name}`, test: columnTest(index.attributes.column(name), values) });
  }
  return dimensions;
};

export const wantedCodes = (dictionary: Dictionary, values: readonly AttributeValue[]): Set<number> => {
  const codes = new Set(values.map((value) => dictionary.find(value)));
  codes.delete(0);
  return codes;
};

const columnTest = (column: Column | null, values: readonly AttributeValue[]): Test => {
  if (column === null) return () => false;
  const wanted = wantedCodes(column.dictionary, values);
  return (docId) => {
    const entry = column.entries[docId]!;
    if (entry < MANY) return wanted.has(entry);
    return column.lists[entry & ~MANY]!.some((code) => wanted.has(code));
  };
};

export const isWithin =
  ({ gte = Number.NEGATIVE_INFINITY, lte = Number.POSITIVE_INFINITY }: Range) =>
  (amount: number): boolean =>
    amount >= gte && amount <= lte;

const priceTest = (index: ProductIndex, range: Range): Test => {
  const { price, prices } = index;
  const within = isWithin(range);
  if (prices.size === 0) return (docId) => within(price[docId]!);
  return (docId) => prices.get(docId)?.some(within) ?? within(price[docId]!);
};

/** Returns the filters in a canonical form, so that a cursor is valid for every equivalent way to write them. */
export const canonicalFilters = (filters: Filters): unknown => {
  const texts = (values: readonly AttributeValue[] | undefined) =>
    values &&
    [...new Set(values.map((value) => JSON.stringify(typeof value === 'string' ? foldValue(value) : value)))].sort();
  const { attributes, category_id, brand, tag, condition, ...rest } = filters;
  return [
    texts(category_id),
    texts(brand),
    texts(tag),
    texts(condition),
    rest.price && [rest.price.gte, rest.price.lte],
    rest.rating && [rest.rating.gte, rest.rating.lte],
    rest.in_stock,
    Object.entries(attributes ?? {})
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, values]) => [name, texts(values)]),
  ];
};
