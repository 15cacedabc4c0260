// Compiles a delivery rate to minor units and calculates a basket's fee.
import type { DeliveryRate, EstimateDays, OptionTranslation, RateTranslation } from '#proto/gen/shipping_config.ts';
import type { Currency } from '#values/currency.ts';
import { multiplyRate, toMinor } from '#values/money.ts';
import { type Translations, translated } from '#values/translation.ts';

export interface ShippedBasket {
  /** Null if any weight is unknown, or if no lines were sent. */
  readonly weightGrams: number | null;
  readonly requiresShipping: boolean;
  readonly categories: ReadonlySet<string>;
  /** In minor units. */
  readonly orderTotal: number;
}

export interface CompiledOption {
  readonly id: string;
  readonly name: string;
  readonly translations: Translations<OptionTranslation> | undefined;
  readonly fee: number;
  readonly minimumOrder: number;
  readonly freeThreshold: number | null;
  readonly estimate: string | null;
  readonly estimateDays: EstimateDays | null;
}

export interface CompiledRate {
  readonly fee: number;
  readonly freeThreshold: number | null;
  readonly estimate: string | null;
  readonly translations: Translations<RateTranslation> | undefined;
  readonly estimateDays: EstimateDays | null;
  readonly bands: readonly { readonly upToGrams: number; readonly fee: number }[];
  readonly rules: readonly { readonly category: string; readonly surcharge: number }[];
  readonly options: readonly CompiledOption[];
}

/** Converts an amount to minor units; rounds it if it was configured in a currency with more decimals. */
const minor = (amount: number, currency: Currency): number =>
  toMinor(amount, currency) ?? multiplyRate(10 ** currency.exponent, amount);

const minorOrNull = (amount: number | null, currency: Currency): number | null =>
  amount === null ? null : minor(amount, currency);

export const compileRate = (rate: DeliveryRate, currency: Currency): CompiledRate => ({
  fee: minor(rate.fee, currency),
  freeThreshold: minorOrNull(rate.free_threshold, currency),
  estimate: rate.estimate,
  translations: rate.translations,
  estimateDays: rate.estimate_days ?? null,
  bands: rate.weight_bands.map((band) => ({ upToGrams: band.up_to_grams, fee: minor(band.fee, currency) })),
  rules: rate.category_rules.map((rule) => ({
    category: rule.category_id,
    surcharge: minor(rule.surcharge, currency),
  })),
  options: rate.options.map((option) => ({
    id: option.id!,
    name: option.name,
    translations: option.translations,
    fee: minor(option.fee, currency),
    minimumOrder: minor(option.minimum_order ?? 0, currency),
    freeThreshold: minorOrNull(option.free_threshold, currency),
    estimate: option.estimate,
    estimateDays: option.estimate_days ?? null,
  })),
});

/** Returns the rate with its shown texts in a language. */
export const rateIn = (rate: CompiledRate, language: string | undefined): CompiledRate => ({
  ...translated(rate, rate.translations, language),
  options: rate.options.map((option) => translated(option, option.translations, language)),
});

/** Adds up the surcharges of the basket's categories; a category counts once, even if several lines have it. */
const surcharges = ({ rules }: CompiledRate, basket: ShippedBasket): number => {
  if (rules.length === 0) return 0;
  const { categories } = basket;
  let sum = 0;
  for (const rule of rules) if (categories.has(rule.category)) sum += rule.surcharge;
  return sum;
};

/** Returns the fee of the weight's band. The base fee applies above the last band and to an unknown weight. */
const weightFee = ({ bands, fee }: CompiledRate, { weightGrams }: ShippedBasket): number => {
  if (weightGrams === null) return fee;
  for (const band of bands) if (weightGrams <= band.upToGrams) return band.fee;
  return fee;
};

const isFree = (threshold: number | null, { orderTotal, requiresShipping }: ShippedBasket): boolean =>
  !requiresShipping || (threshold !== null && orderTotal >= threshold);

export const priceRate = (rate: CompiledRate, basket: ShippedBasket): number =>
  isFree(rate.freeThreshold, basket) ? 0 : weightFee(rate, basket) + surcharges(rate, basket);

export const priceOption = (rate: CompiledRate, option: CompiledOption, basket: ShippedBasket): number =>
  isFree(option.freeThreshold, basket) ? 0 : option.fee + surcharges(rate, basket);
