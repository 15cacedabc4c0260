// What reviews ask of other domains: products, the shopper, what the shopper bought, the store's setting.
import type { FindPurchaseResponse } from '#proto/gen/order_directory.ts';
import { notFound, Refusal } from '#runtime/call/call.ts';
import type { AskingCall, DomainClient } from '#runtime/domain/domain_client.ts';
import { type Approval, publicName } from './review.ts';

export interface ReviewNeighbours {
  /** Those of the products that publishable keys can see. */
  active(call: AskingCall, products: readonly string[]): Promise<ReadonlySet<string>>;
  /** Null: a product that publishable keys can see has this variant. Otherwise what is missing. */
  missing(call: AskingCall, product: string, variant: string | null): Promise<Refusal | null>;
  /** What a customer is called where others read it. */
  nameOf(call: AskingCall, customer: string): Promise<string | Refusal>;
  purchase(call: AskingCall, customer: string, product: string, order: string | null): Promise<FindPurchaseResponse>;
  approval(call: AskingCall): Promise<Approval>;
}

export const openNeighbours = ({ ask, askOrThrow }: DomainClient): ReviewNeighbours => {
  const active: ReviewNeighbours['active'] = async (call, products) => {
    const found = await askOrThrow('CatalogDirectory/ActiveProducts', call, { product_ids: products });
    return new Set(found.product_ids);
  };
  return {
    active,
    missing: async (call, product, variant) => {
      if (!(await active(call, [product])).has(product)) return notFound('product', 'product_id');
      if (variant === null) return null;
      const { variants } = await askOrThrow('CatalogDirectory/VariantsByIds', call, { variant_ids: [variant] });
      return variants[0]?.product_id === product ? null : notFound('variant', 'variant_id');
    },
    nameOf: async (call, customer) => {
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
