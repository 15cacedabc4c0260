// Checks the body of POST /v1/payments/initialize for the fields that its provider requires. Pure.
import type { InitializePaymentRequest } from '#proto/gen/payment.ts';
import { invalid, Refusal } from '#runtime/call/call.ts';
import { badAmount, unknownCurrency } from '#services/commerce/shared_refusal.ts';
import { type Currency, currencyOf, parseCurrency } from '#values/currency.ts';
import { toMinor } from '#values/money.ts';
import { shillings } from './provider/mobile_money.ts';

export interface RequestedAmount {
  readonly currency: Currency;
  readonly amount: number;
}

const PHONE = /^254\d{9}$/;
const SHILLING = 'KES';

const missing = (param: string, provider: string): Refusal =>
  invalid(param, `\`${param}\` is required for ${provider}.`);

const currencyFor = (input: InitializePaymentRequest, due: Currency): Currency | Refusal => {
  const { provider, currency: named } = input;
  // Mobile money is always in KES; a `currency` in the body is ignored.
  if (provider === 'mobile_money') return currencyOf(SHILLING);
  if (named === undefined || named === null) return provider === 'bank_africa' ? missing('currency', provider) : due;
  return parseCurrency(named) ?? unknownCurrency(named);
};

/** `due` is the currency of the order, or of the store where none is named. */
export const readAmount = (input: InitializePaymentRequest, due: Currency): RequestedAmount | Refusal => {
  const { provider, email, phone } = input;
  const currency = currencyFor(input, due);
  if (currency instanceof Refusal) return currency;
  const amount = toMinor(input.amount, currency);
  if (amount === null) return badAmount('amount', input.amount, currency);
  if (amount <= 0) return invalid('amount', '`amount` must be above 0.');
  if ((provider === 'card_checkout' || provider === 'bank_africa') && !email) return missing('email', provider);
  if (provider === 'mobile_money') {
    if (!phone) return missing('phone', provider);
    if (!PHONE.test(phone)) return invalid('phone', '`phone` must be 254 followed by nine digits.');
    if (shillings(amount) === null)
      return invalid('amount', `Mobile money takes whole shillings, not ${input.amount}.`);
  }
  return { currency, amount };
};

/** Refuses a currency that the provider does not take; `currencies` is empty for a provider that takes all. */
export const currencyObstacle = (
  provider: string,
  currencies: readonly string[],
  { code }: Currency,
  param: 'currency' | 'provider',
): Refusal | null =>
  currencies.length === 0 || currencies.includes(code)
    ? null
    : invalid(param, `\`${provider}\` takes no payments in ${code}. It takes ${currencies.join(', ')}.`);

export const refuseShilling = (provider: string, ...currencies: readonly string[]): Refusal | null =>
  provider === 'mobile_money' && currencies.some((code) => code !== SHILLING)
    ? invalid(
        'provider',
        `Mobile money takes only stores and orders in KES, not in ${currencies.find((code) => code !== SHILLING)}.`,
      )
    : null;
