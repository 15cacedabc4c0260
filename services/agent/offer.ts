// The offer of a quote or intent: lines at promised prices, delivery and totals. Pure.
import type {
  AgentBuyer,
  CheckoutIntent,
  IntentLine,
  IntentRequirement,
  Quote,
  QuoteLine,
  UnusedCode,
} from '#proto/gen/agent.ts';
import type { OrderItemRequest } from '#proto/gen/order.ts';
import type { PriceBasketResponse } from '#proto/gen/pricing_directory.ts';
import type { AddressInput, AgentName } from '#proto/gen/shared.ts';
import type { ShippingChoice } from '#proto/gen/shipping.ts';
import { type Refusal, refuse } from '#runtime/call/call.ts';
import { wholeAddress } from '#services/commerce/address.ts';
import type { Point } from '#values/geo/distance.ts';

export interface OfferedDelivery {
  readonly option_id: string | null;
  readonly option_name: string | null;
  /** In major units, before free shipping is deducted. */
  readonly fee: number;
}

export interface VariantDetails {
  readonly product_id: string | null;
  readonly variant_name: string | null;
  readonly sku: string | null;
  readonly thumbnail_url: string | null;
}

export interface IntentOffer {
  readonly priced: PriceBasketResponse;
  readonly names: readonly string[];
  readonly line_ids: readonly string[];
  readonly variants: readonly VariantDetails[];
  readonly promotion_codes: readonly string[];
  readonly rejected?: readonly UnusedCode[];
  readonly requires_shipping: boolean;
  readonly delivery: OfferedDelivery | null;
  readonly shipping_options: readonly ShippingChoice[];
  readonly point?: Point;
}

export const NO_DELIVERY: OfferedDelivery = { option_id: null, option_name: null, fee: 0 };

const linesOf = ({ priced, names, line_ids }: IntentOffer): QuoteLine[] =>
  priced.lines.map(({ variant_id, quantity, unit_price, discount, tax_amount, total }, at) => ({
    id: line_ids[at]!,
    variant_id,
    name: names[at]!,
    quantity,
    unit_price,
    discount,
    tax_amount,
    total,
  }));

const intentLinesOf = (offer: IntentOffer): IntentLine[] =>
  linesOf(offer).map((line, at) => ({
    ...line,
    subtotal: offer.priced.lines[at]!.subtotal,
    ...offer.variants[at]!,
  }));

export const totalsOf = ({ priced }: IntentOffer) => ({
  currency: priced.currency,
  subtotal: priced.subtotal,
  discount_total: priced.discount_total,
  shipping_total: priced.shipping_total,
  shipping_tax: priced.shipping_tax,
  tax_total: priced.tax_total,
  grand_total: priced.total,
});

export const differ = (items: readonly OrderItemRequest[], { priced }: IntentOffer): boolean =>
  items.length !== priced.lines.length ||
  items.some(({ variant_id, quantity }) => {
    const line = priced.lines.find((each) => each.variant_id === variant_id);
    return line?.quantity !== quantity;
  });

export const changedMeanwhile = (what: string): Refusal =>
  refuse('conflict', `Another request changed the ${what}. Send this request again.`, { retryAfterS: 1 });

export interface OfferRecord {
  readonly id: string;
  readonly offer: IntentOffer;
  readonly shipping_address: AddressInput | null;
  readonly order_id: string | null;
  readonly intent_id: string | null;
  readonly expires_at: Date;
  readonly created_at: Date;
}

export const quoteStatus = ({ order_id, intent_id, expires_at }: OfferRecord, now: Date): Quote['status'] =>
  order_id || intent_id ? 'used' : expires_at <= now ? 'expired' : 'open';

export const quoteDocument = (quote: OfferRecord, now: Date): Quote => ({
  id: quote.id,
  status: quoteStatus(quote, now),
  lines: linesOf(quote.offer),
  ...totalsOf(quote.offer),
  expires_at: quote.expires_at.toISOString(),
  created_at: quote.created_at.toISOString(),
});

