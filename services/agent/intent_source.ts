// Reads what a checkout intent is created from: items in the body, a quote, or a cart draft.

import type { AgentBuyer, CreateCheckoutIntentRequest } from '#proto/gen/agent.ts';
import type { AddressInput } from '#proto/gen/shared.ts';
import { type Call, invalid, notFound, Refusal, refuse } from '#runtime/call/call.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { badAddress, halfPoint } from '#services/commerce/address.ts';
import { mapStoredLineRefusal } from '#services/commerce/shared_refusal.ts';
import { parseCurrency } from '#values/currency.ts';
import { tagOrNull } from '#values/language.ts';
import type { IntentAppraisal } from './appraisal.ts';
import { pointOf, withPoint } from './delivery.ts';
import { closedDraftRefusal, wholeBuyer } from './draft.ts';
import { type IntentOffer, intentStatus, quoteStatus } from './offer.ts';
import { type DraftRecord, findDraft } from './table/draft.ts';
import { findIntent, findQuote } from './table/offer.ts';

export interface PricedIntent {
  readonly offer: IntentOffer;
  readonly email: string | null;
  readonly address: AddressInput | null;
  readonly billing: AddressInput | null;
  readonly buyer: AgentBuyer | null;
  readonly draft: DraftRecord | null;
}

export interface IntentSources {
  /**
   * `lenient` is true for assistants: codes that do not apply are returned with reasons instead of refused, and a cart
   * takes precedence over other fields. The cart may be used again if its checkout was cancelled or has expired.
   */
  read(call: Call, input: CreateCheckoutIntentRequest, lenient: boolean): Promise<PricedIntent | Refusal>;
}

const SOURCES = ['items', 'quote_id', 'cart_draft_id'] as const;

export const openIntentSources = (
  { clock, postgres }: Pick<Runtime, 'clock' | 'postgres'>,
  appraisal: IntentAppraisal,
): IntentSources => {
  const fromQuote = async (
    call: Call,
    input: CreateCheckoutIntentRequest,
    id: string,
  ): Promise<PricedIntent | Refusal> => {
    const quote = await findQuote(postgres.sql, call.tenant, id);
    if (quote === null) return notFound('quote', 'quote_id');
    const status = quoteStatus(quote, clock.now(call.tenant));
    if (status !== 'open')
      return refuse('conflict', `The quote is ${status}. Create a new one.`, { param: 'quote_id' });
    const { currency } = quote.offer.priced;
    if (input.currency && parseCurrency(input.currency)?.code !== currency)
      return invalid('currency', `The quote is in ${currency}. Leave \`currency\` out, or request a new quote.`);
    const given = input.shipping_address ?? null;
    const optionId = input.shipping_option_id ?? null;
    const point = pointOf(input.latitude, input.longitude);
    const address = given === null ? quote.shipping_address : withPoint(given, input.latitude, input.longitude);
    const promised = {
      offer: quote.offer,
      email: input.email ?? null,
      address,
      billing: input.billing_address ?? null,
      buyer: wholeBuyer(input.buyer),
      draft: null,
    };
    if (given === null && point === null && optionId === null) return promised;
    const chosen = optionId ?? quote.offer.delivery?.option_id ?? null;
    const made = await appraisal.redeliver(call, quote.offer, {
      address,
      point,
      optionId: chosen,
      language: tagOrNull(input.language),
    });
    const offer = mapStoredLineRefusal(made, quote.offer.priced.lines, 'quote_id');
    return offer instanceof Refusal ? offer : { ...promised, offer };
  };

  const reopened = async (call: Call, draft: DraftRecord): Promise<DraftRecord> => {
    const intent = draft.intent && (await findIntent(postgres.sql, call.tenant, draft.intent));
    if (!intent) return draft;
    const status = intentStatus(intent, clock.now(call.tenant));
    return status === 'cancelled' || status === 'expired' ? { ...draft, converted: false } : draft;
  };

  const fromItems = async (
    call: Call,
    input: CreateCheckoutIntentRequest,
    lenient: boolean,
  ): Promise<PricedIntent | Refusal> => {
    const named = input.cart_draft_id;
    const found = named ? await findDraft(postgres.sql, call.tenant, named) : null;
    if (named && found === null) return notFound('cart draft', 'cart_draft_id');
    const draft = found && lenient ? await reopened(call, found) : found;
    const over = draft && closedDraftRefusal(draft, clock.now(call.tenant));
    if (over) return over;
    const [first, second] = lenient ? [draft, input] : [input, draft];
    const given = input.shipping_address ?? draft?.shipping_address ?? null;
    const address = withPoint(given, input.latitude, input.longitude);
    const made = await appraisal.offer(call, {
      items: draft?.items ?? input.items!,
      promotionCodes: [...new Set([...(draft?.promotion_codes ?? []), ...(input.promotion_codes ?? [])])],
      address,
      point: pointOf(input.latitude, input.longitude),
      optionId: input.shipping_option_id ?? null,
      currency: input.currency ?? null,
      language: tagOrNull(input.language),
      lenient,
    });
    const offer = draft ? mapStoredLineRefusal(made, draft.items, 'cart_draft_id') : made;
    if (offer instanceof Refusal) return offer;
    return {
      offer,
      email: first?.email ?? second?.email ?? null,
      address,
      billing: first?.billing_address ?? second?.billing_address ?? null,
      buyer: wholeBuyer(first?.buyer) ?? wholeBuyer(second?.buyer),
      draft,
    };
  };

  return {
    read: async (call, input, lenient) => {
      const named = SOURCES.filter((name) => Boolean(input[name]));
      if (named.length !== 1)
        return refuse(
          'invalid_request',
          `${named.length} of \`items\`, \`quote_id\` and \`cart_draft_id\` were sent. Send exactly one.`,
          {
            param: named[1] ?? 'items',
          },
        );
      const nowhere =
        badAddress(input.shipping_address, 'shipping_address') ??
        badAddress(input.billing_address, 'billing_address') ??
        halfPoint(input);
      if (nowhere) return nowhere;
      return input.quote_id ? fromQuote(call, input, input.quote_id) : fromItems(call, input, lenient);
    },
  };
};
