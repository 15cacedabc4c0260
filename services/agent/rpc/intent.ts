// The door of checkout intents: begun with stock held at frozen prices, completed by what they still need, cancelled.
import { randomUUIDv7 } from 'bun';
import type {
  AgentRpcs,
  CheckoutIntent,
  CheckoutIntentResponse,
  CreateCheckoutIntentRequest,
  UpdateCheckoutIntentRequest,
} from '#proto/gen/agent.ts';
import type { AgentSessionRpcs, BeginCheckoutRequest } from '#proto/gen/agent_directory.ts';
import type { AddressInput, AgentName } from '#proto/gen/shared.ts';
import { type Call, notFound, Refusal, refuse, tenantKey } from '#runtime/call/call.ts';
import { type Handlers, query, staged, transaction } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { pointOf, withPoint } from '#services/agent/address.ts';
import { type IntentAppraisal, merged } from '#services/agent/appraisal.ts';
import { wholeBuyer } from '#services/agent/buyer.ts';
import { draftIsOver, draftWish } from '#services/agent/draft.ts';
import { asWished, type IntentHold, type IntentHolds, isLess } from '#services/agent/intent_hold.ts';
import type { IntentSources, Promised } from '#services/agent/intent_source.ts';
import {
  changedMeanwhile,
  differ,
  type IntentOffer,
  type IntentRecord,
  intentDocument,
  intentStatus,
} from '#services/agent/offer.ts';
import type { OwedHolds } from '#services/agent/owed_hold.ts';
import { findDraft, holdDraft, saveDraft } from '#services/agent/table/draft.ts';
import {
  cancelIntent,
  findIntent,
  holdIntent,
  insertIntent,
  pageOfIntents,
  takeQuote,
  updateIntent,
} from '#services/agent/table/offer.ts';
import { badAddress, halfPoint, wholeAddress } from '#services/commerce/address.ts';
import { mapStoredLineRefusal } from '#services/commerce/stored_line.ts';
import { decodeCursor, encodeCursor } from '#values/cursor.ts';

const MINUTE_MS = 60_000;
const LIMIT_DEFAULT = 20;

export interface IntentParts {
  readonly appraisal: IntentAppraisal;
  readonly sources: IntentSources;
  readonly holds: IntentHolds;
  readonly owed: OwedHolds;
}

type Served = Pick<Runtime, 'clock' | 'postgres'>;

const intentOf = (intent: IntentRecord, now: Date): CheckoutIntent =>
  intentDocument(intent, now, intent.shipping_address && wholeAddress(intent.shipping_address));

/** Why it cannot be changed any more; null where it is open or ready. */
const intentIsOver = (intent: IntentRecord, now: Date): Refusal | null => {
  const status = intentStatus(intent, now);
  return status === 'open' || status === 'ready' ? null : refuse('conflict', `The checkout intent is ${status}.`);
};

/** An intent's stock, and what was promised for it. */
interface Made extends Promised, IntentHold {
  readonly id: string;
  readonly createdAt: Date;
}

/** A new intent, or the one that its cart became and that is not over yet. */
type Begun = Made | { readonly standing: string };

/** A cart became something, or was changed, since it was looked at. */
const OVERTAKEN = changedMeanwhile('cart draft');

/** What is asked for, and the assistant that asks; null: no assistant. */
type Asked<I> = (input: I) => { readonly checkout: CreateCheckoutIntentRequest; readonly agent: AgentName | null };

/** The checkout that an assistant's cart became, as long as it is not over: a cart is one checkout at a time. */
const standingOf = async (
  { clock, postgres: { sql } }: Served,
  { tenant }: Call,
  draft: string,
): Promise<string | null> => {
  const id = (await findDraft(sql, tenant, draft))?.intent ?? null;
  const intent = id && (await findIntent(sql, tenant, id));
  return intent && intentIsOver(intent, clock.now(tenant)) === null ? id : null;
};

