// Searches and lists the products of all merchants of an operator.
import type { ListProductsRequest } from '#proto/gen/catalog.ts';
import type { SearchProductsRequest, SimilarMerchantProductsResponse } from '#proto/gen/search.ts';
import type { SellingMerchant } from '#proto/gen/store_directory.ts';
import { type Call, foreignCursor, invalid, notFound, Refusal, Rendered, tenantKey } from '#runtime/call/call.ts';
import { Unavailable } from '#runtime/call/fault.ts';
import { Semaphore } from '#runtime/flow/semaphore.ts';
import { comparedPrice } from '#services/search/currency.ts';
import { canonicalFilters, type Filters } from '#services/search/engine/filter.ts';
import type { ResultSort } from '#services/search/engine/order.ts';
import { type Result, type SearchRequest, search } from '#services/search/engine/search.ts';
import { similarTo } from '#services/search/engine/similarity.ts';
import { fieldsOf, fieldTree } from '#services/search/field.ts';
import { readSearchCursor } from '#services/search/search_cursor.ts';
import { paginationOf, parseSearch, restOf, withQueryVector } from '#services/search/search_request.ts';
import type { CatalogueSource } from '#services/search/source.ts';
import { CURRENCY, FEATURED, MERCHANT, type MerchantIndex } from './merchant_index.ts';
import type { MerchantPool } from './merchant_pool.ts';

export interface MerchantSearch {
  search(call: Call, merchants: readonly SellingMerchant[], input: SearchProductsRequest): Promise<Rendered | Refusal>;
  list(call: Call, merchants: readonly SellingMerchant[], input: ListProductsRequest): Promise<Rendered | Refusal>;
  similar(call: Call, product: string, limit: number): Promise<SimilarMerchantProductsResponse | Refusal>;
}

/** Merchants' catalogues that render a page's products at once. */
const CATALOGUES_MAX = 16;
const LIMIT_DEFAULT = 20;

/** Facets over merchants, by the attribute that has their values. */
const FACETS: Readonly<Record<string, string>> = {
  merchant: `attributes.${MERCHANT}`,
  currency: `attributes.${CURRENCY}`,
};
const FACET_NAMES = new Map(Object.entries(FACETS).map(([name, key]) => [key, name]));

const SORTS: Readonly<Record<string, ResultSort>> = {
  newest: 'newest',
  price_asc: 'price_asc',
  price_desc: 'price_desc',
  rating: 'rating',
};

/** Parameters of a list that belong to one store. */
const STORE_PARAMETERS = ['collection_id', 'search', 'is_active', 'low_stock'] as const;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

const rendered = (answer: object): Rendered => new Rendered(encoder.encode(JSON.stringify(answer)));

const given = <T>(list: readonly T[] | null | undefined): readonly T[] | undefined =>
  list && list.length > 0 ? list : undefined;

interface Selection {
  readonly stores?: readonly string[] | undefined;
  readonly currencies?: readonly string[] | undefined;
}

/** Refuses to compare prices of several currencies. `param` compares them; null if nothing does. */
const refuseMixedCurrencies = (
  merchants: readonly SellingMerchant[],
  { stores, currencies }: Selection,
  param: string | null,
  filter: string,
): Refusal | null => {
  if (param === null) return null;
  const wanted = currencies?.map((code) => code.toUpperCase());
  const ids = stores?.map((id) => id.toLowerCase());
  const compared = new Set(
    merchants
      .filter(({ store_id, currency }) => ids?.includes(store_id) !== false && wanted?.includes(currency) !== false)
      .map(({ currency }) => currency),
  );
  if (compared.size < 2) return null;
  const codes = [...compared].toSorted().join(', ');
  return invalid(param, `Prices in ${codes} cannot be compared. Name one of these currencies in \`${filter}\`.`);
};

const attributesOf = ({ stores, currencies }: Selection): NonNullable<Filters['attributes']> => ({
  ...(stores && { [MERCHANT]: stores }),
  ...(currencies && { [CURRENCY]: currencies }),
});

const listFilters = (input: ListProductsRequest): Filters => {
  const { category_id, subcategory_id, brand, tag, condition, featured, in_stock, min_price, max_price, ids } = input;
  const one = (value: string | undefined): readonly string[] | undefined => (value === undefined ? undefined : [value]);
  return {
    ids,
    category_id: one(category_id),
    subcategory_id,
    brand: one(brand),
    tag: one(tag),
    condition: one(condition),
    in_stock,
    price: min_price === undefined && max_price === undefined ? undefined : { gte: min_price, lte: max_price },
    attributes: {
      ...attributesOf({ currencies: one(input.currency) }),
      ...(featured !== undefined && { [FEATURED]: [featured] }),
    },
  };
};

interface ListRequest extends SearchRequest {
  readonly scope: () => string;
}

