// A cart draft as an agent is shown it: priced afresh each time, as long as all of it is sold, and promising nothing.
import type { CartDraft } from '#proto/gen/agent.ts';
import { type Call, Refusal, refuse } from '#runtime/call/call.ts';
import { badAddress, wholeAddress } from '#services/commerce/address.ts';
import { mapStoredLineRefusal } from '#services/commerce/stored_line.ts';
import { type Currency, currencyOf } from '#values/currency.ts';
import { fromMajor, toMajor } from '#values/money.ts';
import type { IntentAppraisal } from './appraisal.ts';
import type { IntentOffer } from './offer.ts';
import type { DraftRecord } from './table/draft.ts';

const statusOf = ({ converted, cancelled, expires_at }: DraftRecord, now: Date): CartDraft['status'] => {
  if (converted) return 'converted';
  if (cancelled) return 'cancelled';
  return expires_at <= now ? 'expired' : 'open';
};

/** What is wanted of it, as text: the same where a change meanwhile would have made the same checkout. */
export const draftWish = ({ items, email, shipping_address, promotion_codes, buyer }: DraftRecord): string =>
  JSON.stringify([items, email, shipping_address, promotion_codes, buyer]);

/** Why nothing can be made of it any more; null where it is open. */
export const draftIsOver = (draft: DraftRecord, now: Date): Refusal | null => {
  const status = statusOf(draft, now);
  return status === 'open' ? null : refuse('conflict', `The cart draft is ${status}.`, { param: 'cart_draft_id' });
};

const less = (amount: number, discount: number, currency: Currency): number =>
  toMajor(fromMajor(amount, currency) - fromMajor(discount, currency), currency);

const draftDocument = (
  draft: DraftRecord,
  { priced, names, goods, rejected = [] }: IntentOffer,
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
      product_id: goods[at]!.product_id!,
      variant_name: goods[at]!.variant_name,
      sku: goods[at]!.sku,
      thumbnail_url: goods[at]!.thumbnail_url,
    })),
    email: draft.email,
    shipping_address: draft.shipping_address && wholeAddress(draft.shipping_address),
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

/** At the prices of this moment. */
const draftOffer = (appraisal: IntentAppraisal, call: Call, draft: DraftRecord): Promise<IntentOffer | Refusal> => {
  const { items, promotion_codes: promotionCodes } = draft;
  const lenient = draft.agent !== null;
  return appraisal.offer(call, { items, promotionCodes, address: null, point: null, optionId: null, lenient });
};

/** As it was last written, where one of its products is not sold any more. */
export const shownDraft = async (
  appraisal: IntentAppraisal,
  call: Call,
  draft: DraftRecord,
  now: Date,
): Promise<CartDraft | Refusal> => {
  const { items, offer: written } = draft;
  const offer = mapStoredLineRefusal(await draftOffer(appraisal, call, draft), items, 'cart_draft_id');
  if (!(offer instanceof Refusal)) return draftDocument(draft, offer, now);
  const isKept = offer.code === 'insufficient_stock' && written !== null;
  return isKept ? draftDocument(draft, written, now) : offer;
};

export interface PricedDraft {
  readonly draft: DraftRecord;
  readonly shown: CartDraft;
}

/** The same of one that is about to be written. */
export const pricedDraft = async (
  appraisal: IntentAppraisal,
  call: Call,
  draft: DraftRecord,
  now: Date,
): Promise<PricedDraft | Refusal> => {
  const nowhere = badAddress(draft.shipping_address, 'shipping_address');
  if (nowhere) return nowhere;
  const offer = await draftOffer(appraisal, call, draft);
  return offer instanceof Refusal ? offer : { draft: { ...draft, offer }, shown: draftDocument(draft, offer, now) };
};
