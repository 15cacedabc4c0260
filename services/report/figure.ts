// Shows sums as the figures of a report, in major units.
import type { SalesFigures } from '#proto/gen/report.ts';
import type { Currency } from '#values/currency.ts';
import { toMajor } from '#values/money.ts';
import type { SaleSums } from './sale.ts';

const average = (total: number, count: number): number => Math.floor((2 * total + count) / (2 * count));

export const figuresOf = (
  sums: Readonly<SaleSums>,
  currency: Currency,
  returningCustomers: number | null,
): SalesFigures => {
  const { orders, units, gross, discounts, refunds, tax, shipping, total } = sums;
  const major = (amount: number): number => toMajor(amount, currency);
  return {
    orders,
    units,
    gross: major(gross),
    discounts: major(discounts),
    refunds: major(refunds),
    tax: major(tax),
    shipping: major(shipping),
    total: major(total),
    net: major(total - refunds),
    average_order: orders > 0 ? major(average(total, orders)) : null,
    returning_customers: returningCustomers,
  };
};