const parseList = (
  { tenant }: Call,
  merchants: readonly SellingMerchant[],
  input: ListProductsRequest,
): ListRequest | Refusal => {
  const misplaced = STORE_PARAMETERS.find((name) => input[name] !== undefined);
  if (misplaced)
    return invalid(misplaced, `\`${misplaced}\` lists the products of one merchant. Name it in \`store_id\`.`);
  const sort = SORTS[input.sort ?? 'newest'];
  if (sort === undefined) {
    const message = `Products of all merchants cannot be sorted by ${input.sort}. Sort by newest, price_asc, price_desc or rating, or name one merchant in \`store_id\`.`;
    return invalid('sort', message);
  }
  const filters = listFilters(input);
  const compared = filters.price ? (input.min_price === undefined ? 'max_price' : 'min_price') : null;
  const param = compared ?? (sort.startsWith('price') ? 'sort' : null);
  const currencies = given(input.currency === undefined ? [] : [input.currency]);
  const mixed = refuseMixedCurrencies(merchants, { currencies }, param, 'currency');
  if (mixed) return mixed;
  const scope = (): string => {
    const { ids, subcategory_id } = filters;
    return JSON.stringify(['merchants', tenantKey(tenant), sort, canonicalFilters(filters), ids, subcategory_id]);
  };
  const after = input.cursor ? readSearchCursor(scope(), input.cursor) : null;
  if (input.cursor === '' || (input.cursor && after === null)) return foreignCursor(input.cursor);
  const limit = input.limit ?? LIMIT_DEFAULT;
  return { text: '', mode: 'text', filters, facets: [], sort, limit, everything: false, after, scope };
};

type ShownProduct = Readonly<Record<string, unknown>> & { readonly id: string };

export const openMerchantSearch = (pool: MerchantPool, source: CatalogueSource): MerchantSearch => {
  /** Renders the products in order of their rank; leaves out those that are gone since the search. */
  const productsOf = async (call: Call, index: MerchantIndex, { hits, docIds }: Result): Promise<ShownProduct[]> => {
    const ranked = hits.map(({ id, score }, at) => ({ id, score, store: index.merchantOf(docIds[at]!) }));
    const shown = new Map<string, ShownProduct>();
    const asking = new Semaphore(CATALOGUES_MAX);
    const { deadline, requestId, trace, tenant } = call;
    const show = async (store: string, some: typeof ranked): Promise<void> => {
      const name = index.merchantName(store);
      // The merchant has stopped selling since the search.
      if (name === undefined) return;
      const found = await source.found(
        { tenant: { store, environment: tenant.environment }, deadline, requestId, trace },
        some.map(({ id, score }) => ({ product_id: id, score })),
        undefined,
        { currency: null, language: undefined },
      );
      // An incomplete page would pass for a whole one.
      if (found instanceof Refusal) throw new Unavailable(found.message);
      const { products } = JSON.parse(decoder.decode(found.body)) as { products: ShownProduct[] };
      for (const product of products)
        shown.set(product.id, { ...product, merchant_store_id: store, merchant_name: name });
    };
    await Promise.all(
      [...Map.groupBy(ranked, ({ store }) => store)].map(([store, some]) => asking.run(() => show(store, some))),
    );
    return ranked.flatMap(({ id }) => shown.get(id) ?? []);
  };

  return {
    async search(call, merchants, input) {
      if (input.currency) {
        const message =
          'Prices of all merchants are shown in their own currencies. Send `filters.currency` to find products in one of them.';
        return invalid('currency', message);
      }
      const selection: Selection = {
        stores: given(input.filters?.merchant_store_id),
        currencies: given(input.filters?.currency),
      };
      const mixed = refuseMixedCurrencies(merchants, selection, comparedPrice(input), 'filters.currency');
      if (mixed) return mixed;
      const facets = input.facets?.map((key) => FACETS[key] ?? key);
      const parsed = parseSearch(call, { ...input, facets }, null, attributesOf(selection));
      if (parsed instanceof Refusal) return parsed;
      const cut = input.fields ? fieldsOf(input.fields, await fieldTree('Search/SearchProducts')) : null;
      if (cut instanceof Refusal) return cut;
      const index = await pool.get(call);
      const request = await withQueryVector(call, index, parsed);
      const result = search(index.index, request);
      const labelOf = (key: string, value: string): string => {
        const name = key === 'category' ? index.categoryName(value) : undefined;
        return name ?? (key === FACETS.merchant ? index.merchantName(value) : undefined) ?? value;
      };
      const rest = restOf(labelOf, request, result, null);
      const products = await productsOf(call, index, result);
      return rendered({
        products: cut ? products.map(cut) : products,
        ...rest,
        facets: rest.facets.map((facet) => ({ ...facet, key: FACET_NAMES.get(facet.key) ?? facet.key })),
      });
    },

    async similar(call, product, limit) {
      const whole = await pool.get(call);
      const { index, vectorSource } = whole;
      if (vectorSource.ready) await vectorSource.ready;
      if (index.productIds.find(product.toLowerCase()) < 0) return notFound('product');
      const hits = similarTo(index, product, limit);
      return {
        hits: hits.map(({ id, docId, score }) => ({ store_id: whole.merchantOf(docId), product_id: id, score })),
      };
    },

    async list(call, merchants, input) {
      const request = parseList(call, merchants, input);
      if (request instanceof Refusal) return request;
      const cut = input.fields ? fieldsOf(input.fields, await fieldTree('Catalog/ListProducts')) : null;
      if (cut instanceof Refusal) return cut;
      const index = await pool.get(call);
      const result = search(index.index, request);
      const products = (await productsOf(call, index, result)).map(({ score: _, ...product }) => product);
      return rendered({
        products: cut ? products.map(cut) : products,
        pagination: paginationOf(request, result),
      });
    },
  };
};
