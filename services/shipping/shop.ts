// What shipping needs to know of a store: its currency and its country.
import type { Foundation } from '#runtime/door/foundation.ts';
import { openStoreProfiles, type StoreProfiles } from '#runtime/door/store_profile.ts';
import { type Currency, currencyOf } from '#values/currency.ts';

export interface ShippingStore {
  readonly currency: Currency;
  readonly country: string | null;
}

export type ShippingStores = StoreProfiles<ShippingStore>;

export const openShops = (foundation: Pick<Foundation, 'ask' | 'clock'>): ShippingStores =>
  openStoreProfiles(foundation, ({ currency, country }) => ({ currency: currencyOf(currency), country }));
