// An order's amounts in the store's currency, where the order is in another one: derived once, from the whole, so that
// lines and totals add up in both. Pure; amounts are in minor units.

import type { StoreAmounts } from '#proto/gen/order.ts';
import type { OrderBooks } from '#services/ledger/index.ts';
import { currencyOf } from '#values/currency.ts';
import { type Conversion, convertBack, inProportion, rateText } from '#values/exchange.ts';
import { AMOUNT_MAX, allocate, sum, toMajor } from '#values/money.ts';

export interface BookedLine {
  readonly subtotal: number;
  readonly discount: number;
  readonly tax_amount: number;
  readonly total: number;
}

export interface BookedOrder extends OrderBooks {
  readonly subtotal: number;
  readonly discount_total: number;
  readonly shipping_total: number;
  readonly shipping_tax: number;
  readonly tax_total: number;
  /** In the order of the order's lines. */
  readonly lines: readonly BookedLine[];
}

interface OrderAmounts {
  readonly subtotal: number;
  readonly discount_total: number;
  readonly shipping_total: number;
  readonly shipping_tax: number;
  readonly tax_total: number;
  readonly total_amount: number;
  readonly lines: readonly BookedLine[];
}

const share = (whole: number, part: number, of: number): number => (of === 0 ? 0 : inProportion(whole, part, of));

export const bookOrder = (order: OrderAmounts, exchange: Conversion): BookedOrder => {
  const total = convertBack(order.total_amount, exchange) ?? AMOUNT_MAX;
  // Prices include their tax if the tax does not add to the total.
  const inclusive = order.total_amount === order.subtotal - order.discount_total + order.shipping_total;
  const delivery = order.total_amount - sum(order.lines.map((line) => line.total));
  const parts = allocate(total, [...order.lines.map((line) => line.total), delivery]);
  const lines = order.lines.map((line, at): BookedLine => {
    const own = parts[at]!;
    const tax = share(own, line.tax_amount, line.total);
    const discount = convertBack(line.discount, exchange) ?? AMOUNT_MAX;
    return { subtotal: own - (inclusive ? 0 : tax) + discount, discount, tax_amount: tax, total: own };
  });
  const delivered = parts.at(-1)!;
  const shippingTax = share(delivered, order.shipping_tax, delivery);
  return {
    currency: exchange.from.code,
    rate: rateText(exchange.rate),
    total,
    order_total: order.total_amount,
    subtotal: sum(lines.map(({ subtotal }) => subtotal)),
    discount_total: sum(lines.map(({ discount }) => discount)),
    shipping_total: delivered - (inclusive ? 0 : shippingTax),
    shipping_tax: shippingTax,
    tax_total: sum(lines.map(({ tax_amount }) => tax_amount)) + shippingTax,
    lines,
  };
};

/** Returns what the refunds of a paid order were worth, as the ledger posted them. */
const refundedWorth = ({ total, order_total }: OrderBooks, refunded: number, released: number): number => {
  const received = order_total - released;
  return share(total, received, order_total) - share(total, Math.max(0, received - refunded), order_total);
};

export const storeAmounts = (books: BookedOrder, refunded: number, released: number): StoreAmounts => {
  const currency = currencyOf(books.currency);
  const major = (amount: number): number => toMajor(amount, currency);
  return {
    currency: books.currency,
    exchange_rate: Number(books.rate),
    subtotal: major(books.subtotal),
    discount_total: major(books.discount_total),
    shipping_total: major(books.shipping_total),
    shipping_tax: major(books.shipping_tax),
    tax_total: major(books.tax_total),
    total_amount: major(books.total),
    amount_refunded: major(refundedWorth(books, refunded, released)),
  };
};
