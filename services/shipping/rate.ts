// One delivery rate in the smallest unit of the store's currency, and what it costs for a basket.
import type { DeliveryRate } from '#proto/gen/shipping_config.ts';
import type { Currency } from '#values/currency.ts';
import { multiplyRate, toMinor } from '#values/money.ts';

/** What the rules look at in a basket. */
export interface ShippedBasket {
  /** Of all lines together; null where a line's weight is not known, or no lines were sent. */
  readonly weightGrams: number | null;
  /** Whether anything of it is sent; delivery costs nothing otherwise. */
  readonly isSent: boolean;
  /** Categories and subcategories of the lines that are sent; gathered when it is asked for. */
  readonly categories: ReadonlySet<string>;
  /** Smallest unit. */
  readonly orderTotal: number;
}

export interface CompiledOption {
  readonly id: string;
  readonly name: string;
  readonly fee: number;
  readonly minimumOrder: number;
  readonly freeThreshold: number | null;
  readonly estimate: string | null;
}

export interface CompiledRate {
  readonly fee: number;
  readonly freeThreshold: number | null;
  readonly estimate: string | null;
  /** Lightest first. */
  readonly bands: readonly { readonly upToGrams: number; readonly fee: number }[];
  readonly rules: readonly { readonly category: string; readonly surcharge: number }[];
  readonly options: readonly CompiledOption[];
}

/** An amount of a configuration that may have been written in a currency of more decimals. */
const minor = (amount: number, currency: Currency): number =>
  toMinor(amount, currency) ?? multiplyRate(10 ** currency.exponent, amount);

const minorOrNull = (amount: number | null, currency: Currency): number | null =>
  amount === null ? null : minor(amount, currency);

export const compileRate = (rate: DeliveryRate, currency: Currency): CompiledRate => ({
  fee: minor(rate.fee, currency),
  freeThreshold: minorOrNull(rate.free_threshold, currency),
  estimate: rate.estimate,
  bands: rate.weight_bands.map((band) => ({ upToGrams: band.up_to_grams, fee: minor(band.fee, currency) })),
  rules: rate.category_rules.map((rule) => ({
    category: rule.category_id,
    surcharge: minor(rule.surcharge, currency),
  })),
  options: rate.options.map((option) => ({
    id: option.id!,
    name: option.name,
    fee: minor(option.fee, currency),
    minimumOrder: minor(option.minimum_order ?? 0, currency),
    freeThreshold: minorOrNull(option.free_threshold, currency),
    estimate: option.estimate,
  })),
});

/** What a rate's surcharges come to: each category's once, however many lines are in it. */
const surcharges = ({ rules }: CompiledRate, basket: ShippedBasket): number => {
  if (rules.length === 0) return 0;
  const { categories } = basket;
  let sum = 0;
  for (const rule of rules) if (categories.has(rule.category)) sum += rule.surcharge;
  return sum;
};

/** The first band that holds the basket's weight; the plain fee beyond the last one and for what was not weighed. */
const weighed = ({ bands, fee }: CompiledRate, { weightGrams }: ShippedBasket): number => {
  if (weightGrams === null) return fee;
  for (const band of bands) if (weightGrams <= band.upToGrams) return band.fee;
  return fee;
};

const isFree = (threshold: number | null, { orderTotal, isSent }: ShippedBasket): boolean =>
  !isSent || (threshold !== null && orderTotal >= threshold);

/** "A matched rate is free when order_total reaches its free-delivery threshold": its surcharges too. */
export const priceRate = (rate: CompiledRate, basket: ShippedBasket): number =>
  isFree(rate.freeThreshold, basket) ? 0 : weighed(rate, basket) + surcharges(rate, basket);

export const priceOption = (rate: CompiledRate, option: CompiledOption, basket: ShippedBasket): number =>
  isFree(option.freeThreshold, basket) ? 0 : option.fee + surcharges(rate, basket);
