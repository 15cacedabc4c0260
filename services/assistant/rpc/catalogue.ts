// Catalogue search and lookup for assistants.
import type {
  AssistantRpcs,
  FindProductsRequest,
  FindProductsResponse,
  LookUpProductsRequest,
  LookUpProductsResponse,
  ProductMatch,
} from '#proto/gen/assistant.ts';
import type { ProductCategory } from '#proto/gen/category.ts';
import type { Product } from '#proto/gen/product.ts';
import type { RpcName, RpcRequest, RpcResponse } from '#proto/gen/rpcs.ts';
import { type Call, Refusal } from '#runtime/call/call.ts';
import { Unavailable } from '#runtime/call/fault.ts';
import { type Handlers, read } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';

const LIMIT_DEFAULT = 10;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Tells whether the store does not sell in the currency now. */
const isForCurrency = (reply: object): reply is Refusal => reply instanceof Refusal && reply.extra.param === 'currency';

const EMPTY: FindProductsResponse = { products: [], total: 0, next_cursor: null };

export const catalogueHandlers = ({
  ask: asked,
}: Pick<Runtime, 'ask'>): Pick<Handlers<AssistantRpcs>, 'FindProducts' | 'LookUpProducts'> => {
  const ask = async <R extends RpcName>(
    rpc: R,
    call: Call,
    input: RpcRequest<R>,
  ): Promise<RpcResponse<R> | Refusal> => {
    const { deadline, requestId, trace, revisionMin } = call;
    const keyType = 'publishable' as const;
    const reply = await asked(rpc, call.tenant, input, {
      deadline,
      requestId,
      trace,
      revisionMin,
      keyType,
      reads: true,
    });
    if (reply instanceof Refusal && reply.code === 'service_unavailable') throw new Unavailable(reply.message);
    return reply;
  };

  const productsOf = async (call: Call, ids: readonly string[], currency?: string): Promise<Product[]> => {
    const found = await Promise.all(
      ids.map((id) => ask('Catalog/GetProduct', call, { id, ...(currency !== undefined && { currency }) })),
    );
    if (currency !== undefined && found.some(isForCurrency)) return productsOf(call, ids);
    return found.filter((product): product is Product => !(product instanceof Refusal));
  };

  const categoriesOf = async (call: Call, names: readonly string[]): Promise<string[]> => {
    const known = await ask('Category/ListCategories', call, {});
    if (known instanceof Refusal) return [];
    const wanted = new Set(names.map(folded));
    return known.categories.flatMap((category) => idsNamed(category, wanted));
  };

  const matchOf = async (call: Call, id: string): Promise<ProductMatch | null> => {
    if (!UUID.test(id)) {
      const found = await ask('Catalog/GetProductBySlug', call, { slug: id });
      return found instanceof Refusal ? null : { id, product_id: found.id, variant_id: null };
    }
    const name = id.toLowerCase();
    const found = await ask('CatalogDirectory/VariantsByIds', call, { variant_ids: [name] });
    const variant = found instanceof Refusal ? undefined : found.variants[0];
    return { id, product_id: variant?.product_id ?? name, variant_id: variant ? name : null };
  };

  return {
    FindProducts: read<FindProductsRequest, FindProductsResponse>(async (call, input) => {
      const { query, min_price, max_price, in_stock, limit = LIMIT_DEFAULT, cursor } = input;
      const names = input.categories ?? [];
      const category_id = names.length === 0 ? [] : await categoriesOf(call, names);
      if (names.length > 0 && category_id.length === 0) return EMPTY;
      const priced = min_price != null || max_price != null;
      const request = {
        query: query ?? '',
        filters: {
          ...(category_id.length > 0 && { category_id }),
          ...(priced && {
            price: { ...(min_price != null && { gte: min_price }), ...(max_price != null && { lte: max_price }) },
          }),
          ...(in_stock && { in_stock }),
        },
        limit,
        cursor: cursor ?? null,
      };
      const preferred = await ask('Search/SearchProducts', call, { ...request, currency: input.currency ?? null });
      const currency = isForCurrency(preferred) ? undefined : input.currency;
      const found = isForCurrency(preferred) ? await ask('Search/SearchProducts', call, request) : preferred;
      if (found instanceof Refusal) return found;
      const products = await productsOf(
        call,
        found.products.map(({ id }) => id),
        currency,
      );
      return { products, total: found.total, next_cursor: found.pagination.next_cursor };
    }),

    LookUpProducts: read<LookUpProductsRequest, LookUpProductsResponse>(async (call, { ids, currency }) => {
      const meant = await Promise.all([...new Set(ids)].map((id) => matchOf(call, id)));
      const matches = meant.filter((match) => match !== null);
      const products = await productsOf(call, [...new Set(matches.map(({ product_id }) => product_id))], currency);
      const shown = new Set(products.map(({ id }) => id));
      return { products, matches: matches.filter(({ product_id }) => shown.has(product_id)) };
    }),
  };
};

const folded = (text: string): string =>
  text
    .split('>')
    .map((part) => part.trim().toLowerCase())
    .join(' > ');

const idsNamed = (category: ProductCategory, wanted: ReadonlySet<string>): string[] => {
  const isMeant = (...names: string[]): boolean => names.some((name) => wanted.has(folded(name)));
  const { id, name, slug, subcategories } = category;
  if (isMeant(id, name, slug)) return [id];
  return subcategories
    .filter((child) => isMeant(child.id, child.name, child.slug, `${name} > ${child.name}`))
    .map((child) => child.id);
};
