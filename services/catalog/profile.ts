// What the catalogue needs to know of a store: its currency, its low-stock threshold and its time zone.
import type { Runtime } from '#runtime/domain/runtime.ts';
import { openStoreProfiles, type StoreProfiles } from '#services/commerce/store_profile.ts';
import { currencyOf } from '#values/currency.ts';
import { frameOf, type ProductFrame } from './product_text.ts';

export interface Profile {
  readonly frame: ProductFrame;
  readonly lowStockThreshold: number;
  /** IANA name. */
  readonly timezone: string;
}

export type Profiles = StoreProfiles<Profile>;

export const openProfiles = (runtime: Pick<Runtime, 'ask' | 'clock'>): Profiles =>
  openStoreProfiles(runtime, ({ currency, currency_symbol, low_stock_threshold, timezone }, before) => {
    const frame = frameOf(currencyOf(currency), currency_symbol);
    // The same object as long as it says the same: a comparison sees that nothing changed.
    const same = before?.frame.text === frame.text ? before.frame : frame;
    return { frame: same, lowStockThreshold: low_stock_threshold, timezone };
  });
