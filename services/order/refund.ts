// Refunds orders and records the returned units. Refunds by hand, by returns and by disputes all use this file, so that
// together they never exceed what the order received.
import { randomUUIDv7 } from 'bun';
import type { CreateRefundRequest, RefundResponse } from '#proto/gen/order.ts';
import { type Call, counted, notFound, Refusal, refuse, type Tenant } from '#runtime/call/call.ts';
import { changedFields } from '#runtime/event/event.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import { returnOnHand } from '#services/catalog/transaction.ts';
import { badAmount } from '#services/commerce/shared_refusal.ts';
import { creditOf, type LedgerShare, type ReturnedShare, refundAsCredit, refundOrder } from '#services/ledger/index.ts';
import { currencyOf } from '#values/currency.ts';
import { toMinor } from '#values/money.ts';
import { creditorOf, isClosedCredit, withPayment } from './change.ts';
import type { OrderClients } from './client.ts';
import { orderDocument, refundDocument, refundedTo } from './document.ts';
import {
  isUnpaid,
  type LineRecord,
  type RefundRecord,
  restockable,
  unshippedAmong,
  type WholeOrder,
  worthOf,
} from './order.ts';
import { findOrder, insertRefund, moveUnits, updateOrder } from './table/order.ts';
import { type Claims, claimsOn } from './table/return.ts';

const NOT_CAPTURED = refuse('payment_not_captured', 'The payment of the order is authorised, not captured.', {
  hint: 'Capture less of it, or void it.',
});

const readItems = (
  order: WholeOrder,
  input: CreateRefundRequest,
  { units }: Claims,
): readonly ReturnedLine[] | Refusal => {
  const returned: ReturnedLine[] = [];
  for (const [at, { order_item_id, quantity, restock = false }] of (input.items ?? []).entries()) {
    const line = order.lines.find(({ id }) => id === order_item_id.toLowerCase());
    if (!line) return notFound('order item', `items[${at}].order_item_id`);
    if (returned.some((other) => other.line === line))
      return refuse('invalid_request', `Item ${line.id} is named twice. Merge its quantities.`, {
        param: `items[${at}].order_item_id`,
      });
    const left = line.quantity - line.quantity_returned - (units.get(line.id) ?? 0);
    if (quantity > left)
      return refuse(
        'conflict',
        `Only ${counted(left, 'unit')} of this item can be refunded, not ${quantity}. Send a lower quantity.`,
        {
          param: `items[${at}].quantity`,
          ...(units.has(line.id) && { hint: 'Units in an open return are refunded by that return.' }),
        },
      );
    if (restock && quantity > restockable(order, line))
      return refuse(
        'conflict',
        `Only ${counted(restockable(order, line), 'unit')} of this item can be restocked, not ${quantity}. Send a lower quantity.`,
        { param: `items[${at}].restock` },
      );
    returned.push({ line, quantity, restock });
  }
  return returned;
};

const amountOf = (
  order: WholeOrder,
  input: CreateRefundRequest,
  returned: readonly ReturnedLine[],
): number | Refusal => {
  const currency = currencyOf(order.currency);
  if (input.amount !== undefined && input.amount !== null) {
    const minor = toMinor(input.amount, currency);
    if (minor !== null && (minor > 0 || returned.length > 0)) return minor;
    if (minor === 0)
      return refuse('invalid_request', '`amount` must be above 0 unless `items` are named.', { param: 'amount' });
    return badAmount('amount', input.amount, currency);
  }
  if (returned.length > 0) return returned.reduce((sum, { line, quantity }) => sum + worthOf(line, quantity), 0);
  return refuse('invalid_request', 'Send an `amount`, `items`, or both.', { param: 'amount' });
};

export const refundByHand = async (
  tx: Transaction,
  tenant: Tenant,
  order: WholeOrder,
  input: CreateRefundRequest,
): Promise<RecordedRefund | Refusal> => {
  const claims = await claimsOn(tx.sql, tenant, order.id);
  const returned = readItems(order, input, claims);
  if (returned instanceof Refusal) return returned;
  const amount = amountOf(order, input, returned);
  if (amount instanceof Refusal) return amount;
  const { reserved } = claims;
  return recordRefund(tx, tenant, order, { amount, reason: input.reason ?? null, returned, reserved, creditTo: null });
};

export interface ReturnedLine {
  readonly line: LineRecord;
  readonly quantity: number;
  readonly restock: boolean;
}

/**
 * Amounts are in minor units. `reserved` is the amount offered as store credit elsewhere, which must not be refunded.
 */
export interface RefundDraft {
  readonly amount: number;
  readonly reason: string | null;
  readonly returned: readonly ReturnedLine[];
  readonly reserved: number;
  /** Customer who gets the amount as store credit; null if it returns to the sources that paid. */
  readonly creditTo: string | null;
}

