// Search as one would write it with all day to answer: every product looked at, every filter asked, every facet counted.
import type { AttributeValue, SearchDocument } from '#services/search/engine/document.ts';
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

/** What a facet counts of one product; a product counts once for each of them. */
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

/** Every filter that is set, by the facet that ignores it. */
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
  /** By folded value. */
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
  const passing = (ignored: string | null) =>
    visible.filter((document) => asked.every(([key, test]) => key === ignored || test(document)));
  return {
    ids: passing(null)
      .sort(compare(sort))
      .map(({ id }) => id),
    facets: facets.map((key) => {
      const among = passing(key);
      if (key === 'price') {
        const amounts = among.flatMap(({ prices }) => prices);
        return amounts.length === 0
          ? { key, min: null, max: null }
          : { key, min: Math.min(...amounts), max: Math.max(...amounts) };
      }
      const counts: Record<string, number> = {};
      for (const document of among)
        for (const value of new Set(valuesOf(document, key).map(fold))) counts[value] = (counts[value] ?? 0) + 1;
      return { key, counts };
    }),
  };
};

/** The engine's facet in the same form. */
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
