// Calculates the tax at a new destination for lines whose prices no longer change. Pure.
import type { TaxLinesRequest, TaxLinesResponse } from '#proto/gen/pricing_directory.ts';
import type { Currency } from '#values/currency.ts';
import { fromMajor, toMajor } from '#values/money.ts';
import { WHOLE } from '#values/share.ts';
import { bounded } from './price.ts';
import type { TaxTable } from './tax.ts';
import type { FoundVariants } from './variant_cache.ts';

/** Calculates the taxes; `taxes` is null while the destination is unknown, and the lines are then untaxed. */
export const taxFrozenLines = (
  { lines, shipping_fee = 0 }: TaxLinesRequest,
  variants: FoundVariants,
  taxes: TaxTable | null,
  currency: Currency,
  inclusive: boolean,
): TaxLinesResponse => {
  const fee = fromMajor(shipping_fee, currency);
  const shippingTax = taxes?.shippingFee(fee).tax ?? 0;
  let lineTotal = 0;
  let tax = 0;
  const taxed = (lines ?? []).map(({ variant_id = '', total = 0 }, at) => {
    const amount = fromMajor(total, currency);
    const variant = variants[at];
    const taken = taxes?.line(amount, variant?.category ?? null, variant?.subcategory ?? null) ?? null;
    const own = taken?.tax ?? 0;
    lineTotal = bounded(lineTotal + amount);
    tax = bounded(tax + own);
    return {
      variant_id,
      tax_amount: toMajor(own, currency),
      total: toMajor(inclusive ? amount : amount + own, currency),
      rates: (taken?.rates ?? []).map(({ rule, amount: part }) => ({
        name: rule.name,
        rate: rule.rate / WHOLE,
        amount: toMajor(part, currency),
      })),
    };
  });
  const taxTotal = bounded(tax + shippingTax);
  return {
    tax_inclusive: inclusive,
    lines: taxed,
    shipping_tax: toMajor(shippingTax, currency),
    tax_total: toMajor(taxTotal, currency),
    total: toMajor(bounded(lineTotal + fee + (inclusive ? 0 : taxTotal)), currency),
  };
};
