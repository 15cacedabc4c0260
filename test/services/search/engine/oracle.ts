// A straightforward oracle: scans every product, filter and facet.
import type { AttributeValue, SearchDocument, VariantDocument } from '#services/search/engine/document.ts';
import type { Filters, Range } from '#services/search/engine/filter.ts';
import type { ResultSort } from '#services/search/engine/order.ts';

export interface Question {
  readonly word: string | null;
  readonly filters: Filters;
  readonly facets: readonly string[];
  readonly sort: ResultSort;
  readonly everything: boolean;
}

const fold = (value: AttributeValue): string =>
  typeof value === 'string' ? `text ${value.toLowerCase()}` : `${typeof value} ${value}`;

const within = (value: number, { gte = -Infinity, lte = Infinity }: Range): boolean => value >= gte && value <= lte;

const attributeValues = (document: SearchDocument, name: string): AttributeValue[] =>
  document.attributes.filter(([own]) => own === name).map(([, value]) => value);

/** The values by which one product counts in a facet, once each. */
const valuesOf = (document: SearchDocument, key: string): AttributeValue[] => {
  if (key === 'brand') return document.brand === null ? [] : [document.brand];
  if (key === 'category') return document.category === null ? [] : [document.category];
  if (key === 'condition') return [...document.conditions];
  if (key === 'tag') return [...document.tags];
  if (key === 'rating') return document.rating === null ? [] : [document.rating];
  return attributeValues(document, key.slice('attributes.'.length));
};

const anyOf = (own: readonly AttributeValue[], wanted: readonly AttributeValue[]): boolean =>
  own.some((value) => wanted.some((each) => fold(each) === fold(value)));

/** Every filter by the facet that ignores it. */
const tests = (filters: Filters): (readonly [key: string, test: (document: SearchDocument) => boolean])[] => {
  const { category_id, brand, tag, condition, price, rating, in_stock, attributes = {} } = filters;
  const found: (readonly [string, (document: SearchDocument) => boolean])[] = [];
  if (category_id)
    found.push([
      'category',
      ({ category, subcategory }) => [category, subcategory].some((id) => id && category_id.includes(id)),
    ]);
  if (brand) found.push(['brand', (document) => anyOf(valuesOf(document, 'brand'), brand)]);
  if (tag) found.push(['tag', (document) => anyOf(document.tags, tag)]);
  if (condition) found.push(['condition', (document) => anyOf(document.conditions, condition)]);
  if (price) found.push(['price', ({ prices }) => prices.some((each) => within(each, price))]);
  if (rating) found.push(['rating', ({ rating: own }) => own !== null && within(own, rating)]);
  if (in_stock !== undefined) found.push(['in_stock', ({ inStock }) => inStock === in_stock]);
  for (const [name, values] of Object.entries(attributes))
    found.push([`attributes.${name}`, (document) => anyOf(attributeValues(document, name), values)]);
  return found;
};

const isOfVariants = (key: string): boolean => /^(?:price|condition|attributes\..*|in_stock)$/s.test(key);

/** A variant as a separate product. */
const asOne = (
  document: SearchDocument,
  { condition, price, inStock, attributes }: VariantDocument,
): SearchDocument => ({
  ...document,
  variants: [],
  conditions: [condition],
  price,
  prices: price === null ? [] : [price],
  inStock,
  attributes,
});

type Tests = ReturnType<typeof tests>;

/** Variants that meet all filters but the ignored one: those that count, and those in stock against the filter. */
const meeting = (document: SearchDocument, asked: Tests, { in_stock }: Filters, ignored: string) => {
  const ones = document.variants.map((variant) => asOne(document, variant));
  const met = ones.filter((one) =>
    asked.every(([key, test]) => key === ignored || key === 'in_stock' || !isOfVariants(key) || test(one)),
  );
  return {
    found: met.filter(({ inStock }) => in_stock === undefined || inStock === in_stock),
    against: met.filter(({ inStock }) => in_stock === false && inStock),
  };
};

const order: Readonly<Record<ResultSort, (document: SearchDocument) => readonly number[]>> = {
  relevance: () => [],
  newest: () => [],
  price_asc: ({ price }) => [price === null ? -Infinity : -price],
  price_desc: ({ price }) => [price ?? -Infinity],
  rating: ({ rating, reviews }) => [rating ?? 0, reviews],
};

const compare =
  (sort: ResultSort) =>
  (a: SearchDocument, b: SearchDocument): number => {
    const keys = (document: SearchDocument) => [...order[sort](document), document.createdAt];
    const [left, right] = [keys(a), keys(b)];
    for (const [at, key] of left.entries()) if (key !== right[at]) return right[at]! > key ? 1 : -1;
    return a.id < b.id ? 1 : -1;
  };

export interface OracleFacet {
  readonly key: string;
  /** Keyed by folded value. */
  readonly counts?: Readonly<Record<string, number>>;
  readonly min?: number | null;
  readonly max?: number | null;
}

export interface OracleAnswer {
  readonly ids: readonly string[];
  readonly facets: readonly OracleFacet[];
}

export const answer = (documents: Iterable<SearchDocument>, question: Question): OracleAnswer => {
  const { word, filters, facets, sort, everything } = question;
  const visible = [...documents].filter(
    ({ active, texts }) =>
      (everything || active) &&
      (word === null || Object.values(texts).some((text) => text.toLowerCase().split(/\s+/).includes(word))),
  );
  const asked = tests(filters);
  const passesAsWhole = (document: SearchDocument, ignored: string) =>
    asked.every(
      ([key, test]) => key === ignored || (document.variants.length > 0 && isOfVariants(key)) || test(document),
    );
  const passes = (document: SearchDocument, ignored: string): boolean => {
    if (!passesAsWhole(document, ignored)) return false;
    if (document.variants.length === 0) return true;
    const { found, against } = meeting(document, asked, filters, ignored);
    return found.length > 0 && against.length === 0;
  };
  /** The values by which a product counts in a facet. */
  const counted = <T>(key: string, values: (document: SearchDocument) => readonly T[]): T[][] =>
    visible.flatMap((document) => {
      if (!isOfVariants(key) || document.variants.length === 0)
        return passes(document, key) ? [[...values(document)]] : [];
      if (!passesAsWhole(document, key)) return [];
      const { found, against } = meeting(document, asked, filters, key);
      return [[...new Set(found.flatMap(values)).difference(new Set(against.flatMap(values)))]];
    });
  return {
    ids: visible
      .filter((document) => passes(document, ''))
      .sort(compare(sort))
      .map(({ id }) => id),
    facets: facets.map((key) => {
      if (key === 'price') {
        const amounts = counted(key, ({ prices }) => prices).flat();
        return amounts.length === 0
          ? { key, min: null, max: null }
          : { key, min: Math.min(...amounts), max: Math.max(...amounts) };
      }
      const counts: Record<string, number> = {};
      for (const values of counted(key, (document) => valuesOf(document, key).map(fold)))
        for (const value of new Set(values)) counts[value] = (counts[value] ?? 0) + 1;
      return { key, counts };
    }),
  };
};

/** The engine's facet in the oracle's form. */
export const comparable = (facet: {
  readonly key: string;
  readonly values?: readonly { readonly value: AttributeValue; readonly count: number }[];
  readonly min?: number | null;
  readonly max?: number | null;
}): OracleFacet => {
  const { key, values, min, max } = facet;
  if (!values) return { key, min: min ?? null, max: max ?? null };
  return { key, counts: Object.fromEntries(values.map(({ value, count }) => [fold(value), count])) };
};
