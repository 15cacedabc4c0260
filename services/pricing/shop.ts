// What pricing needs to know of a store: its currency and whether its prices include tax.
import type { Foundation } from '#runtime/door/foundation.ts';
import { openStoreProfiles, type StoreProfiles } from '#runtime/door/store_profile.ts';
import { type Currency, currencyOf } from '#values/currency.ts';

export interface PricingStore {
  readonly currency: Currency;
  readonly taxInclusive: boolean;
}

export type PricingStores = StoreProfiles<PricingStore>;

export const openShops = (foundation: Pick<Foundation, 'ask' | 'clock'>): PricingStores =>
  openStoreProfiles(foundation, ({ currency, tax_inclusive }) => ({
    currency: currencyOf(currency),
    taxInclusive: tax_inclusive,
  }));
