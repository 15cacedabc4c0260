// Lines, totals and addresses shared by carts, checkouts and orders of the Universal Commerce Protocol, in minor units.
import { type Currency, currencyOf } from '#values/currency.ts';
import { fromMajor } from '#values/money.ts';

export interface UcpTotal {
  type: string;
  display_text?: string;
  amount: number;
}

export interface UcpAddress {
  street_address?: string;
  extended_address?: string;
  address_locality?: string;
  address_region?: string;
  address_country?: string;
  postal_code?: string;
  first_name?: string;
  last_name?: string;
  phone_number?: string;
}

export const minorOf = (code: string): ((major: number) => number) => {
  const currency: Currency = currencyOf(code);
  return (major) => fromMajor(major, currency);
};

export const present = <T extends object>(fields: { readonly [K in keyof T]: T[K] | null | undefined | '' }): T =>
  Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== null && value !== undefined && value !== ''),
  ) as T;

export interface LineSums {
  readonly subtotal: number;
  readonly discount: number;
  readonly tax_amount: number;
  /** Includes the tax, unless the tax is unknown or the prices contain it. */
  readonly total: number;
}

/** Returns the totals of a line. Discounts are negative; tax that the prices contain is left out. */
export const lineTotals = (
  { subtotal, discount, tax_amount, total }: LineSums,
  minor: (major: number) => number,
  taxInclusive: boolean,
): UcpTotal[] => [
  { type: 'subtotal', amount: minor(subtotal) },
  ...(discount > 0 ? [{ type: 'items_discount', amount: -minor(discount) }] : []),
  ...(tax_amount > 0 && !taxInclusive ? [{ type: 'tax', amount: minor(tax_amount) }] : []),
  { type: 'total', amount: minor(total) },
];

export const titleOf = ({ name, variant_name }: { readonly name: string; readonly variant_name: string | null }) =>
  variant_name ? `${name} – ${variant_name}` : name;

export interface BasketSums {
  readonly subtotal: number;
  readonly discount_total: number;
  readonly shipping_total: number;
  readonly tax_total: number;
  readonly grand_total: number;
}

export const totalsOf = (
  { subtotal, discount_total, shipping_total, tax_total, grand_total }: BasketSums,
  minor: (major: number) => number,
  { delivered, taxInclusive }: { readonly delivered: boolean; readonly taxInclusive: boolean },
): UcpTotal[] => [
  { type: 'subtotal', display_text: 'Subtotal', amount: minor(subtotal) },
  ...(discount_total > 0 ? [{ type: 'items_discount', display_text: 'Discount', amount: -minor(discount_total) }] : []),
  ...(delivered ? [{ type: 'fulfillment', display_text: 'Delivery', amount: minor(shipping_total) }] : []),
  ...(tax_total > 0 && !taxInclusive ? [{ type: 'tax', display_text: 'Tax', amount: minor(tax_total) }] : []),
  { type: 'total', display_text: 'Total', amount: minor(grand_total) },
];

type Text = string | null | undefined;

export interface PlainAddress {
  readonly line1?: Text;
  readonly line2?: Text;
  readonly city?: Text;
  readonly state?: Text;
  readonly country?: Text;
  readonly postal_code?: Text;
  readonly first_name?: Text;
  readonly last_name?: Text;
  readonly phone?: Text;
}

export const postalAddressOf = (address: PlainAddress): UcpAddress =>
  present<UcpAddress>({
    street_address: address.line1,
    extended_address: address.line2,
    address_locality: address.city,
    address_region: address.state,
    address_country: address.country,
    postal_code: address.postal_code,
    first_name: address.first_name,
    last_name: address.last_name,
    phone_number: address.phone,
  });

export const orderUrl = (base: string, id: string): string => `${base}/orders/${id}`;
