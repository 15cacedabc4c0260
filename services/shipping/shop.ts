// What shipping needs to know of a store: its currency and its country.
import type { Foundation } from '#runtime/door/foundation.ts';
import { openStoreProfiles, type StoreProfiles } from '#runtime/door/store_profile.ts';
import { type Currency, currencyOf } from '#values/currency.ts';

export interface Shop {
  readonly currency: Currency;
  readonly country: string | null;
}

export type Shops = StoreProfiles<Shop>;

export const openShops = (foundation: Pick<Foundation, 'ask' | 'clock'>): Shops =>
  openStoreProfiles(foundation, ({ currency, country }) => ({ currency: currencyOf(currency), country }));
