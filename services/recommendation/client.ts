// Clients of other domains: products, similar products, customers and merchants.
import type { ListedProduct } from '#proto/gen/product.ts';
import type { MerchantHit, SimilarProductsResponse } from '#proto/gen/search.ts';
import type { SellingMerchant } from '#proto/gen/store_directory.ts';
import { type Call, Refusal, type Tenant, type TenantKey, tenantKey } from '#runtime/call/call.ts';
import { Unavailable } from '#runtime/call/fault.ts';
import { openDomainClient } from '#runtime/domain/domain_client.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { LookupCache } from '#runtime/flow/lookup_cache.ts';
import type { SellingMerchants } from '#services/commerce/selling_merchant.ts';
import type { ProductInteraction } from './interaction.ts';

export interface RecommendationClients {
  /** Returns products as in lists, by id, including inactive ones; omits products that do not exist. */
  products(call: Call, ids: readonly string[]): Promise<ReadonlyMap<string, ListedProduct>>;
  product(call: Call, id: string): Promise<ListedProduct | null>;
  productOfVariant(call: Call, variant: string): Promise<{ readonly id: string; readonly active: boolean } | null>;
  featuredProducts(call: Call, limit: number): Promise<readonly ListedProduct[]>;
  similar(call: Call, product: string, limit: number): Promise<SimilarProductsResponse['hits']>;
  /** Returns products of all of an operator's merchants like this one; null for a product that search does not know. */
  similarOverMerchants(call: Call, product: string, limit: number): Promise<readonly MerchantHit[] | null>;
  customerExists(tenant: Tenant, id: string): Promise<boolean>;
  /** Returns the operator's merchants that currently sell; null if the call is for a single store. */
  merchants(call: Call): Promise<readonly SellingMerchant[] | null>;
  /** Replaces the channel `marketplace` of interactions if no operator sells for the store. */
  withResolvedChannel(
    tenant: Tenant,
    interactions: readonly ProductInteraction[],
  ): Promise<readonly ProductInteraction[]>;
  withVerifiedCustomer(
    tenant: Tenant,
    interactions: readonly ProductInteraction[],
  ): Promise<readonly ProductInteraction[]>;
  forgetCustomers(tenant: Tenant): void;
  deletedOf(tenant: Tenant, products: readonly string[]): Promise<readonly string[]>;
}

/** Maximum number of customers cached as existing, so that an active customer is not looked up for each interaction. */
const CUSTOMERS_MAX = 10_000;
const CUSTOMER_CACHE_MS = 30_000;

export const openRecommendationClients = (
  { ask }: Pick<Runtime, 'ask'>,
  sellingMerchants: SellingMerchants,
): RecommendationClients => {
  const { askOrThrow, ask: asked } = openDomainClient({ ask });

  const listed = async (call: Call, ids: readonly string[]): Promise<readonly ListedProduct[]> => {
    if (ids.length === 0) return [];
    return (await askOrThrow('CatalogDirectory/ProductsByIds', call, { product_ids: ids })).products;
  };

  const customerExists = async (tenant: Tenant, id: string): Promise<boolean> => {
    const reply = await ask('CustomerDirectory/FindCustomer', tenant, { customer_id: id });
    if (!(reply instanceof Refusal)) return true;
    if (reply.code === 'not_found') return false;
    throw new Unavailable(reply.message);
  };

  const customers = new LookupCache<TenantKey, boolean, { readonly tenant: Tenant; readonly id: string }>({
    now: () => performance.now(),
    entriesMax: CUSTOMERS_MAX,
    load: async (_, { tenant, id }) => {
      const exists = await customerExists(tenant, id);
      return { value: exists, ttlMs: exists ? CUSTOMER_CACHE_MS : 0, owners: [tenantKey(tenant)] };
    },
  });

  return {
    products: async (call, ids) => new Map((await listed(call, ids)).map((product) => [product.id, product])),
    product: async (call, id) => (await listed(call, [id]))[0] ?? null,
    productOfVariant: async (call, variant) => {
      const { variants } = await askOrThrow('CatalogDirectory/VariantsByIds', call, { variant_ids: [variant] });
      const [found] = variants;
      return found ? { id: found.product_id, active: found.is_active } : null;
    },
    featuredProducts: async (call, limit) => {
      const { tenant, deadline, requestId, trace, revisionMin } = call;
      const options = { deadline, requestId, trace, revisionMin, keyType: 'publishable' } as const;
      const reply = await ask('Catalog/ListProducts', tenant, { sort: 'featured', limit }, options);
      if (reply instanceof Refusal) throw new Unavailable(reply.message);
      return reply.products;
    },
    similar: async (call, product, limit) => {
      return (await askOrThrow('SearchDirectory/SimilarProducts', call, { product_id: product, limit })).hits;
    },
    similarOverMerchants: async (call, product, limit) => {
      const reply = await asked('SearchDirectory/SimilarMerchantProducts', call, { product_id: product, limit });
      if (!(reply instanceof Refusal)) return reply.hits;
      if (reply.code === 'not_found') return null;
      throw new Unavailable(reply.message);
    },
    customerExists,
    // An operator's key also acts for one merchant.
    merchants: async ({ keyType, tenant }) => (keyType === 'operator' ? sellingMerchants.get(tenant) : null),
    withResolvedChannel: async (tenant, interactions) => {
      if (interactions.every(({ channel }) => channel === 'storefront')) return interactions;
      const { operators } = await askOrThrow('StoreDirectory/ListOperators', { tenant }, {});
      return operators.length > 0 ? interactions : interactions.map((each) => ({ ...each, channel: 'storefront' }));
    },
    withVerifiedCustomer: async (tenant, interactions) => {
      const named = [...new Set(interactions.flatMap(({ customer }) => customer ?? []))];
      const known = new Set<string>();
      for (const id of named)
        if (await customers.get(tenantKey(tenant, id.toLowerCase()), { tenant, id })) known.add(id);
      return interactions.map((interaction) => ({
        ...interaction,
        verified: interaction.customer !== null && known.has(interaction.customer),
      }));
    },
    forgetCustomers: (tenant) => customers.forgetOwner(tenantKey(tenant)),
    deletedOf: async (tenant, products) =>
      (await askOrThrow('CatalogDirectory/MissingIds', { tenant }, { product_ids: products })).product_ids,
  };
};
