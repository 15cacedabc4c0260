// What wholesale asks of other domains: the store, its customers and variants, taxes.
import type { VariantSummary } from '#proto/gen/catalog.ts';
import type { Customer } from '#proto/gen/customer.ts';
import type { TaxLinesRequest, TaxLinesResponse } from '#proto/gen/pricing.ts';
import type { GetProfileResponse } from '#proto/gen/store.ts';
import { type Call, Refusal } from '#runtime/call.ts';
import type { Inquiry } from '#runtime/inquiry.ts';

export interface Neighbours {
  shop(call: Call): Promise<GetProfileResponse>;
  customer(call: Call, id: string): Promise<Customer | Refusal>;
  /** By id; unknown ones are left out. */
  variants(call: Call, ids: readonly string[]): Promise<ReadonlyMap<string, VariantSummary>>;
  taxes(call: Call, wanted: TaxLinesRequest): Promise<TaxLinesResponse>;
}

export const openNeighbours = ({ ask, must }: Inquiry): Neighbours => ({
  shop: (call) => must('StoreDirectory/GetProfile', call, { store: call.tenant.store }),
  customer: async (call, id) => {
    const found = await ask('CustomerDirectory/FindCustomer', call, { customer_id: id });
    return found instanceof Refusal ? found : found.customer;
  },
  variants: async (call, ids) => {
    const { variants } = await must('CatalogDirectory/VariantsByIds', call, { variant_ids: ids });
    return new Map(variants.map((variant) => [variant.variant_id, variant]));
  },
  taxes: (call, wanted) => must('PricingDirectory/TaxLines', call, wanted),
});
