// Renders a priced basket as public and internal responses.
import type { PreviewTaxResponse, PriceLine, PriceStep, QueryPricesResponse } from '#proto/gen/pricing.ts';
import type { PriceBasketResponse } from '#proto/gen/pricing_directory.ts';
import type { AppliedPromotion, RejectedCode } from '#proto/gen/shared.ts';
import type { Currency } from '#values/currency.ts';
import { rateText } from '#values/exchange.ts';
import { toMajor } from '#values/money.ts';
import { WHOLE } from '#values/share.ts';
import { translated } from '#values/translation.ts';
import type { Basket, BasketLine } from './basket.ts';
import type { PricedBasket } from './basket_pricer.ts';
import { bounded } from './price.ts';
import type { TaxedAmount } from './tax.ts';

const toMajorOrNull = (minor: number | null, currency: Currency): number | null =>
  minor === null ? null : toMajor(minor, currency);

const priceSteps = ({ price }: BasketLine, currency: Currency): PriceStep[] => {
  const trace: PriceStep[] = [];
  if (price.base !== null) trace.push({ step: 'base', amount: toMajor(price.base, currency) });
  if (price.sale !== null && (price.base === null || price.sale < price.base)) {
    trace.push({ step: 'sale', amount: toMajor(price.sale, currency) });
  }
  if (price.listId !== null) trace.push({ step: 'price_list', amount: toMajor(price.unit, currency) });
  return trace;
};

const priceLine = (line: BasketLine, currency: Currency): PriceLine => ({
  variant_id: line.variant.id,
  quantity: line.quantity,
  price: toMajorOrNull(line.price.base, currency),
  sale_price: toMajorOrNull(line.price.sale, currency),
  unit_price: toMajor(line.unit, currency),
  subtotal: toMajor(line.subtotal, currency),
  discount: toMajor(line.discount, currency),
  total: toMajor(line.total, currency),
  price_list_id: line.price.listId,
  trace: priceSteps(line, currency),
});

const appliedOf = ({ applied }: Basket, currency: Currency, language: string | undefined): AppliedPromotion[] =>
  applied.map(({ rule, amount }) => ({
    promotion_id: rule.id,
    code: rule.code,
    title: translated(rule, rule.translations, language).name,
    amount: toMajor(amount, currency),
  }));

const rejectedOf = ({ rejected }: Basket): RejectedCode[] => rejected.map(({ code, reason }) => ({ code, reason }));

export const queryPricesResponse = (
  { basket, currency }: PricedBasket,
  language: string | undefined,
): QueryPricesResponse => ({
  currency: currency.code,
  lines: basket.lines.map((line) => priceLine(line, currency)),
  subtotal: toMajor(basket.subtotal, currency),
  discount_total: toMajor(basket.discount, currency),
  total: toMajor(basket.total, currency),
  applied_promotions: appliedOf(basket, currency, language),
  rejected_codes: rejectedOf(basket),
});

const NO_TAX: TaxedAmount = { taxable: 0, tax: 0, rates: [] };

const totalOf = (lines: readonly BasketLine[], part: 'taxable' | 'tax'): number => {
  let sum = 0;
  for (const { taxed } of lines) sum = bounded(sum + (taxed ?? NO_TAX)[part]);
  return sum;
};

export const previewTaxResponse = ({ basket, currency, taxInclusive }: PricedBasket): PreviewTaxResponse => ({
  currency: currency.code,
  tax_inclusive: taxInclusive,
  taxable_amount: toMajor(totalOf(basket.lines, 'taxable'), currency),
  tax_amount: toMajor(totalOf(basket.lines, 'tax'), currency),
  shipping_tax: toMajor(basket.shippingTaxed?.tax ?? 0, currency),
  lines: basket.lines.map(({ variant, taxed }) => {
    const { taxable, tax, rates } = taxed ?? NO_TAX;
    return {
      variant_id: variant.id,
      taxable_amount: toMajor(taxable, currency),
      tax_amount: toMajor(tax, currency),
      rates: rates.map(({ rule, amount }) => ({
        name: rule.name,
        rate: rule.rate / WHOLE,
        amount: toMajor(amount, currency),
      })),
    };
  }),
});

export const priceBasketResponse = (
  { basket, currency, exchange, taxInclusive, expiredCodes, unusableCodes }: PricedBasket,
  language: string | undefined,
): PriceBasketResponse => {
  const shippingTax = basket.shippingTaxed?.tax ?? 0;
  const taxes = bounded(totalOf(basket.lines, 'tax') + shippingTax);
  const shipping = basket.shippingFee ?? 0;
  return {
    currency: currency.code,
    ...(exchange && { exchange: { base_currency: exchange.from.code, rate: rateText(exchange.rate) } }),
    tax_inclusive: taxInclusive,
    lines: basket.lines.map(({ variant, quantity, unit, subtotal, discount, total, taxed, price }) => ({
      variant_id: variant.id,
      quantity,
      unit_price: toMajor(unit, currency),
      subtotal: toMajor(subtotal, currency),
      discount: toMajor(discount, currency),
      tax_amount: toMajor(taxed?.tax ?? 0, currency),
      total: toMajor(bounded(total + (taxInclusive ? 0 : (taxed?.tax ?? 0))), currency),
      price_list_id: price.listId,
    })),
    subtotal: toMajor(basket.subtotal, currency),
    discount_total: toMajor(basket.discount, currency),
    shipping_total: toMajor(shipping, currency),
    shipping_tax: toMajor(shippingTax, currency),
    tax_total: toMajor(taxes, currency),
    total: toMajor(bounded(basket.total + shipping + (taxInclusive ? 0 : taxes)), currency),
    applied_promotions: appliedOf(basket, currency, language),
    rejected_codes: basket.rejected,
    expired_codes: expiredCodes,
    unusable_codes: unusableCodes,
  };
};
