// Formats amounts with grouped digits and the decimals of their currency.
import { currencyOf } from '#values/currency.ts';

export const amountText = (amount: number, code: string): string => {
  const decimals = currencyOf(code).exponent;
  return amount.toLocaleString('en', { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
};

export const money = (amount: number, code: string): string => `${amountText(amount, code)} ${code}`;
