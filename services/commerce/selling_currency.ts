// Currencies of a store beside its own: which may be used, at which rate, and until when.
import type { GetProfileResponse } from '#proto/gen/store_directory.ts';
import { type Environment, invalid, type Refusal, refuse, type Tenant } from '#runtime/call/call.ts';
import { type Currency, currencyOf, parseCurrency } from '#values/currency.ts';
import { type Conversion, parseEnding, parseRate } from '#values/exchange.ts';
import { unknownCurrency } from './shared_refusal.ts';

const HOUR_MS = 3_600_000;

interface UsableConversion extends Conversion {
  /** In ms of the tenant's clock; exclusive. */
  readonly expiresAtMs: number;
}

export interface SellingCurrency {
  readonly currency: Currency;
  readonly prices: 'rate' | 'fixed';
  readonly exchange: UsableConversion;
}

interface StoreCurrencies {
  readonly own: Currency;
  /** Kinds of prices by currency code. */
  readonly prices: ReadonlyMap<string, 'rate' | 'fixed'>;
  readonly exchanges: Readonly<Record<Environment, ReadonlyMap<string, UsableConversion>>>;
}

export type { StoreCurrencies };

const exchangesOf = (
  { currency: own, exchange_rates }: GetProfileResponse,
  environment: Environment,
): ReadonlyMap<string, UsableConversion> => {
  const exchanges = new Map<string, UsableConversion>();
  for (const stored of exchange_rates) {
    // A rate of the time before the store changed its currency converts from another currency.
    if (stored.environment !== environment || stored.base_currency !== own) continue;
    const to = currencyOf(stored.currency);
    const rate = parseRate(stored.rate);
    if (rate === null) throw new Error(`the stored rate of ${stored.currency} is ${stored.rate}`);
    exchanges.set(stored.currency, {
      from: currencyOf(own),
      to,
      rate,
      ending: stored.round_to === null ? null : parseEnding(stored.round_to, to),
      expiresAtMs: stored.updated_at_ms + stored.max_age_hours * HOUR_MS,
    });
  }
  return exchanges;
};

export const storeCurrencies = (profile: GetProfileResponse): StoreCurrencies => ({
  own: currencyOf(profile.currency),
  prices: new Map(profile.currencies.map(({ currency, prices }) => [currency, prices])),
  exchanges: { production: exchangesOf(profile, 'production'), sandbox: exchangesOf(profile, 'sandbox') },
});

/**
 * Returns the currency that a caller names, with its exchange; null for the store's own. Refuses one that the store does
 * not have (400), and one whose rate is missing or too old (409).
 */
export const sellingCurrency = (
  { own, prices: byCode, exchanges }: StoreCurrencies,
  { environment }: Pick<Tenant, 'environment'>,
  code: string,
  nowMs: number,
): SellingCurrency | Refusal | null => {
  const currency = parseCurrency(code);
  if (currency === null) return unknownCurrency(code);
  if (currency === own) return null;
  const prices = byCode.get(currency.code);
  if (prices === undefined)
    return invalid('currency', `The store has no prices in ${currency.code}. Send one of its \`currencies\`.`);
  const exchange = exchanges[environment].get(currency.code);
  if (exchange === undefined || exchange.expiresAtMs <= nowMs)
    return refuse(
      'currency_not_available',
      exchange === undefined
        ? `The store has no exchange rate for ${currency.code}. Choose another currency.`
        : `The exchange rate for ${currency.code} is too old. Choose another currency.`,
      { param: 'currency' },
    );
  return { currency, prices, exchange };
};
