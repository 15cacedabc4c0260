// The transaction that places orders: writes decisions, gift card and credit payments, stock, promotion uses, orders,
// events and idempotent answers.
import { randomUUIDv7 } from 'bun';
import type { CreateOrderRequest, OrderResponse, StoreOrder } from '#proto/gen/order.ts';
import { counted, Refusal, refuse, type Tenant } from '#runtime/call/call.ts';
import type { Event } from '#runtime/event/event.ts';
import { eventId } from '#runtime/event/event.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import { takeIntents, takeQuotes } from '#services/agent/transaction.ts';
import { takeOnHand } from '#services/catalog/transaction.ts';
import { exchangeFrom } from '#services/commerce/pinned_rate.ts';
import { badAmount } from '#services/commerce/shared_refusal.ts';
import { namedIn, redeemCards, spendCredit } from '#services/ledger/index.ts';
import { tagOrNull } from '#values/language.ts';
import { fromMajor, toMinor } from '#values/money.ts';
import { bookOrder } from './booked_order.ts';
import { orderDocument } from './document.ts';
import { eventSuffixOf } from './follow_up.ts';
import { amountDue, type WholeOrder } from './order.ts';
import type { OrderOrigin } from './origin.ts';
import type { PreparedOrder } from './preparation.ts';
import { redeemPromotions } from './promotion_use.ts';
import { ANSWER_STORED } from './reservation.ts';
import { commitAttempts } from './table/decision.ts';
import { insertOrders } from './table/order.ts';

const ORIGIN_USED: Readonly<Record<Exclude<OrderOrigin['kind'], 'items' | 'purchase_order' | 'group'>, Refusal>> = {
  cart: refuse('conflict', 'Another order was placed from this cart. Fetch the cart and retry.', { param: 'cart' }),
  quote: refuse('conflict', 'The quote was used or has expired. Request a new quote.', { param: 'quote_id' }),
  intent: refuse(
    'conflict',
    'The checkout intent was completed, cancelled or changed, or has expired. Fetch it and retry.',
    {
      param: 'checkout_intent_id',
    },
  ),
};

const storeCreditOf = (input: CreateOrderRequest, { currency, customer }: PreparedOrder): number | Refusal => {
  const requested = input.store_credit ?? 0;
  if (requested === 0) return 0;
  const minor = toMinor(requested, currency);
  if (minor === null) return badAmount('store_credit', requested, currency);
  if (customer === null)
    return refuse('invalid_request', '`store_credit` requires a `customer_id`.', {
      param: 'store_credit',
    });
  return minor;
};

export const newOrder = (
  input: Pick<CreateOrderRequest, 'note' | 'metadata' | 'language'>,
  prepared: PreparedOrder,
  now: Date,
): WholeOrder => {
  const { currency, priced, delivery, storeProfile } = prepared;
  const language = tagOrNull(input.language) ?? prepared.origin.language;
  const minor = (major: number): number => fromMajor(major, currency);
  const amounts = {
    subtotal: minor(priced.subtotal),
    discount_total: minor(priced.discount_total),
    shipping_total: minor(priced.shipping_total),
    shipping_tax: minor(priced.shipping_tax),
    tax_total: minor(priced.tax_total),
    total_amount: minor(priced.total),
    lines: prepared.lines,
  };
  return {
    id: randomUUIDv7(),
    number: prepared.number,
    attempt: prepared.attempt,
    origin: {
      kind: prepared.origin.kind,
      id: prepared.origin.id,
      version: prepared.origin.version,
      cart: prepared.origin.cart,
      ...(prepared.origin.agent && { agent: prepared.origin.agent }),
      ...(language !== null && { language }),
    },
    customer_id: prepared.customer,
    email: prepared.email,
    order_status: 'pending',
    payment_status: 'pending',
    currency: currency.code,
    ...amounts,
    gift_card_total: 0,
    store_credit_total: 0,
    amount_paid: 0,
    amount_refunded: 0,
    amount_released: 0,
    shipping_address: prepared.shippingAddress,
    billing_address: prepared.billingAddress,
    shipping_option_id: delivery?.optionId ?? null,
    shipping_option_name: delivery?.name ?? null,
    shipping_rate: delivery?.rate ?? null,
    tracking_number: null,
    carrier: delivery?.carrier ?? null,
    tracking_url: null,
    applied_promotions: priced.applied_promotions,
    note: input.note ?? prepared.origin.note,
    metadata: input.metadata ?? {},
    return_window_days: storeProfile.return_window_days,
    delivered_at: null,
    created_at: now,
    updated_at: now,
    books: priced.exchange ? bookOrder(amounts, exchangeFrom(priced.exchange, currency)) : null,
    refunds: [],
    shipments: [],
  };
};

