// The door of the Agent API.
import { randomUUIDv7 } from 'bun';
import type {
  AgentRpcs,
  CartDraft,
  CheckoutIntent,
  CreateCartDraftRequest,
  CreateCheckoutIntentRequest,
  CreateQuoteRequest,
  UpdateCartDraftRequest,
  UpdateCheckoutIntentRequest,
} from '#proto/gen/agent.ts';
import type { AddressInput } from '#proto/gen/shared.ts';
import { commandIdOf } from '#runtime/actor/host.ts';
import { badCountry } from '#runtime/address.ts';
import { type Call, notFound, Refusal, refuse, renamed } from '#runtime/call.ts';
import type { Foundation } from '#runtime/foundation.ts';
import type { Inquiry } from '#runtime/inquiry.ts';
import { type Handlers, query, staged, transaction } from '#runtime/rpc.ts';
import { currencyOf } from '#values/currency.ts';
import { fromMajor, toMajor } from '#values/money.ts';
import { pointOf, wholeAddress, withPoint } from './address.ts';
import type { Appraisal, Wish } from './appraisal.ts';
import {
  type IntentRecord,
  intentDocument,
  intentStatus,
  type Offer,
  type QuoteRecord,
  quoteDocument,
  quoteStatus,
} from './offer.ts';
import { type DraftRecord, findDraft, holdDraft, saveDraft } from './table/draft.ts';
import {
  cancelIntent,
  findIntent,
  findQuote,
  holdIntent,
  insertIntent,
  insertQuote,
  takeQuote,
  updateIntent,
} from './table/offer.ts';

/** Contract 4, "Time constants". */
const QUOTE_MS = 15 * 60_000;
const MINUTE_MS = 60_000;
/** A draft costs nothing and promises nothing: it is kept for a day. */
const DRAFT_MS = 24 * 3_600_000;

const SOURCES = ['items', 'quote_id', 'cart_draft_id'] as const;

export interface AgentParts {
  readonly appraisal: Appraisal;
  readonly inquiry: Inquiry;
}

