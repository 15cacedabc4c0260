// Changes placed orders (by PATCH, by payments, by cancelling) and emits the events of each change.
import type { StoreOrder, UpdateOrderRequest } from '#proto/gen/order.ts';
import { type Call, Refusal, refuse, type Tenant } from '#runtime/call/call.ts';
import type { Event } from '#runtime/event/event.ts';
import { changedFields } from '#runtime/event/event.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import { cancelPurchaseOrder } from '#services/b2b/transaction.ts';
import { returnOnHand } from '#services/catalog/transaction.ts';
import { isOpenCustomer } from '#services/customer/transaction.ts';
import { type Account, lockPayments, receiveElsewhere, releaseOrder } from '#services/ledger/index.ts';
import { authorizationOf } from '#services/payment/transaction.ts';
import { releasePromotions } from '#services/pricing/transaction.ts';
import type { OrderClients } from './client.ts';
import { orderDocument } from './document.ts';
import {
  amountDue,
  amountReceived,
  isInvoiced,
  isUnpaid,
  type OrderStatus,
  orderStatusObstacle,
  outstanding,
  type PaymentStatus,
  paymentStatusAfter,
  paymentStatusObstacle,
  statusWithAuthorization,
  unparcelled,
  type WholeOrder,
} from './order.ts';
import { ledgerTotalsOf, lockOrder, moveUnits, updateOrder } from './table/order.ts';

/** Updates the order to the payments in the ledger and to its authorisation, and emits their events. The caller must hold the order's lock. */
export const syncWithLedger = async (tx: Transaction, tenant: Tenant, order: WholeOrder): Promise<WholeOrder> => {
  const { received, refunded } = await ledgerTotalsOf(tx.sql, tenant, order.id, order.currency);
  const { isAuthorized, released } = await authorizationOf(tx.sql, tenant, order.id);
  const totals = { amount_paid: received, amount_refunded: refunded, amount_released: released };
  const paid = withPayment({ ...order, ...totals });
  const cancelled = order.order_status === 'cancelled';
  const payment_status = cancelled ? paid.payment_status : statusWithAuthorization(paid.payment_status, isAuthorized);
  const settled: WholeOrder = { ...paid, payment_status };
  const before = orderDocument(tenant, order);
  if (JSON.stringify(orderDocument(tenant, settled)) === JSON.stringify(before)) return order;
  // Tells of a refund that its provider failed to pay out, since no other event may.
  await saveChange(tx, tenant, before, settled, { quiet: refunded >= order.amount_refunded });
  return settled;
};

/**
 * Locks the order until the transaction ends. An unpaid order is first updated to the payments in the ledger, and
 * further payments wait for the lock.
 */
export const lockSettledOrder = async (tx: Transaction, tenant: Tenant, id: string): Promise<WholeOrder | null> => {
  const order = await lockOrder(tx.sql, tenant, id);
  if (order === null || !isUnpaid(order)) return order;
  await lockPayments(tx, tenant, order.id);
  return syncWithLedger(tx, tenant, order);
};

/**
 * Returns the refusal if the customer cannot receive store credit. Called before the transaction, which must not wait
 * for another domain. `param` is the field that would grant the credit.
 */
export const storeCreditObstacle = async (
  clients: Pick<OrderClients, 'findCustomer'>,
  call: Call,
  customer: string,
  param: string,
): Promise<Refusal | null> => {
  const found = await clients.findCustomer(call, customer);
  if (!(found instanceof Refusal)) return null;
  if (found.code !== 'not_found') return found;
  return refuse('conflict', 'The customer is deleted and cannot receive store credit.', { param });
};

/** Returns whether the account is store credit that can never be spent, because its customer is deleted. */
export const isClosedCredit = async (tx: Transaction, tenant: Tenant, { kind, subject }: Account): Promise<boolean> =>
  kind === 'store_credit' && !(await isOpenCustomer(tx, tenant, subject));

export const creditorOf = async (
  tx: Transaction,
  tenant: Tenant,
  { customer_id, gift_card_total }: Pick<WholeOrder, 'customer_id' | 'gift_card_total'>,
): Promise<string | null> => {
  if (customer_id === null || gift_card_total === 0) return null;
  return (await isOpenCustomer(tx, tenant, customer_id)) ? customer_id : null;
};

const PAID_BY_INVOICES = refuse('conflict', 'The order of a purchase order is paid by its invoices alone.', {
  param: 'payment_status',
  hint: 'POST /v1/b2b/invoices/{id}/pay records a paid invoice.',
});

const BILLED = refuse('conflict', 'An order that is paid or cancelled keeps its billing address.', {
  param: 'billing_address',
});

type OrderEventType = 'order.paid' | 'order.cancelled' | 'order.fulfilled' | 'order.updated';

/**
 * Returns the events of a change. `order.updated` is emitted if a field changed and none of the other events applies.
 */
export const changeEvents = (before: StoreOrder, after: StoreOrder, quiet = false): Event[] => {
  const previousAttributes = changedFields(before, after);
  const types: OrderEventType[] = [];
  if (before.payment_status !== 'paid' && after.payment_status === 'paid' && before.amount_refunded === 0)
    types.push('order.paid');
  if (before.order_status !== after.order_status) {
    if (after.order_status === 'cancelled') types.push('order.cancelled');
    if (after.order_status === 'shipped' || after.order_status === 'delivered') types.push('order.fulfilled');
  }
  if (types.length === 0 && !quiet && Object.keys(previousAttributes).length > 0) types.push('order.updated');
  return types.map((type) => ({ type, object: after, previousAttributes }));
};

