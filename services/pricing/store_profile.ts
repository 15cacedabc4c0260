// Reads what pricing needs of a store: its currency and whether prices include tax.
import type { Runtime } from '#runtime/domain/runtime.ts';
import { openStoreProfiles, type StoreProfiles } from '#services/commerce/store_profile.ts';
import { type Currency, currencyOf } from '#values/currency.ts';

export interface PricingStore {
  readonly currency: Currency;
  readonly taxInclusive: boolean;
}

export type PricingStores = StoreProfiles<PricingStore>;

export const openPricingStores = (runtime: Pick<Runtime, 'ask' | 'clock'>): PricingStores =>
  openStoreProfiles(runtime, ({ currency, tax_inclusive }) => ({
    currency: currencyOf(currency),
    taxInclusive: tax_inclusive,
  }));
