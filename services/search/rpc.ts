// Handlers of search.
import type { ListProductsRequest } from '#proto/gen/catalog.ts';
import type {
  SearchDirectoryRpcs,
  SearchProductsRequest,
  SearchRpcs,
  SimilarProductsRequest,
} from '#proto/gen/search.ts';
import { type Call, invalid, notFound, Refusal, Rendered, type Reply } from '#runtime/call/call.ts';
import type { FragmentList } from '#runtime/call/fragment_list.ts';
import { type Handlers, read } from '#runtime/domain/rpc.ts';
import type { Clock } from '#runtime/process/clock.ts';
import { namesLowestPrice } from '#services/commerce/lowest_price.ts';
import type { StoreCurrencies } from '#services/commerce/selling_currency.ts';
import type { SellingMerchants } from '#services/commerce/selling_merchant.ts';
import type { StoreProfiles } from '#services/commerce/store_profile.ts';
import { searchCurrency } from './currency.ts';
import { search } from './engine/search.ts';
import { similarTo } from './engine/similarity.ts';
import { fieldsOf, fieldTree } from './field.ts';
import type { MerchantSearch } from './marketplace/merchant_search.ts';
import type { SearchPool } from './pool.ts';
import { parseSearch, restOf, withQueryVector } from './search_request.ts';
import type { CatalogueSource } from './source.ts';

export interface SearchTools {
  readonly pool: SearchPool;
  readonly source: CatalogueSource;
  readonly profiles: StoreProfiles<StoreCurrencies>;
  readonly clock: Pick<Clock, 'now'>;
  readonly sellingMerchants: SellingMerchants;
  readonly merchantSearch: MerchantSearch;
}

const refuseMerchantFilters = ({ filters }: SearchProductsRequest): Refusal | null => {
  const name = (['merchant_store_id', 'currency'] as const).find((each) => (filters?.[each] ?? []).length > 0);
  return name === undefined
    ? null
    : invalid(`filters.${name}`, `\`filters.${name}\` filters over all merchants of an operator. Leave it out here.`);
};

export const searchHandlers = ({
  pool,
  source,
  profiles,
  clock,
  sellingMerchants,
  merchantSearch,
}: SearchTools): Handlers<SearchRpcs> => ({
  SearchProducts: read(async (call: Call, input: SearchProductsRequest): Promise<Reply<never>> => {
    // An operator's key also acts for one merchant.
    const merchants = call.keyType === 'operator' ? await sellingMerchants.get(call.tenant) : null;
    if (merchants !== null) return merchantSearch.search(call, merchants, input);
    const misplaced = refuseMerchantFilters(input);
    if (misplaced) return misplaced;
    const selling = await searchCurrency(profiles, clock, call, input);
    if (selling instanceof Refusal) return selling;
    const parsed = parseSearch(call, input, selling);
    if (parsed instanceof Refusal) return parsed;
    const cut = input.fields ? fieldsOf(input.fields, await fieldTree('Search/SearchProducts')) : null;
    if (cut instanceof Refusal) return cut;
    const store = await pool.get(call, input.language);
    const request = await withQueryVector(call, store, parsed);
    const result = search(store.index, request);
    const products = await source.found(
      call,
      result.hits.map(({ id, score }) => ({ product_id: id, score })),
      result.docIds,
      {
        currency: selling?.currency.code ?? null,
        language: store.language,
        with_lowest_prices: namesLowestPrice(input.fields),
      },
    );
    if (products instanceof Refusal) return products;
    const labelOf = (key: string, value: string): string =>
      key === 'category' ? (store.categoryName(value) ?? value) : value;
    return responseOf(products, restOf(labelOf, request, result, selling), cut);
  }),
});

export const directoryHandlers = ({
  pool,
  sellingMerchants,
  merchantSearch,
}: Pick<SearchTools, 'pool' | 'sellingMerchants' | 'merchantSearch'>): Handlers<SearchDirectoryRpcs> => ({
  SimilarProducts: read(async (call: Call, { product_id = '', limit = 0 }: SimilarProductsRequest) => {
    const store = await pool.get(call);
    if (store.vectorSource.ready) await store.vectorSource.ready;
    const hits = similarTo(store.index, product_id, limit);
    return { hits: hits.map(({ id, score }) => ({ product_id: id, score })) };
  }),

  SimilarMerchantProducts: read(async (call: Call, { product_id = '', limit = 0 }: SimilarProductsRequest) => {
    const merchants = await sellingMerchants.get(call.tenant);
    return merchants === null ? notFound('operator') : merchantSearch.similar(call, product_id, limit);
  }),

  ListMerchantProducts: read(async (call: Call, input: ListProductsRequest): Promise<Reply<never>> => {
    const merchants = await sellingMerchants.get(call.tenant);
    return merchants === null ? notFound('operator') : merchantSearch.list(call, merchants, input);
  }),
});

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