export const saveChange = async (
  tx: Transaction,
  tenant: Tenant,
  before: StoreOrder,
  changed: WholeOrder,
  { quiet = false, now = tx.clock.now(tenant) } = {},
): Promise<StoreOrder> => {
  const written = await updateOrder(tx.sql, tenant, { ...changed, updated_at: now });
  const after = orderDocument(tenant, written);
  await tx.emit(tenant, changeEvents(before, after, quiet));
  return after;
};

/**
 * Restocks the units and gives back gift card balance, store credit and promotion uses. Other payments stay until they
 * are refunded.
 */
const cancelOrder = async (tx: Transaction, tenant: Tenant, order: WholeOrder): Promise<WholeOrder> => {
  if (isInvoiced(order)) await cancelPurchaseOrder(tx, tenant, order.id);
  const units = order.lines
    .map((line) => ({ line: line.id, variant: line.variant_id, quantity: unparcelled(line) }))
    .filter(({ quantity }) => quantity > 0);
  await returnOnHand(tx.sql, tenant, units);
  await moveUnits(
    tx.sql,
    tenant,
    order.id,
    units.map(({ line, quantity }) => ({ line, restocked: quantity })),
  );
  await releasePromotions(tx, tenant, order.id);
  const { id, currency, books } = order;
  const creditor = await creditorOf(tx, tenant, order);
  const given = await releaseOrder(tx, tenant, { order: id, currency, books, creditor });
  const sumOf = (kind: string): number =>
    given.filter(({ source }) => source.kind === kind).reduce((sum, { amount }) => sum + amount, 0);
  const cancelled: WholeOrder = {
    ...order,
    order_status: 'cancelled',
    gift_card_total: order.gift_card_total - sumOf('gift_card'),
    store_credit_total: order.store_credit_total - sumOf('store_credit'),
  };
  return { ...cancelled, payment_status: paymentStatusOfCancelled(cancelled, given.length > 0) };
};

const paymentStatusOfCancelled = (order: WholeOrder, gaveBack: boolean): PaymentStatus => {
  const { payment_status: status } = order;
  if (status === 'authorized') return 'voided';
  const settled = status === 'paid' || status === 'partially_refunded';
  return settled && gaveBack && amountReceived(order) <= order.amount_refunded ? 'refunded' : status;
};

export const withStatus = (order: WholeOrder, to: OrderStatus, now: Date): WholeOrder => ({
  ...order,
  order_status: to,
  delivered_at: to === 'delivered' ? (order.delivered_at ?? now) : order.delivered_at,
});

export const withPayment = (order: WholeOrder): WholeOrder => {
  const status = paymentStatusAfter(order.payment_status, {
    due: outstanding(order),
    received: amountReceived(order),
    refunded: order.amount_refunded,
  });
  const confirmed = status === 'paid' && order.order_status === 'pending';
  return { ...order, payment_status: status, order_status: confirmed ? 'confirmed' : order.order_status };
};

export const changeOrder = async (
  tx: Transaction,
  tenant: Tenant,
  order: WholeOrder,
  input: UpdateOrderRequest,
): Promise<StoreOrder | Refusal> => {
  const now = tx.clock.now(tenant);
  const wantedStatus = input.order_status ?? order.order_status;
  const obstacle =
    orderStatusObstacle(order.order_status, wantedStatus) ??
    (input.payment_status
      ? paymentStatusObstacle(order.order_status, order.payment_status, input.payment_status)
      : null);
  if (obstacle) return obstacle;
  if (input.payment_status === 'paid' && order.payment_status !== 'paid' && isInvoiced(order)) return PAID_BY_INVOICES;
  if (input.billing_address && !isUnpaid(order)) return BILLED;

  let changed: WholeOrder = {
    ...order,
    email: input.email ?? order.email,
    shipping_address: input.shipping_address ?? order.shipping_address,
    billing_address: input.billing_address ?? order.billing_address,
    note: input.note === undefined ? order.note : input.note,
    metadata: input.metadata ?? order.metadata,
    tracking_number: input.tracking_number === undefined ? order.tracking_number : input.tracking_number,
    carrier: input.carrier === undefined ? order.carrier : input.carrier,
    tracking_url: input.tracking_url === undefined ? order.tracking_url : input.tracking_url,
  };
  if (input.payment_status === 'failed') changed = { ...changed, payment_status: 'failed' };
  if (input.payment_status === 'paid' && order.payment_status !== 'paid') {
    const amount = amountDue(order);
    if (amount > 0)
      await receiveElsewhere(tx, tenant, {
        order: order.id,
        currency: order.currency,
        amount,
        books: order.books,
      });
    changed = withPayment({ ...changed, amount_paid: order.amount_paid + amount });
  }
  if (wantedStatus !== order.order_status)
    changed =
      wantedStatus === 'cancelled' ? await cancelOrder(tx, tenant, changed) : withStatus(changed, wantedStatus, now);
  return saveChange(tx, tenant, orderDocument(tenant, order), changed, { now });
};