const createIntent = <I>(served: Served, { appraisal, sources, holds }: IntentParts, asked: Asked<I>) => {
  const { clock } = served;
  return staged<I, CheckoutIntentResponse, Begun>({
    prepare: async (call, given) => {
      const { checkout: input, agent } = asked(given);
      const standing = agent && input.cart_draft_id ? await standingOf(served, call, input.cart_draft_id) : null;
      if (standing) return { standing };
      const made = await sources.read(call, input, agent !== null);
      if (made instanceof Refusal) return made;
      const shop = await appraisal.shop(call);
      const createdAt = clock.now(call.tenant);
      const wanted = new Date(createdAt.getTime() + shop.intent_ttl_minutes * MINUTE_MS);
      const held = await holds.take(call, made.offer, wanted);
      if (held instanceof Refusal) return asWished(input, made.offer, held);
      return { id: randomUUIDv7(), ...held, ...made, createdAt };
    },
    run: async (tx, { tenant }, given, begun) => {
      const { checkout: input, agent } = asked(given);
      const now = clock.now(tenant);
      if ('standing' in begun) {
        const standing = await holdIntent(tx.sql, tenant, begun.standing);
        return standing && intentIsOver(standing, now) === null ? { data: intentOf(standing, now) } : OVERTAKEN;
      }
      const { id, hold, offer, email, address, buyer, draft, createdAt, expiresAt } = begun;
      const intent: IntentRecord = {
        id,
        hold,
        offer,
        email,
        shipping_address: address,
        status: 'open',
        order_id: null,
        version: 0,
        agent,
        buyer,
        note: input.note ?? null,
        expires_at: expiresAt,
        created_at: createdAt,
      };
      await insertIntent(tx.sql, tenant, intent);
      if (input.quote_id && !(await takeQuote(tx.sql, tenant, input.quote_id, id)))
        return refuse('conflict', 'The quote is used.', { param: 'quote_id' });
      const from = draft && (await holdDraft(tx.sql, tenant, draft.id));
      const seen = from && from.intent === draft.intent ? { ...from, converted: draft.converted } : from;
      const over = seen && draftIsOver(seen, now);
      if (over) return agent === null ? over : OVERTAKEN;
      // What was acknowledged of the cart since it was read stands in the checkout that it becomes.
      if (from && draftWish(from) !== draftWish(draft)) return OVERTAKEN;
      if (from) await saveDraft(tx.sql, tenant, { ...from, converted: true, intent: id });
      return { data: intentOf(intent, now) };
    },
    overtaken: (refusal) => refusal === OVERTAKEN,
    ownsPrepared: true,
    undo: async (call, begun) => {
      if (!('standing' in begun)) await holds.giveBack(call, begun, begun.offer);
    },
  });
};

interface Rerouted {
  readonly id: string;
  /** Another way or price, and what it was made from; null: as it was. */
  readonly way: { readonly offer: IntentOffer; readonly address: AddressInput | null; readonly from: string } | null;
  /** Since a try of the transaction what it has more than this one may be held; null: there was none. */
  raised: IntentOffer | null;
}

/** What another change meanwhile would have made differently: an e-mail address is none of it. */
const promiseOf = ({ offer, shipping_address }: IntentRecord): string => JSON.stringify([offer, shipping_address]);

const codesOf = (unused: IntentRecord['offer']['rejected'] = []): string[] => unused.map(({ code }) => code);

/** The intent's offer as the body wants it; null: as it is. */
const changedOffer = async (
  appraisal: IntentAppraisal,
  call: Call,
  intent: IntentRecord,
  input: UpdateCheckoutIntentRequest,
  lenient = false,
): Promise<Rerouted['way'] | Refusal> => {
  const { shipping_address, shipping_option_id, promotion_codes: codes } = input;
  const point = pointOf(input.latitude, input.longitude);
  const { offer: before } = intent;
  const { items } = input;
  const relined = Boolean(codes) || (items !== undefined && differ(merged(items), before));
  // What was promised stays as it is where nothing is said about it.
  if (!relined && shipping_address === undefined && shipping_option_id === undefined && point === null) return null;
  const given = shipping_address === undefined ? intent.shipping_address : shipping_address;
  const address = withPoint(given, input.latitude, input.longitude);
  const chosen = before.delivery?.option_id ?? null;
  const where = { address, point, optionId: shipping_option_id === undefined ? chosen : shipping_option_id };
  const made = relined
    ? await appraisal.reline(call, before, {
        items: items ?? before.priced.lines.map(({ variant_id, quantity }) => ({ variant_id, quantity })),
        promotionCodes: codes ?? [...before.promotion_codes, ...(lenient ? codesOf(before.rejected) : [])],
        lenient,
        ...where,
        point: point ?? before.point ?? null,
      })
    : await appraisal.redeliver(call, before, where);
  const offer = items ? made : mapStoredLineRefusal(made, before.priced.lines, 'id');
  return offer instanceof Refusal ? offer : { offer, address, from: promiseOf(intent) };
};

type Change = (...given: Parameters<typeof changedOffer>) => ReturnType<typeof changedOffer>;