export const paidIfNothingDue = (order: WholeOrder): WholeOrder =>
  amountDue(order) === 0 ? { ...order, payment_status: 'paid', order_status: 'confirmed' } : order;

export const placementEvents = (order: WholeOrder, document: StoreOrder): Event[] => [
  // The event's id contains part of the order's id, by which the process that placed the order recognises and skips the
  // event.
  { type: 'order.created', object: document, id: eventId(order.created_at.getTime(), eventSuffixOf(order.id)) },
  ...order.applied_promotions.map((promotion) => ({
    type: 'promotion.applied' as const,
    object: { ...promotion, order_id: order.id },
  })),
  ...(order.payment_status === 'paid' ? [{ type: 'order.paid', object: document } as const] : []),
];

const decisionKeysOf = ({ attempt, origin }: PreparedOrder): string[] =>
  origin.decision === null ? [attempt] : [attempt, origin.decision];

export interface OrderPlacement {
  readonly input: CreateOrderRequest;
  readonly prepared: PreparedOrder;
}

const earlierDecision = (placements: readonly OrderPlacement[], before: readonly string[]): Refusal | null => {
  for (const { prepared } of placements) {
    const { attempt, origin } = prepared;
    if (before.includes(attempt)) return origin.kind === 'intent' ? ORIGIN_USED.intent : ANSWER_STORED;
    if (origin.decision !== null && before.includes(origin.decision)) return ORIGIN_USED.cart;
  }
  return null;
};

/** `order` is not stored yet, and nothing is redeemed for it. */
interface DraftedPlacement extends OrderPlacement {
  readonly order: WholeOrder;
  /** Store credit that the buyer wants to spend, in minor units. */
  readonly credit: number;
}

const usesStoredValue = ({ input, prepared, credit }: DraftedPlacement): boolean =>
  credit > 0 || prepared.origin.giftCardCodes.length > 0 || (input.gift_card_codes ?? []).length > 0;

const redeemStoredValue = async (
  tx: Transaction,
  tenant: Tenant,
  { input, prepared, order, credit }: DraftedPlacement,
): Promise<WholeOrder | Refusal> => {
  const { currency, origin, customer } = prepared;
  const cards = await redeemCards(tx, tenant, {
    order: order.id,
    currency: currency.code,
    due: order.total_amount,
    books: order.books,
    codes: [
      ...origin.giftCardCodes.map((code) => ({ code, param: 'cart' })),
      ...namedIn('gift_card_codes', input.gift_card_codes ?? []),
    ],
  });
  if (cards instanceof Refusal) return cards;
  const giftCardTotal = cards.reduce((sum, { amount }) => sum + amount, 0);
  const storeCredit = Math.min(credit, order.total_amount - giftCardTotal);
  if (storeCredit > 0) {
    const requested = {
      order: order.id,
      customer: customer!,
      currency: currency.code,
      amount: storeCredit,
      books: order.books,
    };
    const spent = await spendCredit(tx, tenant, requested);
    if (spent) return spent;
  }
  return { ...order, gift_card_total: giftCardTotal, store_credit_total: storeCredit };
};

