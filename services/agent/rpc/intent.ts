// The rpc handlers of checkout intents: create (holds stock at promised prices), change, complete and cancel.
import { randomUUIDv7 } from 'bun';
import type {
  AgentRpcs,
  CheckoutIntentResponse,
  CreateCheckoutIntentRequest,
  UpdateCheckoutIntentRequest,
} from '#proto/gen/agent.ts';
import type { AgentSessionRpcs, BeginCheckoutRequest } from '#proto/gen/agent_directory.ts';
import type { AddressInput, AgentName } from '#proto/gen/shared.ts';
import { type Call, foreignCursor, notFound, Refusal, refuse, tenantKey } from '#runtime/call/call.ts';
import { type Handlers, query, staged, transaction } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { type IntentAppraisal, merged } from '#services/agent/appraisal.ts';
import { pointOf, withPoint } from '#services/agent/delivery.ts';
import { closedDraftRefusal, draftContents, wholeBuyer } from '#services/agent/draft.ts';
import { type IntentHold, type IntentHolds, isLess, mapHoldRefusal } from '#services/agent/intent_hold.ts';
import type { IntentSources, PricedIntent } from '#services/agent/intent_source.ts';
import {
  changedMeanwhile,
  differ,
  type IntentOffer,
  type IntentRecord,
  intentDocument,
  intentStatus,
} from '#services/agent/offer.ts';
import type { PendingReleases } from '#services/agent/pending_release.ts';
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
import { badAddress, halfPoint } from '#services/commerce/address.ts';
import { mapStoredLineRefusal } from '#services/commerce/shared_refusal.ts';
import { noteCheckout } from '#services/report/transaction.ts';
import { decodeCursor, encodeCursor } from '#values/cursor.ts';
import { tagOrNull } from '#values/language.ts';

const MINUTE_MS = 60_000;
const LIMIT_DEFAULT = 20;

export interface IntentParts {
  readonly appraisal: IntentAppraisal;
  readonly sources: IntentSources;
  readonly holds: IntentHolds;
  readonly releases: PendingReleases;
}

type IntentRuntime = Pick<Runtime, 'clock' | 'postgres'>;

const closedIntentRefusal = (intent: IntentRecord, now: Date): Refusal | null => {
  const status = intentStatus(intent, now);
  return status === 'open' || status === 'ready'
    ? null
    : refuse('conflict', `The checkout intent is ${status}. Create a new one.`);
};

interface PreparedIntent extends PricedIntent, IntentHold {
  readonly id: string;
  readonly createdAt: Date;
}

type IntentStart = PreparedIntent | { readonly existing: string };

const OVERTAKEN = changedMeanwhile('cart draft');

type ReadInput<I> = (input: I) => { readonly checkout: CreateCheckoutIntentRequest; readonly agent: AgentName | null };

const openCheckoutOf = async (
  { clock, postgres: { sql } }: IntentRuntime,
  { tenant }: Call,
  draft: string,
): Promise<string | null> => {
  const id = (await findDraft(sql, tenant, draft))?.intent ?? null;
  const intent = id && (await findIntent(sql, tenant, id));
  return intent && closedIntentRefusal(intent, clock.now(tenant)) === null ? id : null;
};

