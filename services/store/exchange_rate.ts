// Exchange rates: the stored record, the API document, and which rates are refused.
import type { PutExchangeRateRequest, StoreExchangeRate } from '#proto/gen/exchange_rate.ts';
import { invalid, Refusal } from '#runtime/call/call.ts';
import { unknownCurrency } from '#services/commerce/shared_refusal.ts';
import { type Currency, parseCurrency } from '#values/currency.ts';
import { parseEnding, parseRate, RATE_DECIMALS } from '#values/exchange.ts';

export interface ExchangeRateRecord {
  readonly currency: string;
  /** The store's currency when the rate was set. */
  readonly base_currency: string;
  /** Major units of `currency` for one of `base_currency`. */
  readonly rate: number;
  /** Ending of prices in major units; null rounds to the smallest unit. */
  readonly round_to: string | null;
  readonly max_age_hours: number;
  readonly updated_at: Date;
}

const HOUR_MS = 3_600_000;
const MAX_AGE_HOURS_DEFAULT = 24;

export const exchangeRateDocument = ({
  currency,
  base_currency,
  rate,
  round_to,
  max_age_hours,
  updated_at,
}: ExchangeRateRecord): StoreExchangeRate => ({
  currency,
  base_currency,
  rate,
  rounding: round_to === null ? null : { to: round_to },
  max_age_hours,
  updated_at: updated_at.toISOString(),
  expires_at: new Date(updated_at.getTime() + max_age_hours * HOUR_MS).toISOString(),
});

const parseTarget = (code: string, base: string): Currency | Refusal => {
  const currency = parseCurrency(code);
  if (currency === null) return unknownCurrency(code);
  return currency.code === base
    ? invalid('currency', `${base} is the store's own currency, which needs no rate. Name another currency.`)
    : currency;
};

export const parseExchangeRate = (
  { currency: code, rate, rounding, max_age_hours = MAX_AGE_HOURS_DEFAULT }: PutExchangeRateRequest,
  base: string,
  now: Date,
): ExchangeRateRecord | Refusal => {
  const currency = parseTarget(code, base);
  if (currency instanceof Refusal) return currency;
  if (parseRate(rate) === null)
    return invalid(
      'rate',
      `\`rate\` is ${rate}: a rate is above 0, below 1,000,000,000 and has at most ${RATE_DECIMALS} decimals.`,
    );
  const round_to = rounding?.to ?? null;
  if (round_to !== null && parseEnding(round_to, currency) === null)
    return invalid(
      'rounding.to',
      `Prices in ${currency.code} cannot end in ${round_to}. Send decimals below 1 that ${currency.code} has, such as 0.99, or a whole number from 1 to 10000.`,
    );
  return { currency: currency.code, base_currency: base, rate, round_to, max_age_hours, updated_at: now };
};
