// The one transaction that is an order: decision, value, stock, promotion uses, the order itself and its events. All of it
// is committed with the idempotent answer, or none of it is.
import { randomUUIDv7 } from 'bun';
import type { CreateOrderRequest, OrderResponse } from '#proto/gen/order.ts';
import { type Call, Refusal, refuse } from '#runtime/call.ts';
import type { Event, Transaction } from '#runtime/transaction.ts';
import { redeemCards, spendCredit } from '#services/ledger/index.ts';
import { toMinor } from '#values/money.ts';
import { orderDocument } from './document.ts';
import { amountDue, type WholeOrder } from './order.ts';
import { minorOf, type Placement } from './placement.ts';
import { redeemPromotions } from './promotion_use.ts';
import { commitAttempt } from './table/decision.ts';
import { insertOrder } from './table/order.ts';
import { takeStock } from './table/stock.ts';

const LATE = refuse('conflict', 'The request took too long and was given up. Send it again.', { retryAfterS: 1 });
const TAKEN = refuse('conflict', 'An order was placed from this already.');

/** Store credit that the body wants to use, in minor units. */
const creditOf = (input: CreateOrderRequest, { currency, customer }: Placement): number | Refusal => {
  const wanted = input.store_credit ?? 0;
  if (wanted === 0) return 0;
  const minor = toMinor(wanted, currency);
  if (minor === null)
    return refuse('invalid_request', `\`store_credit\` must be an amount with at most ${currency.exponent} decimals.`, {
      param: 'store_credit',
    });
  if (customer === null)
    return refuse('invalid_request', 'Store credit is a customer’s: `customer_id` is needed.', {
      param: 'store_credit',
    });
  return minor;
};

const orderOf = (input: CreateOrderRequest, placement: Placement, now: Date): WholeOrder => {
  const { currency, priced, delivery, shop } = placement;
  const minor = (major: number): number => minorOf(major, currency);
  return {
    id: randomUUIDv7(),
    number: placement.number,
    attempt: placement.attempt,
    origin: { kind: placement.origin.kind, id: placement.origin.id, version: placement.origin.version },
    customer_id: placement.customer,
    email: placement.email,
    order_status: 'pending',
    payment_status: 'pending',
    currency: currency.code,
    subtotal: minor(priced.subtotal),
    discount_total: minor(priced.discount_total),
    shipping_total: minor(priced.shipping_total),
    shipping_tax: minor(priced.shipping_tax),
    tax_total: minor(priced.tax_total),
    total_amount: minor(priced.total),
    gift_card_total: 0,
    store_credit_total: 0,
    amount_paid: 0,
    amount_refunded: 0,
    shipping_address: placement.shippingAddress,
    billing_address: placement.billingAddress,
    shipping_option_id: delivery?.optionId ?? null,
    shipping_option_name: delivery?.name ?? null,
    shipping_rate: delivery?.rate ?? null,
    tracking_number: null,
    carrier: delivery?.carrier ?? null,
    tracking_url: null,
    applied_promotions: priced.applied_promotions,
    note: input.note ?? null,
    metadata: input.metadata ?? {},
    return_window_days: shop.return_window_days,
    delivered_at: null,
    created_at: now,
    updated_at: now,
    lines: placement.lines,
    refunds: [],
    shipments: [],
  };
};

export const placeOrder = async (
  tx: Transaction,
  call: Call,
  input: CreateOrderRequest,
  placement: Placement,
): Promise<OrderResponse | Refusal> => {
  const { tenant } = call;
  const { attempt, currency, origin, customer } = placement;
  const now = tx.clock.now(tenant);
  const credit = creditOf(input, placement);
  if (credit instanceof Refusal) return credit;
  // A quote is used once, whatever attempt uses it.
  const decided = origin.kind === 'quote' ? [attempt, origin.id!] : [attempt];
  if (!(await commitAttempt(tx.sql, tenant, decided, now)))
    return origin.kind === 'items' || origin.kind === 'cart' ? LATE : TAKEN;

  const draft = orderOf(input, placement, now);
  const codes = [...origin.giftCards, ...(input.gift_card_codes ?? [])];
  const cards = await redeemCards(tx, tenant, {
    order: draft.id,
    currency: currency.code,
    due: draft.total_amount,
    codes,
  });
  if (cards instanceof Refusal) return cards;
  const giftCardTotal = cards.reduce((sum, { amount }) => sum + amount, 0);
  const storeCredit = Math.min(credit, draft.total_amount - giftCardTotal);
  if (storeCredit > 0) {
    const spent = await spendCredit(tx, tenant, {
      order: draft.id,
      customer: customer!,
      currency: currency.code,
      amount: storeCredit,
    });
    if (spent) return spent;
  }

  const valued = { ...draft, gift_card_total: giftCardTotal, store_credit_total: storeCredit };
  const free = amountDue(valued) === 0;
  const order: WholeOrder = free ? { ...valued, payment_status: 'paid', order_status: 'confirmed' } : valued;
  await insertOrder(tx.sql, tenant, order);
  const document = orderDocument(tenant, order);
  const events: Event[] = [
    { type: 'order.created', object: document },
    ...order.applied_promotions.map((promotion) => ({
      type: 'promotion.applied',
      object: { ...promotion, order_id: order.id },
    })),
    ...(free ? [{ type: 'order.paid', object: document }] : []),
  ];
  await tx.emit(tenant, events);

  // Last, since what many want is locked until the commit: promotions in demand, then levels.
  const overused = await redeemPromotions(tx, tenant, {
    order: order.id,
    customer: customer ?? order.email,
    currency,
    promotions: order.applied_promotions,
  });
  if (overused) return overused;
  const taken = origin.wanted;
  const levels = await takeStock(tx.sql, tenant, taken);
  if (levels.length < taken.length) {
    const left = new Set(levels.map(({ variant_id }) => variant_id));
    const short = taken.find(({ variant }) => !left.has(variant))!;
    return refuse('insufficient_stock', 'There is not as much in stock.', {
      param: short.param.replace(/variant_id$/, 'quantity'),
      details: short.variant,
    });
  }
  return { order: document };
};
