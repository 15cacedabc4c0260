// Client of the other domains that wholesale calls: store, customers, variants, taxes and orders.
import type { VariantSummary } from '#proto/gen/catalog_directory.ts';
import type { Customer } from '#proto/gen/customer.ts';
import type { PlaceAgreedOrderRequest, ShipAgreedOrderRequest } from '#proto/gen/order_directory.ts';
import type { TaxLinesRequest, TaxLinesResponse } from '#proto/gen/pricing_directory.ts';
import type { LocationAddress } from '#proto/gen/shipping_config.ts';
import type { StoreProfile } from '#proto/gen/store.ts';
import type { GetProfileResponse } from '#proto/gen/store_directory.ts';
import { type Call, Refusal } from '#runtime/call/call.ts';
import type { DomainClient } from '#runtime/domain/domain_client.ts';

export interface WholesaleClients {
  profile(call: Call): Promise<GetProfileResponse>;
  store(call: Call): Promise<StoreProfile>;
  sender(call: Call): Promise<LocationAddress | null>;
  customer(call: Call, id: string): Promise<Customer | Refusal>;
  variants(call: Call, ids: readonly string[]): Promise<ReadonlyMap<string, VariantSummary>>;
  taxes(call: Call, wanted: TaxLinesRequest): Promise<TaxLinesResponse>;
  /**
   * Places the order and confirms its purchase order, or ships it and fulfils the purchase order, in one transaction.
   * Returns null on success.
   */
  placeOrder(call: Call, wanted: PlaceAgreedOrderRequest): Promise<Refusal | null>;
  shipOrder(call: Call, wanted: ShipAgreedOrderRequest): Promise<Refusal | null>;
  settleOrder(call: Pick<Call, 'tenant'>, order: string): Promise<void>;
}

export const wholesaleClients = ({ ask, askOrThrow, askDetached }: DomainClient): WholesaleClients => ({
  profile: (call) => askOrThrow('StoreDirectory/GetProfile', call, { store: call.tenant.store }),
  store: async (call) => (await askOrThrow('Store/GetStore', call, {})).store,
  sender: async (call) => (await askOrThrow('ShippingDirectory/GetSender', call, {})).address,
  customer: async (call, id) => {
    const found = await ask('CustomerDirectory/FindCustomer', call, { customer_id: id });
    return found instanceof Refusal ? found : found.customer;
  },
  variants: async (call, ids) => {
    const { variants } = await askOrThrow('CatalogDirectory/VariantsByIds', call, { variant_ids: ids });
    return new Map(variants.map((variant) => [variant.variant_id, variant]));
  },
  taxes: (call, wanted) => askOrThrow('PricingDirectory/TaxLines', call, wanted),
  placeOrder: async (call, wanted) => {
    const placed = await ask('AgreedOrder/PlaceAgreedOrder', call, wanted);
    return placed instanceof Refusal ? placed : null;
  },
  shipOrder: async (call, wanted) => {
    const shipped = await ask('AgreedOrder/ShipAgreedOrder', call, wanted);
    return shipped instanceof Refusal ? shipped : null;
  },
  settleOrder: (call, order) => askDetached('OrderDirectory/SettleOrder', call, { order_id: order }),
});
