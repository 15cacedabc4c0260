// The exchange rate at which something was priced, and delivery beside those prices: it is configured in the store's
// currency. Pure.
import type { PinnedRate, PriceBasketResponse } from '#proto/gen/pricing_directory.ts';
import { refuse } from '#runtime/call/call.ts';
import { type Currency, currencyOf } from '#values/currency.ts';
import { type Conversion, convert, convertBack, rateOf } from '#values/exchange.ts';
import { AMOUNT_MAX, fromMajor, toMajor } from '#values/money.ts';

export const RATE_CHANGED = refuse('conflict', 'The exchange rate changed meanwhile. Send this request again.', {
  retryAfterS: 1,
});

export const exchangeFrom = ({ base_currency, rate }: PinnedRate, to: Currency): Conversion => ({
  from: currencyOf(base_currency),
  to,
  rate: rateOf(rate),
  ending: null,
});

/** Returns null for prices in the store's own currency. */
export const pinnedExchange = ({
  exchange,
  currency,
}: Pick<PriceBasketResponse, 'exchange' | 'currency'>): Conversion | null =>
  exchange ? exchangeFrom(exchange, currencyOf(currency)) : null;

/** Converts a fee of the store's currency, both in major units. */
export const feeIn = (fee: number, exchange: Conversion | null): number =>
  exchange === null ? fee : toMajor(convert(fromMajor(fee, exchange.from), exchange) ?? AMOUNT_MAX, exchange.to);

/**
 * Returns what goods are worth after discounts, before tax and delivery, in major units of the store's currency: delivery
 * conditions compare it.
 */
export const goodsWorth = (
  priced: Pick<PriceBasketResponse, 'subtotal' | 'discount_total' | 'currency' | 'exchange'>,
) => {
  const currency = currencyOf(priced.currency);
  const minor = fromMajor(priced.subtotal, currency) - fromMajor(priced.discount_total, currency);
  const exchange = pinnedExchange(priced);
  return exchange ? toMajor(convertBack(minor, exchange) ?? AMOUNT_MAX, exchange.from) : toMajor(minor, currency);
};