/**
 * Places 1 to 50 orders of one tenant, all or none. Sends independent statements without waiting in between; Postgres
 * runs them in the written sequence.
 */
export const placeOrders = async (
  tx: Transaction,
  tenant: Tenant,
  placements: readonly OrderPlacement[],
): Promise<readonly OrderResponse[] | Refusal> => {
  const now = tx.clock.now(tenant);
  const drafted: DraftedPlacement[] = [];
  for (const { input, prepared } of placements) {
    const credit = storeCreditOf(input, prepared);
    if (credit instanceof Refusal) return credit;
    drafted.push({ input, prepared, order: newOrder(input, prepared, now), credit });
  }
  const attempts = placements.flatMap(({ prepared }) => decisionKeysOf(prepared));
  const usedBy = (kind: OrderOrigin['kind']) =>
    drafted.flatMap(({ prepared: { origin }, order }) =>
      origin.kind === kind ? [{ id: origin.id!, version: origin.version, order: order.id }] : [],
    );
  const [before, quotesTaken, intentsTaken] = await Promise.all([
    commitAttempts(tx.sql, tenant, attempts, now),
    takeQuotes(tx, tenant, usedBy('quote')),
    takeIntents(tx, tenant, usedBy('intent')),
  ]);
  const stale = quotesTaken ? (intentsTaken ? null : ORIGIN_USED.intent) : ORIGIN_USED.quote;
  const late = earlierDecision(placements, before) ?? stale;
  if (late) return late;

  // Redeems before the orders are inserted, because their rows contain the redeemed amounts.
  const orders: WholeOrder[] = [];
  for (const placement of drafted) {
    const order = usesStoredValue(placement) ? await redeemStoredValue(tx, tenant, placement) : placement.order;
    if (order instanceof Refusal) return order;
    orders.push(paidIfNothingDue(order));
  }
  const documents = orders.map((order) => orderDocument(tenant, order));
  const refusals = await Promise.all([
    insertOrders(tx.sql, tenant, orders).then(() => null),
    tx
      .emit(
        tenant,
        orders.flatMap((order, at) => placementEvents(order, documents[at]!)),
      )
      .then(() => null),
    // Locks promotions and then stock levels last, because the rows of popular ones stay locked until the commit.
    ...placements.map(({ prepared }, at) =>
      redeemPromotions(tx, tenant, {
        order: orders[at]!.id,
        customer: prepared.customer,
        emails: prepared.emails,
        currency: prepared.currency,
        promotions: orders[at]!.applied_promotions,
        promised: prepared.origin.promised !== null,
      }),
    ),
    allocateStock(
      tx,
      tenant,
      placements.flatMap(({ prepared }) => prepared.origin.requested),
    ),
  ]);
  return refusals.find((refusal) => refusal !== null) ?? documents.map((order) => ({ order }));
};

export const allocateStock = async (
  tx: Transaction,
  tenant: Tenant,
  requested: OrderOrigin['requested'],
): Promise<Refusal | null> => {
  const lowered = new Set((await takeOnHand(tx.sql, tenant, requested)).map(({ variant_id }) => variant_id));
  const short = requested.find(({ variant }) => !lowered.has(variant));
  if (!short) return null;
  return refuse(
    'insufficient_stock',
    `Fewer than ${counted(short.quantity, 'unit')} of variant ${short.variant} can be sold. Send a lower quantity.`,
    {
      param: short.param.replace(/variant_id$/, 'quantity'),
      details: short.variant,
    },
  );
};

export const needsStockOnly = (input: CreateOrderRequest, { origin, priced }: PreparedOrder): boolean =>
  (input.store_credit ?? 0) === 0 &&
  (input.gift_card_codes ?? []).length === 0 &&
  origin.giftCardCodes.length === 0 &&
  priced.applied_promotions.length === 0;
