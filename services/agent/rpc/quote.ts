// The rpc handlers of quotes: prices promised for a limited time, without holding stock.
import { randomUUIDv7 } from 'bun';
import type { AgentRpcs, CreateQuoteRequest } from '#proto/gen/agent.ts';
import { notFound, Refusal } from '#runtime/call/call.ts';
import { type Handlers, query, staged } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { IntentAppraisal } from '#services/agent/appraisal.ts';
import { pointOf, withPoint } from '#services/agent/delivery.ts';
import { type IntentOffer, type OfferRecord, quoteDocument } from '#services/agent/offer.ts';
import { findQuote, insertQuote } from '#services/agent/table/offer.ts';
import { badAddress, halfPoint } from '#services/commerce/address.ts';

const QUOTE_MS = 15 * 60_000;

interface QuotedOffer {
  readonly offer: IntentOffer;
  readonly now: Date;
  readonly expiresAt: Date;
}

export const quoteHandlers = (
  { clock }: Pick<Runtime, 'clock'>,
  appraisal: IntentAppraisal,
): Pick<Handlers<AgentRpcs>, 'CreateQuote' | 'GetQuote'> => ({
  CreateQuote: staged<CreateQuoteRequest, unknown, QuotedOffer>({
    prepare: async (call, input) => {
      const { items, promotion_codes: promotionCodes = [], shipping_option_id, currency = null } = input;
      const nowhere = badAddress(input.shipping_address, 'shipping_address') ?? halfPoint(input);
      if (nowhere) return nowhere;
      const address = withPoint(input.shipping_address ?? null, input.latitude, input.longitude);
      const point = pointOf(input.latitude, input.longitude);
      const optionId = shipping_option_id ?? (address === null && point === null ? null : 'place');
      const offer = await appraisal.offer(call, { items, promotionCodes, address, point, optionId, currency });
      if (offer instanceof Refusal) return offer;
      const now = clock.now(call.tenant);
      const expiresAt = appraisal.promiseEnd(await appraisal.shop(call), call, offer, now, QUOTE_MS);
      return expiresAt instanceof Refusal ? expiresAt : { offer, now, expiresAt };
    },
    run: async (tx, { tenant }, input, { offer, now, expiresAt }) => {
      const quote: OfferRecord = {
        id: randomUUIDv7(),
        offer,
        shipping_address: withPoint(input.shipping_address ?? null, input.latitude, input.longitude),
        order_id: null,
        intent_id: null,
        expires_at: expiresAt,
        created_at: now,
      };
      await insertQuote(tx.sql, tenant, quote);
      return { data: quoteDocument(quote, now) };
    },
    undo: () => {},
  }) as Handlers<AgentRpcs>['CreateQuote'],

  GetQuote: query(async (sql, { tenant }, { id }) => {
    const quote = await findQuote(sql, tenant, id);
    return quote === null ? notFound('quote') : { data: quoteDocument(quote, clock.now(tenant)) };
  }),
});
