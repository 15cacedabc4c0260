// Giving back what was paid: how much, for which pieces, and to whom it goes first.
import { randomUUIDv7 } from 'bun';
import type { CreateRefundRequest, RefundResponse } from '#proto/gen/order.ts';
import { notFound, Refusal, refuse, type Tenant } from '#runtime/call.ts';
import type { Transaction } from '#runtime/transaction.ts';
import { refundOrder, type Share } from '#services/ledger/index.ts';
import { currencyOf } from '#values/currency.ts';
import { toMinor } from '#values/money.ts';
import { withPayment } from './change.ts';
import { orderDocument, refundDocument } from './document.ts';
import {
  type LineRecord,
  outstanding,
  type RefundRecord,
  restockable,
  type WholeOrder,
  withdrawn,
  worthOf,
} from './order.ts';
import { canBePaid } from './status.ts';
import { findOrder, insertRefund, movePieces, updateOrder } from './table/order.ts';
import { returnStock } from './table/stock.ts';

interface Returned {
  readonly line: LineRecord;
  readonly quantity: number;
  readonly restock: boolean;
}

const readItems = (order: WholeOrder, input: CreateRefundRequest): readonly Returned[] | Refusal => {
  const returned: Returned[] = [];
  for (const [at, { order_item_id, quantity, restock = false }] of (input.items ?? []).entries()) {
    const line = order.lines.find(({ id }) => id === order_item_id.toLowerCase());
    if (!line) return notFound('order item', `items[${at}].order_item_id`);
    if (returned.some((other) => other.line === line))
      return refuse('invalid_request', 'This item is named twice.', { param: `items[${at}].order_item_id` });
    if (quantity > line.quantity - line.quantity_returned)
      return refuse('conflict', 'That is more than is left of this item.', { param: `items[${at}].quantity` });
    if (restock && quantity > restockable(order, line))
      return refuse('conflict', 'These pieces are in stock again already.', { param: `items[${at}].restock` });
    returned.push({ line, quantity, restock });
  }
  return returned;
};

const amountOf = (order: WholeOrder, input: CreateRefundRequest, returned: readonly Returned[]): number | Refusal => {
  const currency = currencyOf(order.currency);
  if (input.amount !== undefined && input.amount !== null) {
    const minor = toMinor(input.amount, currency);
    if (minor !== null && (minor > 0 || returned.length > 0)) return minor;
    if (minor === 0)
      return refuse('invalid_request', '`amount` must be above 0 unless `items` are named.', { param: 'amount' });
    const message = `\`amount\` must be an amount with at most ${currency.exponent} decimals.`;
    return refuse('invalid_request', message, { param: 'amount' });
  }
  if (returned.length > 0) return returned.reduce((sum, { line, quantity }) => sum + worthOf(line, quantity), 0);
  return refuse('invalid_request', '`amount` or the `items` that it is for are needed.', { param: 'amount' });
};

const isUnpaid = (order: WholeOrder): boolean =>
  outstanding(order) > 0 && canBePaid(order.order_status, order.payment_status);

const refunded = (order: WholeOrder, amount: number): WholeOrder => ({
  ...order,
  amount_refunded: order.amount_refunded + amount,
});

/** What its gift cards and store credit paid, less what they have back. */
const withoutValue = (order: WholeOrder, shares: readonly Share[]): WholeOrder => {
  const sumOf = (kind: Share['source']['kind']): number =>
    shares.filter(({ source }) => source.kind === kind).reduce((sum, { amount }) => sum + amount, 0);
  return refunded(
    {
      ...order,
      gift_card_total: order.gift_card_total - sumOf('gift_card'),
      store_credit_total: order.store_credit_total - sumOf('store_credit'),
    },
    sumOf('payment') + sumOf('elsewhere'),
  );
};

export interface MadeRefund {
  readonly response: RefundResponse;
  readonly refund: RefundRecord;
  /** What its providers are still to give back. */
  readonly parts: readonly Share[];
}

/** Within the transaction that holds the order. What goes to a provider stays `pending` until that has given it back. */
export const makeRefund = async (
  tx: Transaction,
  tenant: Tenant,
  order: WholeOrder,
  input: CreateRefundRequest,
): Promise<MadeRefund | Refusal> => {
  const returned = readItems(order, input);
  if (returned instanceof Refusal) return returned;
  const amount = amountOf(order, input, returned);
  if (amount instanceof Refusal) return amount;
  const now = tx.clock.now(tenant);
  const id = randomUUIDv7();
  const shares = await refundOrder(tx, tenant, {
    refund: id,
    order: order.id,
    currency: order.currency,
    amount,
    reason: input.reason ?? undefined,
    // What cards and credit paid of an order that waits for the rest falls due again.
    unpaid: isUnpaid(order),
  });
  if (shares instanceof Refusal) return shares;
  const parts = shares.filter(({ source }) => source.kind === 'payment');
  const refund: RefundRecord = {
    id,
    amount,
    reason: input.reason ?? null,
    status: parts.length > 0 ? 'pending' : 'succeeded',
    created_at: now,
  };
  const pieces = returned.map(({ line, quantity, restock }) => ({ line: line.id, quantity, restock }));
  await insertRefund(tx.sql, tenant, order.id, refund, pieces);
  await movePieces(
    tx.sql,
    tenant,
    order.id,
    returned.map(({ line, quantity, restock }) => ({
      line: line.id,
      fulfilled: 0,
      returned: quantity,
      withdrawn: withdrawn(line, quantity),
      restocked: restock ? quantity : 0,
    })),
  );
  await returnStock(
    tx.sql,
    tenant,
    returned.filter(({ restock }) => restock).map(({ line, quantity }) => ({ variant: line.variant_id, quantity })),
  );
  const before = orderDocument(tenant, order);
  const changed = withPayment(isUnpaid(order) ? withoutValue(order, shares) : refunded(order, amount));
  await updateOrder(tx.sql, tenant, { ...changed, updated_at: now });
  const after = orderDocument(tenant, (await findOrder(tx.sql, tenant, order.id))!);
  const previousAttributes = { amount_refunded: before.amount_refunded, payment_status: before.payment_status };
  const shown = refundDocument(refund, currencyOf(order.currency));
  await tx.emit(tenant, [{ type: 'order.refunded', object: { ...after, refund: shown }, previousAttributes }]);
  return { response: { refund: shown }, refund, parts };
};
