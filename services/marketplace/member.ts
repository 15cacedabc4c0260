// Resolves a section's items to what shoppers may see, by asking the merchants' domains.
import type { SectionItem } from '#proto/gen/marketplace.ts';
import type { StorePromotion } from '#proto/gen/promotion.ts';
import { type Call, type Dependency, notFound, Refusal, type Tenant } from '#runtime/call/call.ts';
import { type AskContext, openDomainClient } from '#runtime/domain/domain_client.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { storeOf } from '#services/commerce/dependency.ts';
import { itemKey, type SectionRecord, type StoredItem } from './section.ts';

export interface VisibleMembers {
  readonly items: readonly SectionItem[];
  /** Time in ms that an edge may cache the items; 0 if no notice reports their changes. */
  readonly freshMs: number;
  readonly dependsOn: readonly Dependency[];
}

export interface Members {
  findMissing(
    call: Call,
    kind: SectionRecord['placement_kind'],
    items: readonly StoredItem[],
    before: readonly StoredItem[],
  ): Promise<Refusal | null>;
  visible(call: Call, section: SectionRecord, limit: number): Promise<VisibleMembers>;
}

const FRESH_MS_MAX = 5_000;

const contextOf = (
  { tenant, deadline, requestId, trace }: Call,
  store: string,
): AskContext & { readonly tenant: Tenant } => ({
  tenant: { store, environment: tenant.environment },
  deadline,
  requestId,
  trace,
});

const storesOf = (items: readonly StoredItem[]): string[] => [
  ...new Set(items.map(({ merchant_store_id }) => merchant_store_id)),
];

/**
 * Returns the time in ms until the promotion starts or ends; 0 if it has a usage limit, since no notice reports uses.
 */
const freshFor = ({ starts_at, ends_at, usage_limit }: StorePromotion, nowMs: number): number => {
  if (usage_limit != null) return 0;
  const ahead = [starts_at, ends_at].map((at) => (at ? Date.parse(at) - nowMs : 0)).filter((ms) => ms > 0);
  return Math.min(FRESH_MS_MAX, ...ahead);
};