export interface IntentRecord {
  readonly id: string;
  readonly hold: string;
  readonly offer: IntentOffer;
  readonly email: string | null;
  readonly shipping_address: AddressInput | null;
  /** Null: the shipping address. */
  readonly billing_address: AddressInput | null;
  readonly status: 'open' | 'completed' | 'cancelled';
  readonly order_id: string | null;
  readonly version: number;
  readonly agent: AgentName | null;
  readonly buyer: AgentBuyer | null;
  readonly note: string | null;
  /** Canonical BCP 47 tag of the buyer; null for the store's default one. */
  readonly language: string | null;
  readonly expires_at: Date;
  readonly created_at: Date;
}

export const isPlaceless = ({ requires_shipping, delivery }: IntentOffer, address: AddressInput | null): boolean =>
  requires_shipping && !address && delivery?.option_id?.startsWith('pickup:') !== true;

export const requirementsOf = ({
  offer,
  email,
  shipping_address,
}: Pick<IntentRecord, 'offer' | 'email' | 'shipping_address'>): IntentRequirement[] => {
  const missing: IntentRequirement[] = [];
  const lacks = (code: IntentRequirement['code'], path: string): void => {
    missing.push({ code, path, resolver: code === 'not_deliverable' ? 'buyer' : 'agent' });
  };
  if (isPlaceless(offer, shipping_address)) lacks('missing_address', 'shipping_address');
  if (!email) lacks('missing_email', 'email');
  if (offer.requires_shipping && offer.delivery === null) {
    const nowhere = shipping_address !== null && offer.shipping_options.length === 0;
    // Requires the buyer: another address may be deliverable, and only the buyer can choose one.
    if (nowhere) lacks('not_deliverable', 'shipping_address');
    else lacks('missing_shipping_option', 'shipping_option_id');
  }
  return missing;
};

const blockersOf = (intent: IntentRecord, status: CheckoutIntent['status']): IntentRequirement[] => {
  if (status === 'expired') return [{ code: 'expired', path: 'expires_at', resolver: 'nobody' }];
  if (status === 'cancelled') return [{ code: 'cancelled', path: 'status', resolver: 'nobody' }];
  return status === 'completed' ? [] : requirementsOf(intent);
};

export const intentStatus = (intent: IntentRecord, now: Date): CheckoutIntent['status'] => {
  if (intent.status !== 'open') return intent.status;
  if (intent.expires_at <= now) return 'expired';
  return requirementsOf(intent).length === 0 ? 'ready' : 'open';
};

const HOLDS = {
  open: 'held',
  ready: 'held',
  completed: 'converted',
  cancelled: 'released',
  expired: 'released',
} as const;

export const intentDocument = (intent: IntentRecord, now: Date): CheckoutIntent => {
  const status = intentStatus(intent, now);
  const { offer } = intent;
  return {
    id: intent.id,
    status,
    ...totalsOf(offer),
    lines: intentLinesOf(offer),
    shipping_options: offer.shipping_options,
    shipping_option_id: offer.delivery?.option_id ?? null,
    requirements: blockersOf(intent, status),
    hold: { status: HOLDS[status], expires_at: intent.expires_at.toISOString() },
    email: intent.email,
    shipping_address: intent.shipping_address && wholeAddress(intent.shipping_address),
    billing_address: intent.billing_address && wholeAddress(intent.billing_address),
    order_id: intent.order_id,
    expires_at: intent.expires_at.toISOString(),
    created_at: intent.created_at.toISOString(),
    buyer: intent.buyer,
    note: intent.note,
    promotion_codes: offer.promotion_codes,
    applied_promotions: offer.priced.applied_promotions,
    tax_inclusive: offer.priced.tax_inclusive,
    requires_shipping: offer.requires_shipping,
    agent: intent.agent,
    rejected_codes: offer.rejected ?? [],
    exchange_rate: offer.priced.exchange ? Number(offer.priced.exchange.rate) : null,
    language: intent.language,
  };
};

export interface PromisedLine {
  readonly id: string;
  readonly unitPrice: number;
}

export const promisedLines = ({ priced, line_ids }: IntentOffer): ReadonlyMap<string, PromisedLine> =>
  new Map(
    priced.lines.map(({ variant_id, unit_price }, at) => [variant_id, { id: line_ids[at]!, unitPrice: unit_price }]),
  );