const createIntent = <I>(
  runtime: IntentRuntime,
  { appraisal, sources, holds }: IntentParts,
  readInput: ReadInput<I>,
) => {
  const { clock } = runtime;
  return staged<I, CheckoutIntentResponse, IntentStart>({
    prepare: async (call, given) => {
      const { checkout: input, agent } = readInput(given);
      const existing = agent && input.cart_draft_id ? await openCheckoutOf(runtime, call, input.cart_draft_id) : null;
      if (existing) return { existing };
      const made = await sources.read(call, input, agent !== null);
      if (made instanceof Refusal) return made;
      const shop = await appraisal.shop(call);
      const createdAt = clock.now(call.tenant);
      const wanted = appraisal.promiseEnd(shop, call, made.offer, createdAt, shop.intent_ttl_minutes * MINUTE_MS);
      if (wanted instanceof Refusal) return wanted;
      const held = await holds.hold(call, made.offer, wanted);
      if (held instanceof Refusal) return mapHoldRefusal(input, made.offer, held);
      return { id: randomUUIDv7(), ...held, ...made, createdAt };
    },
    run: async (tx, { tenant }, given, start) => {
      const { checkout: input, agent } = readInput(given);
      const now = clock.now(tenant);
      if ('existing' in start) {
        const existing = await holdIntent(tx.sql, tenant, start.existing);
        return existing && closedIntentRefusal(existing, now) === null
          ? { data: intentDocument(existing, now) }
          : OVERTAKEN;
      }
      const { id, hold, offer, email, address, billing, buyer, draft, createdAt, expiresAt } = start;
      const intent: IntentRecord = {
        id,
        hold,
        offer,
        email,
        shipping_address: address,
        billing_address: billing,
        status: 'open',
        order_id: null,
        version: 0,
        agent,
        buyer,
        note: input.note ?? null,
        language: tagOrNull(input.language),
        expires_at: expiresAt,
        created_at: createdAt,
      };
      await insertIntent(tx.sql, tenant, intent);
      await noteCheckout(tx.sql, tenant, id, createdAt);
      if (input.quote_id && !(await takeQuote(tx.sql, tenant, input.quote_id, id)))
        return refuse('conflict', 'The quote was used already. Create a new one.', { param: 'quote_id' });
      const from = draft && (await holdDraft(tx.sql, tenant, draft.id));
      const seen = from && from.intent === draft.intent ? { ...from, converted: draft.converted } : from;
      const closed = seen && closedDraftRefusal(seen, now);
      if (closed) return agent === null ? closed : OVERTAKEN;
      // Refuses if the cart changed after it was read, since the checkout must contain every acknowledged change.
      if (from && draftContents(from) !== draftContents(draft)) return OVERTAKEN;
      if (from) await saveDraft(tx.sql, tenant, { ...from, converted: true, intent: id });
      return { data: intentDocument(intent, now) };
    },
    overtaken: (refusal) => refusal === OVERTAKEN,
    ownsPrepared: true,
    undo: async (call, start) => {
      if (!('existing' in start)) await holds.releaseShare(call, start, start.offer);
    },
  });
};

interface PreparedChange {
  readonly id: string;
  /** The new offer, and `promiseOf` the intent that it was priced from; null if the offer stays. */
  readonly change: { readonly offer: IntentOffer; readonly address: AddressInput | null; readonly from: string } | null;
  /** The former offer, set while the hold may have units beyond it. */
  heldBefore: IntentOffer | null;
}

/**
 * Returns the parts of an intent that a new offer is priced from. A concurrent change of them makes the offer stale.
 */
const promiseOf = ({ offer, shipping_address }: IntentRecord): string => JSON.stringify([offer, shipping_address]);

const codesOf = (unused: IntentRecord['offer']['rejected'] = []): string[] => unused.map(({ code }) => code);