/** An intent's stock, and what was promised for it. */
interface Begun {
  readonly id: string;
  readonly hold: string;
  readonly offer: Offer;
  readonly email: string | null;
  readonly address: AddressInput | null;
  readonly draft: string | null;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

interface Changed {
  readonly offer: Offer;
  readonly email: string | null;
  readonly address: AddressInput | null;
}

interface Rerouted {
  /** Another way or price; null: as it was. */
  readonly way: { readonly offer: Offer; readonly address: AddressInput | null; readonly from: string } | null;
}

interface PricedDraft {
  readonly draft: DraftRecord;
  readonly shown: CartDraft;
}

const draftIsOver = ({ converted, expires_at }: DraftRecord, now: Date): Refusal | null =>
  converted || expires_at <= now
    ? refuse('conflict', `The cart draft is ${converted ? 'converted' : 'expired'}.`, { param: 'cart_draft_id' })
    : null;

const intentOf = (intent: IntentRecord, now: Date): CheckoutIntent =>
  intentDocument(intent, now, wholeAddress(intent.shipping_address));

/** What another change meanwhile would have made differently. */
const promiseOf = ({ offer, shipping_address }: IntentRecord): string => JSON.stringify([offer, shipping_address]);

const changedMeanwhile = (what: string): Refusal =>
  refuse('conflict', `The ${what} was changed meanwhile. Send the request again.`, { retryAfterS: 1 });

const isOver = (status: string): Refusal => refuse('conflict', `The checkout intent is ${status}.`);

export const agentHandlers = (
  { clock, postgres }: Pick<Foundation, 'clock' | 'postgres'>,
  { appraisal, inquiry }: AgentParts,
): Handlers<AgentRpcs> => {
  const variantsOf = (offer: Offer): string[] => offer.priced.lines.map(({ variant_id }) => variant_id);

  const hold = (call: Call, id: string, offer: Offer, expiresAt: Date): Promise<unknown | Refusal> =>
    inquiry.ask('Stock/HoldStock', call, {
      hold_id: id,
      lines: offer.priced.lines.map(({ variant_id, quantity }) => ({ variant_id, quantity })),
      expires_at: expiresAt.toISOString(),
      settle: true,
    });

  const release = (call: Pick<Call, 'tenant'>, id: string, offer: Offer): Promise<void> =>
    inquiry.tell('Stock/ReleaseHold', call, { hold_id: id, variant_ids: variantsOf(offer), settle: true });

  const draftDocument = async (call: Call, draft: DraftRecord): Promise<CartDraft | Refusal> => {
    const { items, promotion_codes: promotionCodes } = draft;
    const offer = await appraisal.offer(call, { items, promotionCodes, address: null, point: null, optionId: null });
    if (offer instanceof Refusal) return offer;
    const { priced, names } = offer;
    const currency = currencyOf(priced.currency);
    const less = (amount: number, discount: number): number =>
      toMajor(fromMajor(amount, currency) - fromMajor(discount, currency), currency);
    const now = clock.now(call.tenant);
    return {
      id: draft.id,
      status: draft.converted ? 'converted' : draft.expires_at <= now ? 'expired' : 'open',
      items: priced.lines.map(({ variant_id, quantity, unit_price, subtotal, discount }, at) => ({
        variant_id,
        name: names[at]!,
        quantity,
        unit_price,
        subtotal,
        discount,
        total: less(subtotal, discount),
      })),
      email: draft.email,
      shipping_address: wholeAddress(draft.shipping_address),
      promotion_codes: draft.promotion_codes,
      currency: priced.currency,
      subtotal: priced.subtotal,
      discount_total: priced.discount_total,
      total: less(priced.subtotal, priced.discount_total),
      expires_at: draft.expires_at.toISOString(),
      created_at: draft.created_at.toISOString(),
    };
  };

  const pricedDraft = async (call: Call, draft: DraftRecord): Promise<PricedDraft | Refusal> => {
    const nowhere = badCountry(draft.shipping_address, 'shipping_address');
    if (nowhere) return nowhere;
    const shown = await draftDocument(call, draft);
    return shown instanceof Refusal ? shown : { draft, shown };
  };

  /** What an intent is made from, frozen now or frozen already. */
  const source = async (
    call: Call,
    input: CreateCheckoutIntentRequest,
  ): Promise<(Changed & { readonly draft: string | null }) | Refusal> => {
    const named = SOURCES.filter((name) => Boolean(input[name]));
    if (named.length !== 1)
      return refuse('invalid_request', 'Exactly one of `items`, `quote_id` and `cart_draft_id` is needed.', {
        param: named[1] ?? 'items',
      });
    const nowhere = badCountry(input.shipping_address, 'shipping_address');
    if (nowhere) return nowhere;
    const { tenant } = call;
    const optionId = input.shipping_option_id ?? null;
    const point = pointOf(input.latitude, input.longitude);
    const codes = input.promotion_codes ?? [];
    if (input.quote_id) {
      const quote = await findQuote(postgres.sql, tenant, input.quote_id);
      if (quote === null) return notFound('quote', 'quote_id');
      const status = quoteStatus(quote, clock.now(tenant));
      if (status !== 'open') return refuse('conflict', `The quote is ${status}.`, { param: 'quote_id' });
      const given = input.shipping_address ?? null;
      const address = given === null ? quote.shipping_address : withPoint(given, input.latitude, input.longitude);
      const email = input.email ?? null;
      if (given === null && point === null && optionId === null)
        return { offer: quote.offer, email, address, draft: null };
      const chosen = optionId ?? quote.offer.delivery?.option_id ?? null;
      const offer = await appraisal.redeliver(call, quote.offer, { address, point, optionId: chosen });
      return offer instanceof Refusal ? offer : { offer, email, address, draft: null };
    }
    const draft = input.cart_draft_id ? await findDraft(postgres.sql, tenant, input.cart_draft_id) : null;
    if (input.cart_draft_id && draft === null) return notFound('cart draft', 'cart_draft_id');
    const over = draft && draftIsOver(draft, clock.now(tenant));
    if (over) return over;
    const given = input.shipping_address ?? draft?.shipping_address ?? null;
    const address = withPoint(given, input.latitude, input.longitude);
    const wish: Wish = {
      items: draft?.items ?? input.items!,
      promotionCodes: [...new Set([...(draft?.promotion_codes ?? []), ...codes])],
      address,
      point,
      optionId,
    };
    const offer = await appraisal.offer(call, wish);
    if (offer instanceof Refusal) return offer;
    return { offer, email: input.email ?? draft?.email ?? null, address, draft: draft?.id ?? null };
  };

  return {
    CreateQuote: staged<CreateQuoteRequest, unknown, Offer>({
      prepare: (call, input) => {
        const { items, promotion_codes: promotionCodes = [], shipping_option_id } = input;
        const nowhere = badCountry(input.shipping_address, 'shipping_address');
        if (nowhere) return nowhere;
        const address = withPoint(input.shipping_address ?? null, input.latitude, input.longitude);
        const point = pointOf(input.latitude, input.longitude);
        const optionId = shipping_option_id ?? (address === null && point === null ? null : 'place');
        return appraisal.offer(call, { items, promotionCodes, address, point, optionId });
      },
      run: async (tx, { tenant }, input, offer) => {
        const now = clock.now(tenant);
        const quote: QuoteRecord = {
          id: randomUUIDv7(),
          offer,
          shipping_address: withPoint(input.shipping_address ?? null, input.latitude, input.longitude),
          order_id: null,
          intent_id: null,
          expires_at: new Date(now.getTime() + QUOTE_MS),
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

    CreateCartDraft: staged<CreateCartDraftRequest, unknown, PricedDraft>({
      prepare: (call, input) => {
        const now = clock.now(call.tenant);
        return pricedDraft(call, {
          id: randomUUIDv7(),
          items: input.items,
          email: input.email ?? null,
          shipping_address: input.shipping_address ?? null,
          promotion_codes: input.promotion_codes ?? [],
          converted: false,
          expires_at: new Date(now.getTime() + DRAFT_MS),
          created_at: now,
        });
      },
      run: async (tx, { tenant }, _input, { draft, shown }) => {
        await saveDraft(tx.sql, tenant, draft);
        return { data: shown };
      },
      undo: () => {},
    }) as Handlers<AgentRpcs>['CreateCartDraft'],

    GetCartDraft: query(async (sql, call, { id }) => {
      const draft = await findDraft(sql, call.tenant, id);
      if (draft === null) return notFound('cart draft');
      const shown = await draftDocument(call, draft);
      return shown instanceof Refusal ? shown : { data: shown };
    }),

    UpdateCartDraft: staged<UpdateCartDraftRequest, unknown, PricedDraft & { readonly from: string }>({
      prepare: async (call, input) => {
        const draft = await findDraft(postgres.sql, call.tenant, input.id);
        if (draft === null) return notFound('cart draft');
        const over = draftIsOver(draft, clock.now(call.tenant));
        if (over) return over;
        const priced = await pricedDraft(call, {
          ...draft,
          items: input.items ?? draft.items,
          email: input.email === undefined ? draft.email : input.email,
          shipping_address: input.shipping_address === undefined ? draft.shipping_address : input.shipping_address,
          promotion_codes: input.promotion_codes ?? draft.promotion_codes,
        });
        return priced instanceof Refusal ? priced : { ...priced, from: JSON.stringify(draft) };
      },
      run: async (tx, { tenant }, { id }, { draft, shown, from }) => {
        const before = await holdDraft(tx.sql, tenant, id);
        const over = before && draftIsOver(before, clock.now(tenant));
        if (over) return over;
        if (JSON.stringify(before) !== from) return changedMeanwhile('cart draft');
        await saveDraft(tx.sql, tenant, draft);
        return { data: shown };
      },
      undo: () => {},
    }) as Handlers<AgentRpcs>['UpdateCartDraft'],

    CreateCheckoutIntent: staged<CreateCheckoutIntentRequest, unknown, Begun>({
      prepare: async (call, input) => {
        const made = await source(call, input);
        if (made instanceof Refusal) return made;
        const shop = await appraisal.shop(call);
        const createdAt = clock.now(call.tenant);
        const expiresAt = new Date(createdAt.getTime() + shop.intent_ttl_minutes * MINUTE_MS);
        // The key's own hold first, which a try before a crash may have taken; where that ended with its intent, another.
        let id = commandIdOf(call);
        let held = await hold(call, id, made.offer, expiresAt);
        if (held instanceof Refusal && held.code === 'conflict') {
          id = randomUUIDv7();
          held = await hold(call, id, made.offer, expiresAt);
        }
        if (held instanceof Refusal) return renamed(held, (param) => wishedAt(input, made.offer, param));
        return { id: randomUUIDv7(), hold: id, ...made, createdAt, expiresAt };
      },
      run: async (tx, { tenant }, input, { id, hold: held, offer, email, address, draft, createdAt, expiresAt }) => {
        const now = clock.now(tenant);
        const intent: IntentRecord = {
          id,
          hold: held,
          offer,
          email,
          shipping_address: address,
          status: 'open',
          order_id: null,
          version: 0,
          expires_at: expiresAt,
          created_at: createdAt,
        };
        await insertIntent(tx.sql, tenant, intent);
        if (input.quote_id && !(await takeQuote(tx.sql, tenant, input.quote_id, id)))
          return refuse('conflict', 'The quote is used.', { param: 'quote_id' });
        const from = draft && (await holdDraft(tx.sql, tenant, draft));
        const over = from && draftIsOver(from, now);
        if (over) return over;
        if (from) await saveDraft(tx.sql, tenant, { ...from, converted: true });
        return { data: intentOf(intent, now) };
      },
      undo: (call, begun) => release(call, begun.hold, begun.offer),
    }) as Handlers<AgentRpcs>['CreateCheckoutIntent'],

    GetCheckoutIntent: query(async (sql, { tenant }, { id }) => {
      const intent = await findIntent(sql, tenant, id);
      return intent === null ? notFound('checkout intent') : { data: intentOf(intent, clock.now(tenant)) };
    }),

    UpdateCheckoutIntent: staged<UpdateCheckoutIntentRequest, unknown, Rerouted>({
      prepare: async (call, input) => {
        const nowhere = badCountry(input.shipping_address, 'shipping_address');
        if (nowhere) return nowhere;
        const intent = await findIntent(postgres.sql, call.tenant, input.id);
        if (intent === null) return notFound('checkout intent');
        const status = intentStatus(intent, clock.now(call.tenant));
        if (status !== 'open' && status !== 'ready') return isOver(status);
        const given = input.shipping_address === undefined ? intent.shipping_address : input.shipping_address;
        const address = withPoint(given, input.latitude, input.longitude);
        const point = pointOf(input.latitude, input.longitude);
        const optionId =
          input.shipping_option_id === undefined
            ? (intent.offer.delivery?.option_id ?? null)
            : input.shipping_option_id;
        const codes = input.promotion_codes;
        // What was promised stays as it is where nothing is said about it.
        if (!codes && input.shipping_address === undefined && input.shipping_option_id === undefined && point === null)
          return { way: null };
        const items = intent.offer.priced.lines.map(({ variant_id, quantity }) => ({ variant_id, quantity }));
        const where = { address, point, optionId };
        const offer = codes
          ? await appraisal.offer(call, { items, promotionCodes: codes, ...where })
          : await appraisal.redeliver(call, intent.offer, where);
        return offer instanceof Refusal ? offer : { way: { offer, address, from: promiseOf(intent) } };
      },
      run: async (tx, { tenant }, { id, email }, { way }) => {
        const now = clock.now(tenant);
        const intent = await holdIntent(tx.sql, tenant, id);
        if (intent === null) return notFound('checkout intent');
        const status = intentStatus(intent, now);
        if (status !== 'open' && status !== 'ready') return isOver(status);
        if (way && way.from !== promiseOf(intent)) return changedMeanwhile('checkout intent');
        const changed = {
          ...intent,
          email: email === undefined ? intent.email : email,
          ...(way && { offer: way.offer, shipping_address: way.address }),
        };
        await updateIntent(tx.sql, tenant, id, changed);
        return { data: intentOf(changed, now) };
      },
      undo: () => {},
    }) as Handlers<AgentRpcs>['UpdateCheckoutIntent'],

    CancelCheckoutIntent: transaction(async (tx, call, { id }) => {
      const now = clock.now(call.tenant);
      const intent = await holdIntent(tx.sql, call.tenant, id);
      if (intent === null) return notFound('checkout intent');
      const status = intentStatus(intent, now);
      if (status !== 'open' && status !== 'ready') return isOver(status);
      await cancelIntent(tx.sql, call.tenant, id);
      // Should this be lost, the hold ends with the intent's time.
      tx.afterCommit(() => release(call, intent.hold, intent.offer));
      return { data: intentOf({ ...intent, status: 'cancelled' }, now) };
    }),
  };
};

/** A hold speaks of the offer's lines: where the body names the line that is too many. */
const wishedAt = (input: CreateCheckoutIntentRequest, { priced }: Offer, param: string): string => {
  if (!input.items) return input.quote_id ? 'quote_id' : 'cart_draft_id';
  const variant = priced.lines[Number(/\d+/.exec(param)?.[0])]?.variant_id;
  const at = input.items.findIndex(({ variant_id }) => variant_id.toLowerCase() === variant);
  return at < 0 ? 'items' : `items[${at}].quantity`;
};
