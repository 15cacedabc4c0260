// Parses a search's request, and renders what its answer has beside the products.
import type { SearchFacet, SearchFilters, SearchProductsRequest } from '#proto/gen/search.ts';
import { type Call, foreignCursor, Refusal, refuse, tenantKey } from '#runtime/call/call.ts';
import { Unavailable } from '#runtime/call/fault.ts';
import type { SellingCurrency } from '#services/commerce/selling_currency.ts';
import { boundsInStoreCurrency, facetIn } from './currency.ts';
import type { AttributeValue } from './engine/document.ts';
import { type Facet, isFacetKey } from './engine/facet.ts';
import { canonicalFilters, type Filters } from './engine/filter.ts';
import type { Result, SearchRequest } from './engine/search.ts';
import { readSearchCursor, writeSearchCursor } from './search_cursor.ts';
import type { SearchStore } from './search_store.ts';

const LIMIT_DEFAULT = 20;
const ATTRIBUTE_FILTERS_MAX = 20;
const ATTRIBUTE_VALUES_MAX = 100;

export interface ParsedSearch extends SearchRequest {
  /**
   * Identifies the search, so that a cursor is refused for any other. A function, because only searches with cursors
   * need it.
   */
  readonly scope: () => string;
}

/** Parses a search. `ownAttributes` are filters on attributes that requests cannot name. */
export const parseSearch = (
  call: Call,
  input: SearchProductsRequest,
  selling: SellingCurrency | null,
  ownAttributes: Filters['attributes'] = {},
): ParsedSearch | Refusal => {
  const text = (input.query ?? '').trim();
  const mode = input.mode ?? 'hybrid';
  const sort = input.sort ?? 'relevance';
  const everything = call.keyType === 'secret' || call.keyType === 'internal';
  const facets = [...new Set(input.facets ?? [])];
  const wrong = facets.find((key) => !isFacetKey(key));
  if (wrong !== undefined) {
    return refuse(
      'invalid_request',
      `There is no facet "${wrong.slice(0, 100)}". Use brand, category, price, condition, tag, rating or attributes.<name>.`,
      {
        param: `facets[${(input.facets ?? []).indexOf(wrong)}]`,
      },
    );
  }
  const read = filtersOf(input.filters ?? {});
  if (read instanceof Refusal) return read;
  const price = selling && read.price ? boundsInStoreCurrency(read.price, selling.exchange) : read.price;
  const filters = { ...read, price, attributes: { ...read.attributes, ...ownAttributes } };
  // Absent for the default language, so that its cursors stay valid.
  const language = input.language === undefined ? [] : [input.language];
  const scope = (): string =>
    JSON.stringify([
      'search',
      tenantKey(call.tenant),
      everything,
      text,
      mode,
      sort,
      canonicalFilters(filters),
      ...language,
    ]);
  const after = input.cursor ? readSearchCursor(scope(), input.cursor) : null;
  if (input.cursor === '' || (input.cursor && after === null)) {
    return foreignCursor(input.cursor);
  }
  return { text, mode, sort, filters, facets, everything, limit: input.limit ?? LIMIT_DEFAULT, after, scope };
};

/**
 * Adds the query's embedding. If the service fails, the search uses words alone; later pages of a search that used
 * similarity fail instead, because their order would change.
 */
export const withQueryVector = async (
  call: Call,
  { vectorSource }: Pick<SearchStore, 'vectorSource'>,
  parsed: ParsedSearch,
): Promise<ParsedSearch> => {
  const { mode, text, sort, after } = parsed;
  if (mode === 'text' || text === '') return parsed;
  if (mode === 'semantic' && vectorSource.ready) await vectorSource.ready;
  const pendingVector =
    mode === 'semantic' || sort === 'relevance' || after?.semantic
      ? vectorSource.queryVector(text, call.deadline)
      : undefined;
  if (pendingVector === undefined) return parsed;
  const vector = await pendingVector;
  if (vector !== null) return { ...parsed, vector };
  if (after && (after.semantic || after.threshold > 0)) throw new Unavailable('The embedding service does not answer.');
  return { ...parsed, mode: 'text' };
};

const values = <T>(list: readonly T[] | null | undefined): readonly T[] | undefined =>
  list && list.length > 0 ? list : undefined;

const filtersOf = (given: SearchFilters): Filters | Refusal => {
  const attributes = attributesOf(given.attributes ?? {});
  if (attributes instanceof Refusal) return attributes;
  const range = (bounds: SearchFilters['price']) =>
    bounds && (typeof bounds.gte === 'number' || typeof bounds.lte === 'number')
      ? { gte: bounds.gte ?? undefined, lte: bounds.lte ?? undefined }
      : undefined;
  return {
    category_id: values(given.category_id),
    brand: values(given.brand),
    tag: values(given.tag),
    condition: values(given.condition),
    price: range(given.price),
    rating: range(given.rating),
    in_stock: given.in_stock ?? undefined,
    attributes,
  };
};

const attributesOf = (given: Readonly<Record<string, unknown>>): Filters['attributes'] | Refusal => {
  const names = Object.keys(given);
  if (names.length > ATTRIBUTE_FILTERS_MAX) {
    const message = `${names.length} attributes are filtered; at most ${ATTRIBUTE_FILTERS_MAX} are allowed. Remove some.`;
    return refuse('invalid_request', message, { param: 'filters.attributes' });
  }
  const wanted: [string, readonly AttributeValue[]][] = [];
  for (const name of names) {
    const list: unknown = given[name] ?? [];
    if (!Array.isArray(list) || list.length > ATTRIBUTE_VALUES_MAX || !list.every(isValue)) {
      const message = `The filter "${name.slice(0, 100)}" must be a list of at most ${ATTRIBUTE_VALUES_MAX} texts, numbers and booleans.`;
      return refuse('invalid_request', message, { param: `filters.attributes.${name}` });
    }
    if (list.length > 0) wanted.push([name, list]);
  }
  // `Object.fromEntries` stores a name such as `__proto__` as a plain key; an assignment would set the prototype.
  return Object.fromEntries(wanted);
};

const isValue = (value: unknown): value is AttributeValue =>
  typeof value === 'string' || typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value));

/** Returns the text of a facet's value for people. */
export type LabelOf = (key: string, value: string) => string;

export const restOf = (labelOf: LabelOf, parsed: ParsedSearch, result: Result, selling: SellingCurrency | null) => ({
  facets: result.facets.map((facet) => facetIn(facetOf(labelOf, facet), selling)),
  corrections: result.corrections,
  total: result.total,
  mode: parsed.mode,
  pagination: paginationOf(parsed, result),
});

export const paginationOf = ({ limit, scope }: Pick<ParsedSearch, 'limit' | 'scope'>, { next }: Result) => ({
  limit,
  has_more: next !== null,
  next_cursor: next && writeSearchCursor(scope(), next),
});

const facetOf = (labelOf: LabelOf, { key, values: counted, min, max }: Facet): SearchFacet => {
  if (!counted) return { key, min: min ?? null, max: max ?? null };
  return { key, values: counted.map(({ value, count }) => ({ value, label: labelOf(key, String(value)), count })) };
};