const changedOffer = async (
  appraisal: IntentAppraisal,
  call: Call,
  intent: IntentRecord,
  input: UpdateCheckoutIntentRequest,
  lenient = false,
): Promise<PreparedChange['change'] | Refusal> => {
  const { shipping_address, shipping_option_id, promotion_codes: codes } = input;
  const point = pointOf(input.latitude, input.longitude);
  const { offer: before } = intent;
  const { items } = input;
  const relined = Boolean(codes) || (items !== undefined && differ(merged(items), before));
  if (!relined && shipping_address === undefined && shipping_option_id === undefined && point === null) return null;
  const given = shipping_address === undefined ? intent.shipping_address : shipping_address;
  const address = withPoint(given, input.latitude, input.longitude);
  const chosen = before.delivery?.option_id ?? null;
  const where = {
    address,
    point,
    optionId: shipping_option_id === undefined ? chosen : shipping_option_id,
    language: input.language === undefined ? intent.language : tagOrNull(input.language),
  };
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

type ChangeOffer = (...given: Parameters<typeof changedOffer>) => ReturnType<typeof changedOffer>;

const updateIntentHandler = (runtime: IntentRuntime, parts: IntentParts, changeOffer: ChangeOffer) => {
  const { clock, postgres } = runtime;
  const { appraisal, holds, releases } = parts;
  return staged<UpdateCheckoutIntentRequest, CheckoutIntentResponse, PreparedChange>({
    prepare: async (call, input) => {
      const nowhere =
        badAddress(input.shipping_address, 'shipping_address') ??
        badAddress(input.billing_address, 'billing_address') ??
        halfPoint(input);
      if (nowhere) return nowhere;
      const intent = await findIntent(postgres.sql, call.tenant, input.id);
      if (intent === null) return notFound('checkout intent');
      const closed = closedIntentRefusal(intent, clock.now(call.tenant));
      if (closed) return closed;
      const change = await changeOffer(appraisal, call, intent, input);
      return change instanceof Refusal ? change : { id: intent.id, change, heldBefore: null };
    },
    run: async (tx, call, { id, email, billing_address, buyer, note, language, items }, prepared) => {
      const { tenant } = call;
      const { change } = prepared;
      const now = clock.now(tenant);
      const intent = await holdIntent(tx.sql, tenant, id);
      if (intent === null) return notFound('checkout intent');
      const closed = closedIntentRefusal(intent, now);
      if (closed) return closed;
      if (change && change.from !== promiseOf(intent)) return changedMeanwhile('checkout intent');
      const changed = {
        ...intent,
        email: email === undefined ? intent.email : email,
        billing_address: billing_address === undefined ? intent.billing_address : billing_address,
        buyer: buyer === undefined ? intent.buyer : wholeBuyer(buyer),
        note: note === undefined ? intent.note : note,
        language: language === undefined ? intent.language : tagOrNull(language),
        ...(change && { offer: change.offer, shipping_address: change.address }),
      };
      // More units are held last, under the row lock that keeps others from changing the intent.
      await updateIntent(tx.sql, tenant, id, changed);
      const { hold, offer: before, expires_at: expiresAt } = intent;
      prepared.heldBefore = change && before;
      const short = change && (await holds.holdMore(call, hold, { before, after: change.offer, items, expiresAt }));
      if (short) {
        prepared.heldBefore = null;
        return short;
      }
      if (change && isLess(before, change.offer))
        await releases.releaseAfterCommit(tx, call, intent, () => releases.releaseSurplus(call, intent, change.offer));
      else if (change) tx.afterCommit(() => holds.show(call, before, change.offer));
      return { data: intentDocument(changed, now) };
    },
    undo: async (call, { id, change, heldBefore }) => {
      if (change && heldBefore) await releases.releaseSurplus(call, { id, offer: change.offer }, heldBefore);
    },
  });
};

/**
 * Changes the intent. If the chosen delivery option does not reach the new address, removes the choice instead of
 * refusing.
 */
const rechosen: ChangeOffer = async (appraisal, call, intent, input) => {
  const change = await changedOffer(appraisal, call, intent, input, true);
  const lost = change instanceof Refusal && change.code === 'shipping_not_deliverable';
  return lost && input.shipping_option_id === undefined
    ? changedOffer(appraisal, call, intent, { ...input, shipping_option_id: null }, true)
    : change;
};

const cancelIntentHandler = (
  { clock }: IntentRuntime,
  { holds, releases }: IntentParts,
): Handlers<AgentRpcs>['CancelCheckoutIntent'] =>
  transaction(async (tx, call: Call, { id }) => {
    const now = clock.now(call.tenant);
    const intent = await holdIntent(tx.sql, call.tenant, id);
    if (intent === null) return notFound('checkout intent');
    const closed = closedIntentRefusal(intent, now);
    if (closed) return closed;
    await cancelIntent(tx.sql, call.tenant, id);
    await releases.releaseAfterCommit(tx, call, intent, () => holds.release(call, intent.hold, intent.offer));
    return { data: intentDocument({ ...intent, status: 'cancelled' }, now) };
  });

export const intentHandlers = (
  runtime: IntentRuntime,
  parts: IntentParts,
): Pick<
  Handlers<AgentRpcs>,
  'CreateCheckoutIntent' | 'ListCheckoutIntents' | 'GetCheckoutIntent' | 'UpdateCheckoutIntent' | 'CancelCheckoutIntent'
> => ({
  CreateCheckoutIntent: createIntent<CreateCheckoutIntentRequest>(runtime, parts, (checkout) => ({
    checkout,
    agent: null,
  })),
  UpdateCheckoutIntent: updateIntentHandler(runtime, parts, changedOffer),
  CancelCheckoutIntent: cancelIntentHandler(runtime, parts),
  ListCheckoutIntents: query(async (sql, { tenant }, { limit = LIMIT_DEFAULT, cursor }) => {
    const scope = JSON.stringify(['checkout_intents', tenantKey(tenant)]);
    const keys = cursor === undefined ? [] : decodeCursor(scope, cursor, ['id']);
    if (keys === null) return foreignCursor(cursor);
    const found = await pageOfIntents(sql, tenant, keys.length > 0 ? String(keys[0]) : null, limit + 1);
    const next = found.length > limit ? encodeCursor(scope, [found[limit - 1]!.id]) : null;
    const now = runtime.clock.now(tenant);
    return {
      data: found.slice(0, limit).map((intent) => intentDocument(intent, now)),
      pagination: { limit, has_more: next !== null, next_cursor: next },
    };
  }),
  GetCheckoutIntent: query(async (sql, { tenant }, { id }) => {
    const intent = await findIntent(sql, tenant, id);
    return intent === null ? notFound('checkout intent') : { data: intentDocument(intent, runtime.clock.now(tenant)) };
  }),
});

export const checkoutHandlers = (
  runtime: IntentRuntime,
  parts: IntentParts,
): Pick<Handlers<AgentSessionRpcs>, 'BeginCheckout' | 'ChangeCheckout'> => ({
  BeginCheckout: createIntent<BeginCheckoutRequest>(runtime, parts, (input) => input),
  ChangeCheckout: updateIntentHandler(runtime, parts, rechosen),
});
