// Reads what shoppers saw of prices: the history of a product, and the lowest price before the current reduction.
import type { Tenant } from '#runtime/call/call.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { LowestPrices } from './memory/answer.ts';
import type { ProductEntry } from './memory/entry.ts';
import type { ShownPrices } from './memory/shown_price.ts';
import { lowestBeforeReduction, type PricePeriod, type ShownPeriod, timelineOf } from './price_timeline.ts';
import type { Profiles } from './profile.ts';
import { periodsOfProduct, periodsOfVariants } from './table/price_period.ts';

/** Periods that are read of a variant for its lowest price; older ones are left out. */
const PERIODS_OF_VARIANT_MAX = 2_000;
/** Periods that are read of a product for its history. */
export const PERIODS_OF_PRODUCT_MAX = 50_000;

export interface ShownPriceOf extends ShownPeriod {
  readonly variantId: string;
  readonly currency: string;
}

export interface PriceHistory {
  /** Returns what shoppers saw, the newest first; null if the product has too many periods. */
  readonly historyOf: (tenant: Tenant, product: string, variant: string | null) => Promise<ShownPriceOf[] | null>;
  /** Asks about the variants that are reduced now, in one statement. */
  readonly lowestOf: (tenant: Tenant, entries: readonly ProductEntry[], prices: ShownPrices) => Promise<LowestPrices>;
}

const byVariant = (periods: readonly PricePeriod[]): Map<string, PricePeriod[]> =>
  Map.groupBy(periods, ({ variant_id }) => variant_id);

const newestFirst = (a: ShownPriceOf, b: ShownPriceOf): number =>
  b.fromMs - a.fromMs ||
  (a.variantId < b.variantId ? -1 : Number(a.variantId > b.variantId)) ||
  (a.currency < b.currency ? -1 : Number(a.currency > b.currency));

export const openPriceHistory = (
  { postgres, clock }: Pick<Runtime, 'postgres' | 'clock'>,
  profiles: Profiles,
): PriceHistory => ({
  async historyOf(tenant, product, variant) {
    const now = clock.now(tenant);
    const limit = PERIODS_OF_PRODUCT_MAX + 1;
    const periods = await periodsOfProduct(postgres.sql, tenant, { product, variant }, now, limit);
    if (periods.length === limit) return null;
    const { currencies } = await profiles.get(tenant);
    const fixed = [...currencies.prices].flatMap(([code, prices]) => (prices === 'fixed' ? [code] : []));
    const shown: ShownPriceOf[] = [];
    for (const [variantId, own] of byVariant(periods)) {
      const codes = own.flatMap(({ price_list_id, currency }) => (price_list_id === null ? [currency] : []));
      for (const currency of new Set([...codes, ...fixed]))
        for (const period of timelineOf(own, currency, now.getTime())) shown.push({ ...period, variantId, currency });
    }
    return shown.sort(newestFirst);
  },

  async lowestOf(tenant, entries, { converted }) {
    const reduced = entries.flatMap(({ id, variants }) =>
      variants.flatMap(({ id: variant_id, price, selling_price }) =>
        price !== null && selling_price !== null && selling_price < price ? [{ product_id: id, variant_id }] : [],
      ),
    );
    const lowest = new Map<string, number>();
    if (reduced.length === 0 || converted === null) return lowest;
    const { frame } = await profiles.get(tenant);
    const nowMs = clock.now(tenant).getTime();
    const periods = await periodsOfVariants(postgres.sql, tenant, reduced, PERIODS_OF_VARIANT_MAX);
    for (const [variantId, own] of byVariant(periods)) {
      const found = lowestBeforeReduction(timelineOf(own, frame.currency.code, nowMs));
      const shown = found === null ? null : converted(found);
      if (shown !== null) lowest.set(variantId, shown);
    }
    return lowest;
  },
});
