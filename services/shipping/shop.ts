// What shipping needs to know of a store: its currency and its country.
import type { Runtime } from '#runtime/domain/runtime.ts';
import { openStoreProfiles, type StoreProfiles } from '#services/commerce/store_profile.ts';
import { type Currency, currencyOf } from '#values/currency.ts';

export interface ShippingStore {
  readonly currency: Currency;
  readonly country: string | null;
}

export type ShippingStores = StoreProfiles<ShippingStore>;

export const openShops = (runtime: Pick<Runtime, 'ask' | 'clock'>): ShippingStores =>
  openStoreProfiles(runtime, ({ currency, country }) => ({ currency: currencyOf(currency), country }));