export const openMembers = (runtime: Pick<Runtime, 'ask' | 'clock'>): Members => {
  const { ask, askOrThrow } = openDomainClient(runtime);

  const merchantsOf = async (call: Call): Promise<ReadonlySet<string>> =>
    new Set((await askOrThrow('StoreDirectory/ListMerchants', call, { operator_id: call.tenant.store })).stores);

  const profileOf = async (call: Call, store: string) => {
    const profile = await ask('StoreDirectory/GetProfile', contextOf(call, store), { store });
    return profile instanceof Refusal ? null : profile;
  };

  const lapsedStores = async (call: Call, stores: readonly string[]): Promise<ReadonlySet<string>> => {
    const profiles = await Promise.all(stores.map((store) => profileOf(call, store)));
    return new Set(stores.filter((_, at) => profiles[at]?.lapsed !== false));
  };

  const visibleProducts = async (call: Call, items: readonly StoredItem[], limit: number): Promise<VisibleMembers> => {
    const found = await Promise.all(
      storesOf(items).map(async (store) => {
        const products = items
          .filter(({ merchant_store_id }) => merchant_store_id === store)
          .map(({ product_id }) => product_id!);
        const context = contextOf(call, store);
        const { tenant } = context;
        const { product_ids, revision } = await askOrThrow('CatalogDirectory/ActiveProducts', context, {
          product_ids: products,
        });
        const dependency: Dependency = { tenant, kind: 'catalog', revision, ids: products };
        return { dependency, active: product_ids };
      }),
    );
    const active = new Set(found.flatMap((each) => each.active));
    return {
      items: items
        .filter(({ product_id }) => active.has(product_id!))
        .slice(0, limit)
        .map(({ merchant_store_id, product_id }) => ({ merchant_store_id, product_id: product_id! })),
      freshMs: FRESH_MS_MAX,
      dependsOn: found.map(({ dependency }) => dependency),
    };
  };

  const promotionOf = async (
    call: Call,
    { merchant_store_id, promotion_id }: StoredItem,
  ): Promise<StorePromotion | null> => {
    const found = await ask('Promotion/GetPromotion', contextOf(call, merchant_store_id), { id: promotion_id! });
    return found instanceof Refusal ? null : found.promotion;
  };

  const visiblePromotions = async (
    call: Call,
    items: readonly StoredItem[],
    limit: number,
  ): Promise<VisibleMembers> => {
    const found = await Promise.all(items.map((item) => promotionOf(call, item)));
    const shown = found.map((promotion, at): SectionItem | null => {
      if (promotion === null || !promotion.public || promotion.status !== 'active') return null;
      const { id, name, ends_at } = promotion;
      const { merchant_store_id } = items[at]!;
      return { merchant_store_id, promotion_id: id, title: name, ends_at: ends_at ?? null };
    });
    const fresh = found.map((promotion, at) =>
      promotion === null
        ? FRESH_MS_MAX
        : freshFor(promotion, runtime.clock.now(contextOf(call, items[at]!.merchant_store_id).tenant).getTime()),
    );
    return {
      items: shown.filter((item) => item !== null).slice(0, limit),
      freshMs: Math.min(FRESH_MS_MAX, ...fresh),
      dependsOn: [],
    };
  };

  const visibleMerchants = async (call: Call, items: readonly StoredItem[], limit: number): Promise<VisibleMembers> => {
    const profiles = await Promise.all(items.map(({ merchant_store_id: store }) => profileOf(call, store)));
    const shown = items.flatMap(({ merchant_store_id }, at): SectionItem[] => {
      const profile = profiles[at];
      return profile ? [{ merchant_store_id, name: profile.name, logo_url: profile.logo_url }] : [];
    });
    return { items: shown.slice(0, limit), freshMs: FRESH_MS_MAX, dependsOn: [] };
  };

  const KINDS = { product: visibleProducts, promotion: visiblePromotions, merchant: visibleMerchants };

  return {
    async findMissing(call, kind, items, before) {
      const named = new Set(before.map(itemKey));
      const added = items.filter((item) => !named.has(itemKey(item)));
      if (added.length === 0) return null;
      const merchants = await merchantsOf(call);
      const foreign = added.find(({ merchant_store_id }) => !merchants.has(merchant_store_id));
      if (foreign) return notFound('store', `items[${items.indexOf(foreign)}].merchant_store_id`);
      if (kind === 'product')
        for (const store of storesOf(added)) {
          const ids = added.filter((item) => item.merchant_store_id === store).map(({ product_id }) => product_id!);
          const { products } = await askOrThrow('CatalogDirectory/ProductsByIds', contextOf(call, store), {
            product_ids: ids,
          });
          const known = new Set(products.map(({ id }) => id));
          const missing = added.find((item) => item.merchant_store_id === store && !known.has(item.product_id!));
          if (missing) return notFound('product', `items[${items.indexOf(missing)}].product_id`);
        }
      if (kind === 'promotion') {
        const found = await Promise.all(added.map((item) => promotionOf(call, item)));
        const missing = added[found.indexOf(null)];
        if (missing) return notFound('promotion', `items[${items.indexOf(missing)}].promotion_id`);
      }
      return null;
    },

    async visible(call, { placement_kind: kind, items }, limit) {
      const merchants = await merchantsOf(call);
      const members = items.filter(({ merchant_store_id }) => merchants.has(merchant_store_id));
      const stores = storesOf(members);
      const lapsed = await lapsedStores(call, stores);
      const selling = members.filter(({ merchant_store_id }) => !lapsed.has(merchant_store_id));
      const shown = await KINDS[kind](call, selling, limit);
      // Depends on merchants with a lapsed plan, too, so that edges notice when one resumes.
      const merchantsSettings = stores.map((store) => storeOf(contextOf(call, store).tenant));
      return { ...shown, dependsOn: [storeOf(call.tenant), ...merchantsSettings, ...shown.dependsOn] };
    },
  };
};
