// What a section's members are at this moment, asked of the merchants' own domains as a shopper would: what a shopper
// does not see is left out.
import type { SectionItem } from '#proto/gen/marketplace.ts';
import type { StorePromotion } from '#proto/gen/promotion.ts';
import { type Call, notFound, Refusal, type Tenant } from '#runtime/call/call.ts';
import { Unavailable } from '#runtime/call/fault.ts';
import type { Foundation } from '#runtime/door/foundation.ts';
import { type Asker, openInquiry } from '#runtime/door/inquiry.ts';
import type { KeptItem, SectionRecord } from './section.ts';

export interface Members {
  /** Why an item cannot be one of the operator's; null where all can. */
  refuse(call: Call, kind: SectionRecord['placement_kind'], items: readonly KeptItem[]): Promise<Refusal | null>;
  /** Those that there are, in their order, as many as asked for. */
  shown(call: Call, section: SectionRecord, limit: number): Promise<readonly SectionItem[]>;
}

export const openMembers = (foundation: Pick<Foundation, 'ask'>): Members => {
  const { ask, must } = openInquiry(foundation);

  const as = ({ tenant, deadline, requestId, trace }: Call, store: string): Asker & { readonly tenant: Tenant } => ({
    tenant: { store, environment: tenant.environment },
    deadline,
    requestId,
    trace,
  });

  const merchantsOf = async (call: Call): Promise<ReadonlySet<string>> =>
    new Set((await must('StoreDirectory/ListMerchants', call, { operator_id: call.tenant.store })).stores);

  const storesOf = (items: readonly KeptItem[]): string[] => [
    ...new Set(items.map(({ merchant_store_id }) => merchant_store_id)),
  ];

  /** Of each merchant, the products that shoppers see. */
  const activeProducts = async (call: Call, items: readonly KeptItem[]): Promise<ReadonlySet<string>> => {
    const found = await Promise.all(
      storesOf(items).map(async (store) => {
        const product_ids = items
          .filter(({ merchant_store_id }) => merchant_store_id === store)
          .map(({ product_id }) => product_id!);
        return (await must('CatalogDirectory/ActiveProducts', as(call, store), { product_ids })).product_ids;
      }),
    );
    return new Set(found.flat());
  };

  /** A promotion as a shopper sees it; null where they do not. */
  const promotionOf = async (
    call: Call,
    { merchant_store_id, promotion_id }: KeptItem,
    keyType: 'publishable' | 'internal',
  ): Promise<StorePromotion | null> => {
    const { tenant } = as(call, merchant_store_id);
    const { deadline, requestId, trace } = call;
    const options = { deadline, requestId, trace, keyType } as const;
    const found = await foundation.ask('Promotion/GetPromotion', tenant, { id: promotion_id! }, options);
    if (!(found instanceof Refusal)) return found.promotion;
    if (found.code === 'service_unavailable') throw new Unavailable(found.message);
    return null;
  };

  return {
    async refuse(call, kind, items) {
      const merchants = await merchantsOf(call);
      const foreign = items.findIndex(({ merchant_store_id }) => !merchants.has(merchant_store_id));
      if (foreign >= 0) return notFound('store', `items[${foreign}].merchant_store_id`);
      if (kind === 'product')
        for (const store of storesOf(items)) {
          const ids = items.filter((item) => item.merchant_store_id === store).map(({ product_id }) => product_id!);
          const { products } = await must('CatalogDirectory/ProductsByIds', as(call, store), { product_ids: ids });
          const known = new Set(products.map(({ id }) => id));
          const missing = items.findIndex((item) => item.merchant_store_id === store && !known.has(item.product_id!));
          if (missing >= 0) return notFound('product', `items[${missing}].product_id`);
        }
      if (kind === 'promotion') {
        const found = await Promise.all(items.map((item) => promotionOf(call, item, 'internal')));
        const missing = found.indexOf(null);
        if (missing >= 0) return notFound('promotion', `items[${missing}].promotion_id`);
      }
      return null;
    },

    async shown(call, { placement_kind: kind, items }, limit) {
      const merchants = await merchantsOf(call);
      const members = items.filter(({ merchant_store_id }) => merchants.has(merchant_store_id));
      if (kind === 'product') {
        const active = await activeProducts(call, members);
        return members
          .filter(({ product_id }) => active.has(product_id!))
          .slice(0, limit)
          .map(({ merchant_store_id, product_id }) => ({ merchant_store_id, product_id: product_id! }));
      }
      const shown = await Promise.all(
        members.map(async (item): Promise<SectionItem | null> => {
          const { merchant_store_id } = item;
          if (kind === 'promotion') {
            const promotion = await promotionOf(call, item, 'publishable');
            if (promotion === null) return null;
            const { id, name, ends_at } = promotion;
            return { merchant_store_id, promotion_id: id, title: name, ends_at: ends_at ?? null };
          }
          const profile = await ask('StoreDirectory/GetProfile', as(call, merchant_store_id), {
            store: merchant_store_id,
          });
          if (profile instanceof Refusal || profile.lapsed) return null;
          return { merchant_store_id, name: profile.name, logo_url: profile.logo_url };
        }),
      );
      return shown.filter((item) => item !== null).slice(0, limit);
    },
  };
};
