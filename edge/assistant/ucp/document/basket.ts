// What carts, checkouts and orders have in common in UCP: lines, totals, discounts, buyers, addresses, links.
import type { AgentBuyer, CheckoutIntent } from '#proto/gen/agent.ts';
import type { Address, AppliedPromotion } from '#proto/gen/shared.ts';
import { type Currency, currencyOf } from '#values/currency.ts';
import { fromMajor } from '#values/money.ts';
import type { Setting } from './envelope.ts';
import type { Buyer, Discounts, LineItem, Link, PostalAddress, Total } from './schema.ts';

/** Minor units of the currency's amounts. */
export const minorOf = (code: string): ((major: number) => number) => {
  const currency: Currency = currencyOf(code);
  return (major) => fromMajor(major, currency);
};

/** Only what there is. */
export const present = <T extends object>(fields: { readonly [K in keyof T]: T[K] | null | undefined | '' }): T =>
  Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== null && value !== undefined && value !== ''),
  ) as T;

export interface Line {
  readonly id: string;
  readonly variant_id: string;
  readonly name: string;
  readonly variant_name: string | null;
  readonly thumbnail_url: string | null;
  readonly quantity: number;
  readonly unit_price: number;
  readonly subtotal: number;
  readonly discount: number;
  /** With tax where that is known and not in the prices. */
  readonly total: number;
  readonly tax_amount: number;
}

/** What is taken off is negative; tax that prices contain adds nothing. */
export const lineTotals = (
  { subtotal, discount, tax_amount, total }: Pick<Line, 'subtotal' | 'discount' | 'tax_amount' | 'total'>,
  minor: (major: number) => number,
  taxInclusive: boolean,
): Total[] => [
  { type: 'subtotal', amount: minor(subtotal) },
  ...(discount > 0 ? [{ type: 'items_discount', amount: -minor(discount) }] : []),
  ...(tax_amount > 0 && !taxInclusive ? [{ type: 'tax', amount: minor(tax_amount) }] : []),
  { type: 'total', amount: minor(total) },
];

export const titleOf = ({ name, variant_name }: Pick<Line, 'name' | 'variant_name'>): string =>
  variant_name ? `${name} – ${variant_name}` : name;

export const lineItemOf = (line: Line, minor: (major: number) => number, taxInclusive: boolean): LineItem => ({
  id: line.id,
  item: {
    id: line.variant_id,
    title: titleOf(line),
    price: minor(line.unit_price),
    ...(line.thumbnail_url && { image_url: line.thumbnail_url }),
  },
  quantity: line.quantity,
  totals: lineTotals(line, minor, taxInclusive),
});

type Sums = Pick<CheckoutIntent, 'subtotal' | 'discount_total' | 'shipping_total' | 'tax_total' | 'grand_total'>;

export const totalsOf = (
  { subtotal, discount_total, shipping_total, tax_total, grand_total }: Sums,
  minor: (major: number) => number,
  { delivered, taxInclusive }: { readonly delivered: boolean; readonly taxInclusive: boolean },
): Total[] => [
  { type: 'subtotal', display_text: 'Subtotal', amount: minor(subtotal) },
  ...(discount_total > 0 ? [{ type: 'items_discount', display_text: 'Discount', amount: -minor(discount_total) }] : []),
  ...(delivered ? [{ type: 'fulfillment', display_text: 'Delivery', amount: minor(shipping_total) }] : []),
  ...(tax_total > 0 && !taxInclusive ? [{ type: 'tax', display_text: 'Tax', amount: minor(tax_total) }] : []),
  { type: 'total', display_text: 'Total', amount: minor(grand_total) },
];

export const discountsOf = (
  codes: readonly string[],
  applied: readonly AppliedPromotion[],
  minor: (major: number) => number,
): Discounts => ({
  codes: [...codes],
  applied: applied.map(({ code, title, amount }) => ({
    ...(code && { code }),
    title,
    amount: minor(amount),
    automatic: code === null,
  })),
});

export const buyerOf = (email: string | null, buyer: AgentBuyer | null): Buyer =>
  present<Buyer>({
    first_name: buyer?.first_name,
    last_name: buyer?.last_name,
    email,
    phone_number: buyer?.phone,
  });

export const postalAddressOf = (address: Omit<Address, 'latitude' | 'longitude' | 'company'>): PostalAddress =>
  present<PostalAddress>({
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

const LINKS = {
  terms: ['terms_of_service', 'Terms of service'],
  privacy: ['privacy_policy', 'Privacy policy'],
  refund: ['refund_policy', 'Refund policy'],
  shipping: ['shipping_policy', 'Shipping policy'],
  returns: ['return_policy', 'Return policy'],
} as const;

/** To pages of the store's published policies. */
export const linksOf = ({ shop, base }: Pick<Setting, 'shop' | 'base'>): Link[] =>
  shop.policies.map(({ type }) => {
    const [name, title] = LINKS[type];
    return { type: name, url: `${base}/policies/${type}`, title };
  });

export const checkoutUrl = (base: string, id: string): string => `${base}/checkout/${id}`;
export const orderUrl = (base: string, id: string): string => `${base}/orders/${id}`;