export interface RecordedRefund {
  readonly response: RefundResponse;
  readonly refund: RefundRecord;
  readonly providerShares: readonly LedgerShare[];
  readonly storeCreditId: string | null;
}

const withRefunded = (order: WholeOrder, amount: number): WholeOrder => ({
  ...order,
  amount_refunded: order.amount_refunded + amount,
});

const withValueReturned = (order: WholeOrder, shares: readonly LedgerShare[]): WholeOrder => {
  const sumOf = (kind: LedgerShare['source']['kind']): number =>
    shares.filter(({ source }) => source.kind === kind).reduce((sum, { amount }) => sum + amount, 0);
  return withRefunded(
    {
      ...order,
      gift_card_total: order.gift_card_total - sumOf('gift_card'),
      store_credit_total: order.store_credit_total - sumOf('store_credit'),
    },
    sumOf('payment') + sumOf('elsewhere'),
  );
};

export const returnUnits = async (
  tx: Transaction,
  tenant: Tenant,
  order: string,
  returned: readonly ReturnedLine[],
): Promise<void> => {
  await moveUnits(
    tx.sql,
    tenant,
    order,
    returned.map(({ line, quantity, restock }) => ({
      line: line.id,
      returned: quantity,
      returnedUnshipped: unshippedAmong(line, quantity),
      restocked: restock ? quantity : 0,
    })),
  );
  await returnOnHand(
    tx.sql,
    tenant,
    returned.filter(({ restock }) => restock).map(({ line, quantity }) => ({ variant: line.variant_id, quantity })),
  );
};

/**
 * Records a refund, which stays `pending` until each payment provider has returned its share. The caller must hold the
 * order's lock.
 */
export const recordRefund = async (
  tx: Transaction,
  tenant: Tenant,
  order: WholeOrder,
  { amount, reason, returned, reserved, creditTo }: RefundDraft,
): Promise<RecordedRefund | Refusal> => {
  if (order.payment_status === 'authorized') return NOT_CAPTURED;
  const now = tx.clock.now(tenant);
  const id = randomUUIDv7();
  const requested = {
    refund: id,
    order: order.id,
    currency: order.currency,
    amount,
    reason: reason ?? undefined,
    reserved,
    books: order.books,
  };
  let credit: string | null = null;
  let shares: readonly ReturnedShare[] = [];
  if (creditTo === null) {
    // On an unpaid order, value returned to gift cards and store credit becomes due again.
    const creditor = await creditorOf(tx, tenant, order);
    const sources = await refundOrder(tx, tenant, { ...requested, creditor, unpaid: isUnpaid(order) });
    if (sources instanceof Refusal) return sources;
    shares = sources;
  } else {
    const credited = await refundAsCredit(tx, tenant, { ...requested, customer: creditTo });
    if (credited instanceof Refusal) return credited;
    credit = credited;
  }
  const parts = shares.filter(({ source }) => source.kind === 'payment');
  const refund: RefundRecord = {
    id,
    amount,
    reason,
    status: parts.length > 0 ? 'pending' : 'succeeded',
    created_at: now,
  };
  const units = returned.map(({ line, quantity, restock }) => ({ line: line.id, quantity, restock }));
  await insertRefund(tx.sql, tenant, order.id, refund, units);
  await returnUnits(tx, tenant, order.id, returned);
  const before = orderDocument(tenant, order);
  const unpaid = creditTo === null && isUnpaid(order);
  const changed = withPayment(unpaid ? withValueReturned(order, shares) : withRefunded(order, amount));
  await updateOrder(tx.sql, tenant, { ...changed, updated_at: now });
  const after = orderDocument(tenant, (await findOrder(tx.sql, tenant, order.id))!);
  const previousAttributes = changedFields(before, after);
  const shown = refundDocument(refund, currencyOf(order.currency));
  await tx.emit(tenant, [{ type: 'order.refunded', object: { ...after, refund: shown }, previousAttributes }]);
  const places = creditTo === null ? shares : [{ to: creditOf(creditTo), amount }];
  const named = [];
  for (const place of places) named.push({ ...place, closed: await isClosedCredit(tx, tenant, place.to) });
  return {
    response: { refund: shown, refunded_to: refundedTo(named, currencyOf(order.currency)) },
    refund,
    providerShares: parts,
    storeCreditId: credit,
  };
};

/**
 * Sends the providers' shares of a refund after the commit. After a crash the inbox of `order.refunded` in payment
 * sends them.
 */
export const sendToProviders = (
  tx: Transaction,
  call: Pick<Call, 'tenant'>,
  clients: Pick<OrderClients, 'refundPayments'>,
  order: string,
  { refund, providerShares }: RecordedRefund,
): void => {
  if (providerShares.length > 0) tx.afterCommit(() => clients.refundPayments(call, order, refund, providerShares));
};
