// The cart drafts of agents: each read prices them anew, or shows stored prices if a product is no longer sold.
import type { AgentBuyer, AgentBuyerInput, CartDraft } from '#proto/gen/agent.ts';
import { type Call, Refusal, refuse } from '#runtime/call/call.ts';
import { badAddress, wholeAddress } from '#services/commerce/address.ts';
import { mapStoredLineRefusal } from '#services/commerce/shared_refusal.ts';
import { type Currency, currencyOf } from '#values/currency.ts';
import { fromMajor, toMajor } from '#values/money.ts';
import type { IntentAppraisal } from './appraisal.ts';
import type { IntentOffer } from './offer.ts';
import type { DraftRecord } from './table/draft.ts';

export const wholeBuyer = (buyer: AgentBuyerInput | null | undefined): AgentBuyer | null =>
  buyer
    ? { first_name: buyer.first_name ?? null, last_name: buyer.last_name ?? null, phone: buyer.phone ?? null }
    : null;

const statusOf = ({ converted, cancelled, expires_at }: DraftRecord, now: Date): CartDraft['status'] => {
  if (converted) return 'converted';
  if (cancelled) return 'cancelled';
  return expires_at <= now ? 'expired' : 'open';
};

/** Returns the contents as text. Drafts with equal texts lead to equal checkouts. */
export const draftContents = ({
  items,
  email,
  shipping_address,
  billing_address,
  promotion_codes,
  buyer,
}: DraftRecord): string => JSON.stringify([items, email, shipping_address, billing_address, promotion_codes, buyer]);

export const closedDraftRefusal = (draft: DraftRecord, now: Date): Refusal | null => {
  const status = statusOf(draft, now);
  return status === 'open'
    ? null
    : refuse('conflict', `The cart draft is ${status}. Create a new one.`, { param: 'cart_draft_id' });
};

const less = (amount: number, discount: number, currency: Currency): number =>
  toMajor(fromMajor(amount, currency) - fromMajor(discount, currency), currency);

const draftDocument = (
  draft: DraftRecord,
  { priced, names, variants, rejected = [] }: IntentOffer,
  now: Date,
): CartDraft => {
  const currency = currencyOf(priced.currency);
  return {
    id: draft.id,
    status: statusOf(draft, now),
    items: priced.lines.map(({ variant_id, quantity, unit_price, subtotal, discount }, at) => ({
      variant_id,
      name: names[at]!,
      quantity,
      unit_price,
      subtotal,
      discount,
      total: less(subtotal, discount, currency),
      product_id: variants[at]!.product_id!,
      variant_name: variants[at]!.variant_name,
      sku: variants[at]!.sku,
      thumbnail_url: variants[at]!.thumbnail_url,
    })),
    email: draft.email,
    shipping_address: draft.shipping_address && wholeAddress(draft.shipping_address),
    billing_address: draft.billing_address && wholeAddress(draft.billing_address),
    promotion_codes: draft.promotion_codes,
    currency: priced.currency,
    subtotal: priced.subtotal,
    discount_total: priced.discount_total,
    total: less(priced.subtotal, priced.discount_total, currency),
    expires_at: draft.expires_at.toISOString(),
    created_at: draft.created_at.toISOString(),
    buyer: draft.buyer,
    applied_promotions: priced.applied_promotions,
    agent: draft.agent,
    rejected_codes: rejected,
  };
};

const draftOffer = (appraisal: IntentAppraisal, call: Call, draft: DraftRecord): Promise<IntentOffer | Refusal> => {
  const { items, promotion_codes: promotionCodes } = draft;
  const lenient = draft.agent !== null;
  return appraisal.offer(call, {
    items,
    promotionCodes,
    address: null,
    point: null,
    optionId: null,
    currency: null,
    lenient,
  });
};

export const shownDraft = async (
  appraisal: IntentAppraisal,
  call: Call,
  draft: DraftRecord,
  now: Date,
): Promise<CartDraft | Refusal> => {
  const { items, offer: written } = draft;
  const offer = mapStoredLineRefusal(await draftOffer(appraisal, call, draft), items, 'cart_draft_id');
  if (!(offer instanceof Refusal)) return draftDocument(draft, offer, now);
  const showsStored = offer.code === 'insufficient_stock' && written !== null;
  return showsStored ? draftDocument(draft, written, now) : offer;
};

export interface PricedDraft {
  readonly draft: DraftRecord;
  readonly shown: CartDraft;
}

export const pricedDraft = async (
  appraisal: IntentAppraisal,
  call: Call,
  draft: DraftRecord,
  now: Date,
): Promise<PricedDraft | Refusal> => {
  const nowhere =
    badAddress(draft.shipping_address, 'shipping_address') ?? badAddress(draft.billing_address, 'billing_address');
  if (nowhere) return nowhere;
  const offer = await draftOffer(appraisal, call, draft);
  return offer instanceof Refusal ? offer : { draft: { ...draft, offer }, shown: draftDocument(draft, offer, now) };
};
