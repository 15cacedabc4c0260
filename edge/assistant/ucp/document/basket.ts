// Formats the parts that UCP carts and checkouts share: lines, discounts, buyers and links.
import { type CodedPromotions, codesSent } from '#edge/assistant/discount_code.ts';
import type { AgentBuyer } from '#proto/gen/agent.ts';
import type { AppliedPromotion } from '#proto/gen/shared.ts';
import { lineTotals, present, titleOf } from '#services/commerce/ucp_basket.ts';
import type { Setting } from './envelope.ts';
import type { Buyer, Discounts, LineItem, Link } from './schema.ts';

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
  /** Includes tax, if tax is known and prices do not include it. */
  readonly total: number;
  readonly tax_amount: number;
}

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

export const discountsOf = (
  promotions: CodedPromotions & { readonly applied_promotions: readonly AppliedPromotion[] },
  minor: (major: number) => number,
): Discounts => ({
  codes: codesSent(promotions),
  applied: promotions.applied_promotions.map(({ code, title, amount }) => ({
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

const LINKS = {
  terms: ['terms_of_service', 'Terms of service'],
  privacy: ['privacy_policy', 'Privacy policy'],
  refund: ['refund_policy', 'Refund policy'],
  shipping: ['shipping_policy', 'Shipping policy'],
  returns: ['return_policy', 'Return policy'],
} as const;

export const linksOf = ({ shop, base }: Pick<Setting, 'shop' | 'base'>): Link[] =>
  shop.policies.map(({ type }) => {
    const [name, title] = LINKS[type];
    return { type: name, url: `${base}/policies/${type}`, title };
  });

export const checkoutUrl = (base: string, id: string): string => `${base}/checkout/${id}`;