const updateIntentHandler = (served: Served, parts: IntentParts, change: Change) => {
  const { clock, postgres } = served;
  const { appraisal, holds, owed } = parts;
  return staged<UpdateCheckoutIntentRequest, CheckoutIntentResponse, Rerouted>({
    prepare: async (call, input) => {
      const nowhere = badAddress(input.shipping_address, 'shipping_address') ?? halfPoint(input);
      if (nowhere) return nowhere;
      const intent = await findIntent(postgres.sql, call.tenant, input.id);
      if (intent === null) return notFound('checkout intent');
      const over = intentIsOver(intent, clock.now(call.tenant));
      if (over) return over;
      const way = await change(appraisal, call, intent, input);
      return way instanceof Refusal ? way : { id: intent.id, way, raised: null };
    },
    run: async (tx, call, { id, email, buyer, note, items }, rerouted) => {
      const { tenant } = call;
      const { way } = rerouted;
      const now = clock.now(tenant);
      const intent = await holdIntent(tx.sql, tenant, id);
      if (intent === null) return notFound('checkout intent');
      const over = intentIsOver(intent, now);
      if (over) return over;
      if (way && way.from !== promiseOf(intent)) return changedMeanwhile('checkout intent');
      const changed = {
        ...intent,
        email: email === undefined ? intent.email : email,
        buyer: buyer === undefined ? intent.buyer : wholeBuyer(buyer),
        note: note === undefined ? intent.note : note,
        ...(way && { offer: way.offer, shipping_address: way.address }),
      };
      // Last, and while nothing else can change the intent: all that it says is held.
      await updateIntent(tx.sql, tenant, id, changed);
      const { hold, offer: before, expires_at: expiresAt } = intent;
      rerouted.raised = way && before;
      const short = way && (await holds.raise(call, hold, { before, after: way.offer, items, expiresAt }));
      if (short) {
        rerouted.raised = null;
        return short;
      }
      if (way && isLess(before, way.offer)) await owed.owe(tx, call, intent, () => owed.letGo(call, intent, way.offer));
      else if (way) tx.afterCommit(() => holds.show(call, before, way.offer));
      return { data: intentOf(changed, now) };
    },
    undo: async (call, { id, way, raised }) => {
      if (way && raised) await owed.letGo(call, { id, offer: way.offer }, raised);
    },
  });
};

/** A way of delivery that was chosen before and leads nowhere now has to be chosen again. */
const rechosen: Change = async (appraisal, call, intent, input) => {
  const way = await changedOffer(appraisal, call, intent, input, true);
  const lost = way instanceof Refusal && way.code === 'shipping_not_deliverable';
  return lost && input.shipping_option_id === undefined
    ? changedOffer(appraisal, call, intent, { ...input, shipping_option_id: null }, true)
    : way;
};

const cancelIntentHandler = (
  { clock }: Served,
  { holds, owed }: IntentParts,
): Handlers<AgentRpcs>['CancelCheckoutIntent'] =>
  transaction(async (tx, call: Call, { id }) => {
    const now = clock.now(call.tenant);
    const intent = await holdIntent(tx.sql, call.tenant, id);
    if (intent === null) return notFound('checkout intent');
    const over = intentIsOver(intent, now);
    if (over) return over;
    await cancelIntent(tx.sql, call.tenant, id);
    await owed.owe(tx, call, intent, () => holds.release(call, intent.hold, intent.offer));
    return { data: intentOf({ ...intent, status: 'cancelled' }, now) };
  });

export const intentHandlers = (
  served: Served,
  parts: IntentParts,
): Pick<
  Handlers<AgentRpcs>,
  'CreateCheckoutIntent' | 'ListCheckoutIntents' | 'GetCheckoutIntent' | 'UpdateCheckoutIntent' | 'CancelCheckoutIntent'
> => ({
  CreateCheckoutIntent: createIntent<CreateCheckoutIntentRequest>(served, parts, (checkout) => ({
    checkout,
    agent: null,
  })),
  UpdateCheckoutIntent: updateIntentHandler(served, parts, changedOffer),
  CancelCheckoutIntent: cancelIntentHandler(served, parts),
  ListCheckoutIntents: query(async (sql, { tenant }, { limit = LIMIT_DEFAULT, cursor }) => {
    const scope = JSON.stringify(['checkout_intents', tenantKey(tenant)]);
    const keys = cursor === undefined ? [] : decodeCursor(scope, cursor, ['id']);
    if (keys === null) return refuse('invalid_request', 'The cursor is not one of this list.', { param: 'cursor' });
    const found = await pageOfIntents(sql, tenant, keys.length > 0 ? String(keys[0]) : null, limit + 1);
    const next = found.length > limit ? encodeCursor(scope, [found[limit - 1]!.id]) : null;
    const now = served.clock.now(tenant);
    return {
      data: found.slice(0, limit).map((intent) => intentOf(intent, now)),
      pagination: { limit, has_more: next !== null, next_cursor: next },
    };
  }),
  GetCheckoutIntent: query(async (sql, { tenant }, { id }) => {
    const intent = await findIntent(sql, tenant, id);
    return intent === null ? notFound('checkout intent') : { data: intentOf(intent, served.clock.now(tenant)) };
  }),
});

export const checkoutHandlers = (
  served: Served,
  parts: IntentParts,
): Pick<Handlers<AgentSessionRpcs>, 'BeginCheckout' | 'ChangeCheckout'> => ({
  BeginCheckout: createIntent<BeginCheckoutRequest>(served, parts, (input) => input),
  ChangeCheckout: updateIntentHandler(served, parts, rechosen),
});
