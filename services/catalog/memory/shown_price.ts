// The prices that a response shows: in the store's currency as stored, or in another one converted or from price lists.
import { type Call, Refusal } from '#runtime/call/call.ts';
import type { Clock } from '#runtime/process/clock.ts';
import { type Figures, frameOf, type ProductFrame } from '#services/catalog/product_text.ts';
import type { Profiles } from '#services/catalog/profile.ts';
import { type SellingCurrency, sellingCurrency } from '#services/commerce/selling_currency.ts';
import { convertPrice } from '#values/exchange.ts';
import type { Catalogue } from './catalogue.ts';
import type { VariantEntry } from './entry.ts';

export interface ShownPrices {
  readonly frame: ProductFrame;
  /** ISO code; null for the store's own currency. */
  readonly currency: string | null;
  /** Whether products have the same order by these prices as by the stored ones. */
  readonly isOrdered: boolean;
  figures(variant: VariantEntry): Figures;
  /** Converts a price of the store's currency; null if the shown prices are set apart from it. */
  readonly converted: ((price: number) => number | null) | null;
}

export const storedPrices = ({ frame }: Catalogue): ShownPrices => ({
  frame,
  currency: null,
  isOrdered: true,
  figures: (variant) => variant,
  converted: (price) => price,
});

/** Returns the price of one unit for all customers in the price lists of the currency; null without one. */
const fixedPrice = (catalogue: Catalogue, variant: VariantEntry, currency: string, nowMs: number): number | null => {
  let lowest: number | null = null;
  for (const { list, min_quantity, price } of catalogue.listPricesOf(variant.id)) {
    if (list.currency !== currency || list.group !== null || min_quantity > 1) continue;
    if ((list.startsAt ?? 0) > nowMs || (list.endsAt ?? Number.POSITIVE_INFINITY) <= nowMs) continue;
    if (lowest === null || price < lowest) lowest = price;
  }
  return lowest;
};

const otherPrices = (
  catalogue: Catalogue,
  { currency, prices, exchange }: SellingCurrency,
  nowMs: number,
): ShownPrices => {
  const converted = (price: number | null): number | null => (price === null ? null : convertPrice(price, exchange));
  const pricesOf = (variant: VariantEntry): Pick<Figures, 'price' | 'sale_price' | 'selling_price'> => {
    if (prices === 'rate')
      return {
        price: converted(variant.price),
        sale_price: converted(variant.sale_price),
        selling_price: converted(variant.selling_price),
      };
    const price = fixedPrice(catalogue, variant, currency.code, nowMs);
    return { price, sale_price: null, selling_price: price };
  };
  return {
    frame: frameOf(currency, currency.symbol, catalogue.frame.lowStockThreshold),
    currency: currency.code,
    isOrdered: prices === 'rate',
    converted: prices === 'rate' ? converted : null,
    figures: (variant) => ({ ...pricesOf(variant), stock: variant.stock, last_restocked: variant.last_restocked }),
  };
};

export type ShowPrices = (
  catalogue: Catalogue,
  call: Pick<Call, 'tenant'>,
  currency: string | null | undefined,
) => ShownPrices | Refusal | Promise<ShownPrices | Refusal>;

export const openShownPrices =
  (profiles: Profiles, clock: Pick<Clock, 'now'>): ShowPrices =>
  (catalogue, { tenant }, currency) => {
    if (!currency) return storedPrices(catalogue);
    const show = ({ currencies }: Awaited<ReturnType<Profiles['get']>>): ShownPrices | Refusal => {
      const nowMs = clock.now(tenant).getTime();
      const found = sellingCurrency(currencies, tenant, currency, nowMs);
      if (found instanceof Refusal) return found;
      return found === null ? storedPrices(catalogue) : otherPrices(catalogue, found, nowMs);
    };
    const profile = profiles.get(tenant);
    return profile instanceof Promise ? profile.then(show) : show(profile);
  };
