// Store settings that the catalogue needs: currency, low-stock threshold and time zone.
import type { Runtime } from '#runtime/domain/runtime.ts';
import { type StoreCurrencies, storeCurrencies } from '#services/commerce/selling_currency.ts';
import { openStoreProfiles, type StoreProfiles } from '#services/commerce/store_profile.ts';
import { currencyOf } from '#values/currency.ts';
import { frameOf, type ProductFrame } from './product_text.ts';

export interface Profile {
  readonly frame: ProductFrame;
  readonly lowStockThreshold: number;
  readonly timezone: string;
  readonly currencies: StoreCurrencies;
  /** The default one first. */
  readonly languages: readonly string[];
}

export type Profiles = StoreProfiles<Profile>;

export const openProfiles = (runtime: Pick<Runtime, 'ask' | 'clock'>): Profiles =>
  openStoreProfiles(runtime, (profile, before) => {
    const { currency, currency_symbol, low_stock_threshold, timezone } = profile;
    const frame = frameOf(currencyOf(currency), currency_symbol, low_stock_threshold);
    // Reuses the object while its content is unchanged, because catalogues compare it by identity.
    const same =
      before?.frame.text === frame.text && before.frame.lowStockThreshold === low_stock_threshold
        ? before.frame
        : frame;
    return {
      frame: same,
      lowStockThreshold: low_stock_threshold,
      timezone,
      currencies: storeCurrencies(profile),
      // A store's host of the release before knows no languages.
      languages: profile.languages ?? [],
    };
  });
