// Handlers of search.
import type {
  SearchDirectoryRpcs,
  SearchFacet,
  SearchFilters,
  SearchProductsRequest,
  SearchRpcs,
  SimilarProductsRequest,
} from '#proto/gen/search.ts';
import type { FieldTree } from '#proto/route.ts';
import { type Call, foreignCursor, Refusal, Rendered, type Reply, refuse, tenantKey } from '#runtime/call/call.ts';
import { Unavailable } from '#runtime/call/fault.ts';
import type { FragmentList } from '#runtime/call/fragment_list.ts';
import { type Handlers, read } from '#runtime/domain/rpc.ts';
import type { Clock } from '#runtime/process/clock.ts';
import type { SellingCurrency, StoreCurrencies } from '#services/commerce/selling_currency.ts';
import type { StoreProfiles } from '#services/commerce/store_profile.ts';
import { boundsInStoreCurrency, facetIn, searchCurrency } from './currency.ts';
import type { AttributeValue } from './engine/document.ts';
import { type Facet, isFacetKey } from './engine/facet.ts';
import { canonicalFilters, type Filters } from './engine/filter.ts';
import { type Result, type SearchRequest, search } from './engine/search.ts';
import { similarTo } from './engine/similarity.ts';
import { fieldsOf } from './field.ts';
import type { SearchPool } from './pool.ts';
import { readSearchCursor, writeSearchCursor } from './search_cursor.ts';
import type { SearchStore } from './search_store.ts';
import type { CatalogueSource } from './source.ts';

const LIMIT_DEFAULT = 20;
const ATTRIBUTE_FILTERS_MAX = 20;
const ATTRIBUTE_VALUES_MAX = 100;

/**
 * Imports the route table when first needed: importing takes an eighth of a host's start, and few searches request
 * `fields`.
 */
const fieldTree = async (): Promise<FieldTree> => {
  const { routes } = await import('#proto/gen/routes.ts');
  return routes.find(({ rpc }) => rpc === 'Search/SearchProducts')?.fields ?? {};
};

export const searchHandlers = (
  pool: SearchPool,
  source: CatalogueSource,
  profiles: StoreProfiles<StoreCurrencies>,
  clock: Pick<Clock, 'now'>,
): Handlers<SearchRpcs> => ({
  SearchProducts: read(async (call: Call, input: SearchProductsRequest): Promise<Reply<never>> => {
    const selling = await searchCurrency(profiles, clock, call, input);
    if (selling instanceof Refusal) return selling;
    const parsed = parseSearch(call, input, selling);
    if (parsed instanceof Refusal) return parsed;
    const cut = input.fields ? fieldsOf(input.fields, await fieldTree()) : null;
    if (cut instanceof Refusal) return cut;
    const store = await pool.get(call, input.language);
    const request = await withQueryVector(call, store, parsed);
    const result = search(store.index, request);
    const products = await source.found(
      call,
      result.hits.map(({ id, score }) => ({ product_id: id, score })),
      result.docIds,
      { currency: selling?.currency.code ?? null, language: store.language },
    );
    if (products instanceof Refusal) return products;
    return responseOf(products, restOf(store, request, result, selling), cut);
  }),
});

export const directoryHandlers = (pool: SearchPool): Handlers<SearchDirectoryRpcs> => ({
  SimilarProducts: read(async (call: Call, { product_id = '', limit = 0 }: SimilarProductsRequest) => {
    const store = await pool.get(call);
    if (store.vectorSource.ready) await store.vectorSource.ready;
    const hits = similarTo(store.index, product_id, limit);
    return { hits: hits.map(({ id, score }) => ({ product_id: id, score })) };
  }),
});

interface ParsedSearch extends SearchRequest {
  /**
   * Identifies the search, so that a cursor is refused for any other. A function, because only searches with cursors
   * need it.
   */
  readonly scope: () => string;
}

const parseSearch = (
  call: Call,
  input: SearchProductsRequest,
  selling: SellingCurrency | null,
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
  const filters =
    selling && read.price ? { ...read, price: boundsInStoreCurrency(read.price, selling.exchange) } : read;
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
const withQueryVector = async (
  call: Call,
  { vectorSource }: SearchStore,
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

const restOf = (store: SearchStore, parsed: ParsedSearch, result: Result, selling: SellingCurrency | null) => ({
  facets: result.facets.map((facet) => facetIn(facetOf(store, facet), selling)),
  corrections: result.corrections,
  total: result.total,
  mode: parsed.mode,
  pagination: {
    limit: parsed.limit,
    has_more: result.next !== null,
    next_cursor: result.next && writeSearchCursor(parsed.scope(), result.next),
  },
});

const facetOf = (store: SearchStore, { key, values: counted, min, max }: Facet): SearchFacet => {
  if (!counted) return { key, min: min ?? null, max: max ?? null };
  return {
    key,
    values: counted.map(({ value, count }) => ({
      value,
      label: key === 'category' ? (store.categoryName(String(value)) ?? String(value)) : String(value),
      count,
    })),
  };
};

const encoder = new TextEncoder();
const decoder = new TextDecoder();

const responseOf = (
  products: Rendered,
  rest: ReturnType<typeof restOf>,
  cut: ((product: unknown) => unknown) | null,
): Reply<never> => {
  if (cut) {
    const whole = JSON.parse(decoder.decode(products.body)) as { products: unknown[] };
    return new Rendered(encoder.encode(JSON.stringify({ products: whole.products.map(cut), ...rest })));
  }
  const tail = encoder.encode(`],${JSON.stringify(rest).slice(1)}`);
  const { list } = products;
  if (list) return new Rendered({ ...list, tail } satisfies FragmentList);
  return new Rendered(Buffer.concat([products.body.subarray(0, -2), tail]));
};
