// The rpc handlers that give the order domain the offers of quotes and intents.
import type { AgentDirectoryRpcs } from '#proto/gen/agent_directory.ts';
import type { AddressInput } from '#proto/gen/shared.ts';
import { notFound, Refusal, refuse } from '#runtime/call/call.ts';
import { type Handlers, query } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { wholeAddress } from '#services/commerce/address.ts';
import { mapStoredLineRefusal } from '#services/commerce/shared_refusal.ts';
import type { IntentAppraisal } from './appraisal.ts';
import { withPoint } from './delivery.ts';
import { type IntentOffer, intentStatus, isPlaceless, quoteStatus, requirementsOf } from './offer.ts';
import { findIntent, findQuote, intentsOfHolds } from './table/offer.ts';

export const agentDirectoryHandlers = (
  { clock }: Pick<Runtime, 'clock'>,
  appraisal: IntentAppraisal,
): Handlers<AgentDirectoryRpcs> => ({
  OfferOfQuote: query(async (sql, call, { id, email, shipping_address }) => {
    const quote = await findQuote(sql, call.tenant, id);
    if (quote === null) return notFound('quote', 'quote_id');
    const status = quoteStatus(quote, clock.now(call.tenant));
    if (status !== 'open')
      return refuse('conflict', `The quote is ${status}. Create a new one.`, { param: 'quote_id' });
    const { delivery, point, requires_shipping } = quote.offer;
    const named = shipping_address ?? quote.shipping_address;
    const address = point
      ? withPoint(named, named?.latitude ?? point.latitude, named?.longitude ?? point.longitude)
      : named;
    // An address that was not known before determines the taxes, even if nothing is shipped.
    const added = quote.shipping_address === null && address !== null;
    const made =
      (added || (requires_shipping && delivery === null)) && address !== null
        ? await appraisal.redeliver(call, quote.offer, {
            address,
            point: null,
            optionId: delivery?.option_id ?? 'place',
          })
        : quote.offer;
    const offer = mapStoredLineRefusal(made, quote.offer.priced.lines, 'quote_id');
    if (offer instanceof Refusal) return offer;
    if (isPlaceless(offer, address))
      return refuse(
        'invalid_request',
        'A line of the quote is shipped, and no address is known. Send `shipping_address`.',
        {
          param: 'shipping_address',
        },
      );
    return { ...frozen(offer, email ?? null, address), hold_id: null, version: 0, note: null, billing_address: null };
  }),

  OfferOfIntent: query(async (sql, call, { id, email, shipping_address, as_shown }) => {
    const intent = await findIntent(sql, call.tenant, id);
    if (intent === null) return notFound('checkout intent', 'checkout_intent_id');
    const status = intentStatus(intent, clock.now(call.tenant));
    if (status !== 'open' && status !== 'ready')
      return refuse('conflict', `The checkout intent is ${status}. Create a new one.`, { param: 'checkout_intent_id' });
    // The intent's address takes precedence, because its prices include the taxes and delivery of that address.
    const address = intent.shipping_address ?? shipping_address ?? null;
    const added = intent.shipping_address === null && address !== null;
    const chosen = intent.offer.delivery?.option_id ?? 'place';
    const unchosen = intent.offer.requires_shipping && intent.offer.delivery === null;
    const made =
      (added || unchosen) && address !== null
        ? await appraisal.redeliver(call, intent.offer, { address, point: null, optionId: chosen })
        : intent.offer;
    const offer = mapStoredLineRefusal(made, intent.offer.priced.lines, 'checkout_intent_id');
    if (offer instanceof Refusal) return offer;
    const isUnseen = as_shown && offer.priced.total !== intent.offer.priced.total;
    const said = {
      offer: isUnseen ? intent.offer : offer,
      email: intent.email ?? email ?? null,
      shipping_address: address,
    };
    const [missing] = requirementsOf(said);
    if (missing)
      return refuse(
        'invalid_request',
        `The checkout intent is not ready: \`${missing.path}\` is missing. Send it, or update the intent.`,
        {
          param: missing.path,
        },
      );
    return {
      ...frozen(offer, said.email, address),
      hold_id: intent.hold,
      version: intent.version,
      note: intent.note,
      language: intent.language,
      billing_address: intent.billing_address && wholeAddress(intent.billing_address),
    };
  }),

  IntentsOfHolds: query(async (sql, { tenant }, { hold_ids }) => ({
    intents: (await intentsOfHolds(sql, tenant, hold_ids)).map(({ id, hold, order_id, agent, created_at }) => ({
      hold_id: hold,
      checkout_intent_id: id,
      order_id,
      agent: agent?.name ?? null,
      created_at: created_at.toISOString(),
    })),
  })),
});

const frozen = (offer: IntentOffer, email: string | null, address: AddressInput | null) => ({
  priced: offer.priced,
  email,
  shipping_address: address && wholeAddress(address),
  shipping_option_id: offer.delivery?.option_id ?? null,
  shipping_option_name: offer.delivery?.option_name ?? null,
  shipping_fee: offer.delivery?.fee ?? 0,
});
