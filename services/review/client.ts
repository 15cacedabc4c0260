// Clients of other domains: products, customers, purchases and the store's approval setting.
import type { FindPurchaseResponse } from '#proto/gen/order_directory.ts';
import { notFound, Refusal } from '#runtime/call/call.ts';
import type { AskContext, DomainClient } from '#runtime/domain/domain_client.ts';
import { type Approval, publicName } from './review.ts';

export interface ReviewClients {
  activeProducts(call: AskContext, products: readonly string[]): Promise<ReadonlySet<string>>;
  /** Refuses a product that is not active or lacks this variant; returns null otherwise. */
  refuseMissing(call: AskContext, product: string, variant: string | null): Promise<Refusal | null>;
  publicNameOf(call: AskContext, customer: string): Promise<string | Refusal>;
  purchase(call: AskContext, customer: string, product: string, order: string | null): Promise<FindPurchaseResponse>;
  approval(call: AskContext): Promise<Approval>;
}

export const openReviewClients = ({ ask, askOrThrow }: DomainClient): ReviewClients => {
  const active: ReviewClients['activeProducts'] = async (call, products) => {
    const found = await askOrThrow('CatalogDirectory/ActiveProducts', call, { product_ids: products });
    return new Set(found.product_ids);
  };
  return {
    activeProducts: active,
    refuseMissing: async (call, product, variant) => {
      if (!(await active(call, [product])).has(product)) return notFound('product', 'product_id');
      if (variant === null) return null;
      const { variants } = await askOrThrow('CatalogDirectory/VariantsByIds', call, { variant_ids: [variant] });
      return variants[0]?.product_id === product ? null : notFound('variant', 'variant_id');
    },
    publicNameOf: async (call, customer) => {
      const found = await ask('CustomerDirectory/FindCustomer', call, { customer_id: customer });
      return found instanceof Refusal ? found : publicName(found.customer.first_name, found.customer.last_name);
    },
    purchase: (call, customer, product, order) =>
      askOrThrow('OrderDirectory/FindPurchase', call, { customer_id: customer, product_id: product, order_id: order }),
    approval: async (call) => {
      const { review_approval } = await askOrThrow('StoreDirectory/GetProfile', call, { store: call.tenant.store });
      return review_approval;
    },
  };
};
