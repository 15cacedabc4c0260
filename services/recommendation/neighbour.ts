// What recommendations ask of others: the catalogue for products, customers whether they exist, search what is alike.
import type { ListedProduct } from '#proto/gen/product.ts';
import type { SimilarProductsResponse } from '#proto/gen/search.ts';
import { type Call, Refusal, type Tenant, type TenantKey, tenantKey } from '#runtime/call/call.ts';
import { Unavailable } from '#runtime/call/fault.ts';
import { openDomainClient } from '#runtime/domain/domain_client.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { Sighting } from './sighting.ts';

export interface RecommendationNeighbours {
  /** In list shape, by id, hidden ones too; those that are gone are left out. */
  products(call: Call, ids: readonly string[]): Promise<ReadonlyMap<string, ListedProduct>>;
  /** Hidden ones too. */
  product(call: Call, id: string): Promise<ListedProduct | null>;
  /** Of a variant. */
  productOf(call: Call, variant: string): Promise<{ readonly id: string; readonly active: boolean } | null>;
  /** Those that are shown first where nothing is known of shoppers. */
  shown(call: Call, limit: number): Promise<readonly ListedProduct[]>;
  similar(call: Call, product: string, limit: number): Promise<SimilarProductsResponse['hits']>;
  customerExists(tenant: Tenant, id: string): Promise<boolean>;
  /** Of an operator's own call: those of its merchants that sell. Null: the call is of one store. */
  merchants(call: Call): Promise<readonly string[] | null>;
  /** Each with the channel that it came through: where no marketplace sells for the store, its own site. */
  resolved(tenant: Tenant, sightings: readonly Sighting[]): Promise<readonly Sighting[]>;
  /** Each with what is known of its customer. */
  verified(tenant: Tenant, sightings: readonly Sighting[]): Promise<readonly Sighting[]>;
  /** Of a tenant whose data were cleared no session is known. */
  forget(tenant: Tenant): void;
  /** Which of these products are gone for good. */
  gone(tenant: Tenant, products: readonly string[]): Promise<readonly string[]>;
}

/** Customers who are believed to exist, and for how long, so that a busy shopper is asked for once. */
const CUSTOMERS_MAX = 10_000;
const BELIEVED_MS = 30_000;

export const openNeighbours = ({ ask }: Pick<Runtime, 'ask'>): RecommendationNeighbours => {
  /** performance.now() past which each is asked for again. */
  const believed = new Map<TenantKey, number>();

  const { askOrThrow, ask: asked } = openDomainClient({ ask });

  const profileOf = (call: Call, store: string) => asked('StoreDirectory/GetProfile', call, { store });

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

  const isBelieved = async (tenant: Tenant, id: string): Promise<boolean> => {
    const key = tenantKey(tenant, id.toLowerCase());
    if (performance.now() < (believed.get(key) ?? 0)) return true;
    if (!(await customerExists(tenant, id))) return false;
    if (believed.size >= CUSTOMERS_MAX) believed.clear();
    believed.set(key, performance.now() + BELIEVED_MS);
    return true;
  };

  return {
    products: async (call, ids) => new Map((await listed(call, ids)).map((product) => [product.id, product])),
    product: async (call, id) => (await listed(call, [id]))[0] ?? null,
    productOf: async (call, variant) => {
      const { variants } = await askOrThrow('CatalogDirectory/VariantsByIds', call, { variant_ids: [variant] });
      const [found] = variants;
      return found ? { id: found.product_id, active: found.is_active } : null;
    },
    shown: async (call, limit) => {
      const { tenant, deadline, requestId, trace, revisionMin } = call;
      // As a shopper sees them.
      const options = { deadline, requestId, trace, revisionMin, keyType: 'publishable' } as const;
      const reply = await ask('Catalog/ListProducts', tenant, { sort: 'featured', limit }, options);
      if (reply instanceof Refusal) throw new Unavailable(reply.message);
      return reply.products;
    },
    similar: async (call, product, limit) => {
      return (await askOrThrow('SearchDirectory/SimilarProducts', call, { product_id: product, limit })).hits;
    },
    customerExists,
    merchants: async (call) => {
      const { store } = call.tenant;
      // An operator's key acts for one of its merchants, too; no operator is a store.
      if (call.keyType !== 'operator' || !((await profileOf(call, store)) instanceof Refusal)) return null;
      const { stores } = await askOrThrow('StoreDirectory/ListMerchants', call, { operator_id: store });
      const profiles = await Promise.all(stores.map((each) => profileOf(call, each)));
      return stores.filter((_, at) => {
        const profile = profiles[at]!;
        return !(profile instanceof Refusal) && !profile.lapsed;
      });
    },
    resolved: async (tenant, sightings) => {
      if (sightings.every(({ channel }) => channel === 'storefront')) return sightings;
      const { operators } = await askOrThrow('StoreDirectory/ListOperators', { tenant }, {});
      return operators.length > 0 ? sightings : sightings.map((each) => ({ ...each, channel: 'storefront' }));
    },
    verified: async (tenant, sightings) => {
      const named = [...new Set(sightings.flatMap(({ customer }) => customer ?? []))];
      const known = new Set<string>();
      for (const id of named) if (await isBelieved(tenant, id)) known.add(id);
      return sightings.map((sighting) => ({
        ...sighting,
        verified: sighting.customer !== null && known.has(sighting.customer),
      }));
    },
    forget: (tenant) => {
      const prefix = tenantKey(tenant, '');
      for (const key of believed.keys()) if (key.startsWith(prefix)) believed.delete(key);
    },
    gone: async (tenant, products) =>
      (await askOrThrow('CatalogDirectory/MissingIds', { tenant }, { product_ids: products })).product_ids,
  };
};
