// Formats amounts, addresses and texts for ACP: minor units, lower-case currencies, no unknown fields.

import type { CheckoutIntent } from '#proto/gen/agent.ts';
import type { Address } from '#proto/gen/shared.ts';
import { minorOf, present, titleOf } from '#services/commerce/ucp_basket.ts';

export { minorOf, present, titleOf };

export interface Total {
  readonly type: string;
  readonly display_text: string;
  readonly amount: number;
}

const total = (type: string, display_text: string, amount: number): Total => ({ type, display_text, amount });

type Sums = Pick<CheckoutIntent, 'subtotal' | 'discount_total' | 'shipping_total' | 'tax_total' | 'grand_total'>;

/**
 * Omits taxes that prices include. Discounts are positive numbers; UCP's are negative (RFC "Discount Extension", 8.2).
 */
export const totalsOf = (
  { subtotal, discount_total, shipping_total, tax_total, grand_total }: Sums,
  minor: (major: number) => number,
  { delivered, taxInclusive }: { readonly delivered: boolean; readonly taxInclusive: boolean },
): Total[] => [
  total('items_base_amount', 'Items', minor(subtotal)),
  ...(discount_total > 0 ? [total('items_discount', 'Discount', minor(discount_total))] : []),
  total('subtotal', 'Subtotal', minor(subtotal) - minor(discount_total)),
  ...(delivered ? [total('fulfillment', 'Delivery', minor(shipping_total))] : []),
  ...(tax_total > 0 && !taxInclusive ? [total('tax', 'Tax', minor(tax_total))] : []),
  total('total', 'Total', minor(grand_total)),
];

interface LineSums {
  readonly subtotal: number;
  readonly discount: number;
  readonly tax_amount: number;
  readonly total: number;
}

export const lineTotals = (line: LineSums, minor: (major: number) => number, taxInclusive: boolean): Total[] =>
  totalsOf(
    {
      subtotal: line.subtotal,
      discount_total: line.discount,
      shipping_total: 0,
      tax_total: line.tax_amount,
      grand_total: line.total,
    },
    minor,
    { delivered: false, taxInclusive },
  );

export const feeTotals = (fee: number): Total[] => [total('total', 'Delivery', fee)];

type Located = Partial<Omit<Address, 'line1' | 'city' | 'country'>> & Pick<Address, 'line1' | 'city' | 'country'>;

export const addressOf = (address: Located, name?: string) => ({
  name: name ?? [address.first_name, address.last_name].filter(Boolean).join(' '),
  line_one: address.line1,
  ...(address.line2 && { line_two: address.line2 }),
  city: address.city,
  state: address.state ?? '',
  country: address.country,
  postal_code: address.postal_code ?? '',
  ...(address.company && { company: address.company }),
});
