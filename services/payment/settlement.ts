// Settles a payment: one transaction writes its status, the ledger and its events. Afterwards the order is notified;
// the sweep repeats a failed notification.
import { notFound, type Refusal, type Tenant } from '#runtime/call/call.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { Event } from '#runtime/event/event.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import { enterSandboxes } from '#runtime/postgres/sandbox_lock.ts';
import { derivedId } from '#runtime/process/derived_id.ts';
import { isClosedToPayment, lockPayments, receivePayment, recordProviderRefund } from '#services/ledger/index.ts';
import { type NotifyOrder, openOrderNotification } from './order_notification.ts';
import { movedPayment, type PaymentRecord, paymentDocument, transitionOf } from './payment.ts';
import type { ProviderStatus } from './provider/provider.ts';
import { ordersOf, shareOf, sharesOf } from './share.ts';
import {
  findAuthorized,
  findPaymentById,
  insertShare,
  lockPayment,
  saveEnding,
  savePayment,
  setNeedsReview,
} from './table/payment.ts';
import { insertRefund } from './table/refund.ts';

export interface Settlement {
  /** Runs in the caller's transaction. Returns the settled payment. */
  settle(tx: Transaction, tenant: Tenant, id: string, providerStatus: ProviderStatus): Promise<PaymentRecord | Refusal>;
  readonly notifyOrder: NotifyOrder;
}

/** Registers the refund of a surplus payment in the same transaction, so that a crash cannot lose the refund. */
const refundSurplus = async (tx: Transaction, tenant: Tenant, payment: PaymentRecord, dueAt: Date): Promise<void> => {
  const { currency, amount } = payment;
  const id = derivedId('surplus', payment.id);
  await insertRefund(
    tx.sql,
    tenant,
    {
      id,
      payment_id: payment.id,
      refund_id: null,
      amount,
      reason: 'The order was paid or cancelled before',
      status: 'pending',
      provider_refund: null,
      attempts: 0,
      reached: 0,
    },
    dueAt,
    tx.clock.now(tenant),
  );
  await recordProviderRefund(tx, tenant, { refund: id, payment: payment.id, order: null, currency, amount });
};

const eventsOf = (tenant: Tenant, payment: PaymentRecord): Event[] => {
  const object = paymentDocument(tenant, payment);
  if (payment.status === 'authorized') return [{ type: 'payment.authorized', object }];
  if (payment.status === 'voided') return [{ type: 'payment.voided', object }];
  if (payment.status !== 'succeeded') return [{ type: 'payment.failed', object }];
  const succeeded: Event = { type: 'payment.succeeded', object };
  return payment.capture === 'manual' ? [{ type: 'payment.captured', object }, succeeded] : [succeeded];
};

export const openSettlement = (runtime: Pick<Runtime, 'postgres' | 'ask' | 'clock' | 'log'>): Settlement => {
  const { clock, log } = runtime;
  const notifyOrder = openOrderNotification(runtime);

  const keepStatus = async (
    tx: Transaction,
    tenant: Tenant,
    payment: PaymentRecord,
    { chargeId }: ProviderStatus,
    discrepancy: string | undefined,
  ): Promise<PaymentRecord> => {
    if (discrepancy !== undefined) {
      log.error(
        { payment: payment.id, provider: payment.provider, discrepancy },
        'received a payment that does not match its request; needs review',
      );
      if (!payment.needs_review) await setNeedsReview(tx.sql, tenant, payment.id);
      return { ...payment, needs_review: true };
    }
    // The charge id may arrive later than the status, since a poll may return less than a report.
    if (payment.paid_at === null || payment.charge_id !== null || !chargeId) return payment;
    const named: PaymentRecord = { ...payment, charge_id: chargeId };
    await savePayment(tx.sql, tenant, named);
    return named;
  };

  const receive = async (tx: Transaction, tenant: Tenant, payment: PaymentRecord): Promise<PaymentRecord> => {
    const { id, order_id, currency, amount, books } = payment;
    const received = await receivePayment(tx, tenant, { payment: id, order: order_id, currency, amount, books });
    if (received !== 'surplus') return payment;
    log.warn({ payment: id, order_id }, 'refunding a payment whose order was paid or cancelled before');
    await refundSurplus(tx, tenant, payment, new Date(clock.real()));
    return { ...payment, surplus: true, needs_review: true };
  };

  /** Returns the payment to be voided at once if its order is cancelled, paid, or authorised by another payment. */
  const authorize = async (tx: Transaction, tenant: Tenant, payment: PaymentRecord): Promise<PaymentRecord> => {
    const { id, order_id } = payment;
    if (order_id === null) return payment;
    const closed =
      (await isClosedToPayment(tx, tenant, order_id, id)) || (await findAuthorized(tx.sql, tenant, order_id)) !== null;
    if (!closed) return payment;
    log.warn({ payment: id, order_id }, 'voiding an authorised payment whose order was paid or cancelled before');
    return { ...payment, ending: 'void', ending_amount: payment.amount };
  };

  const saveTransition = async (tx: Transaction, tenant: Tenant, payment: PaymentRecord): Promise<void> => {
    await savePayment(tx.sql, tenant, payment);
    await tx.emit(tenant, eventsOf(tenant, payment));
    tx.afterCommit(() => notifyOrder(tenant, payment));
  };

  /**
   * Records each merchant's share as a payment in the merchant's own ledger. A share whose order is already paid or
   * cancelled is refunded.
   */
  const settleShares = async (tx: Transaction, operator: Tenant, whole: PaymentRecord): Promise<void> => {
    await savePayment(tx.sql, operator, whole);
    const shares = sharesOf(operator, whole);
    const stateOf = await enterSandboxes(
      tx.sql,
      shares.map(({ tenant }) => tenant),
    );
    for (const { tenant, share } of shares) {
      // The merchant's sandbox was reset, which deleted the order.
      if (share.generation !== stateOf(tenant).generation) continue;
      const own = shareOf(operator.store, whole, share, tx.clock.now(tenant));
      if (whole.status === 'succeeded') {
        const paid = { ...own, paid_at: tx.clock.now(tenant) };
        await insertShare(tx.sql, tenant, paid);
        const received = await receive(tx, tenant, paid);
        await saveTransition(tx, tenant, received);
      } else await tx.emit(tenant, [{ type: 'payment.failed', object: paymentDocument(tenant, own) }]);
    }
    tx.afterCommit(() => notifyOrder(operator, whole));
  };

  /** A simulated payment whose order takes none is voided in the same transaction; another is voided by the poll. */
  const saveAuthorization = async (tx: Transaction, tenant: Tenant, payment: PaymentRecord): Promise<PaymentRecord> => {
    const authorized = await authorize(tx, tenant, payment);
    await saveTransition(tx, tenant, authorized);
    if (authorized.ending === null) return authorized;
    if (authorized.account !== null) {
      await saveEnding(tx.sql, tenant, authorized, new Date(clock.real()));
      return authorized;
    }
    const voided = movedPayment(authorized, 'voided', { status: 'voided' }, tx.clock.now(tenant));
    await saveTransition(tx, tenant, voided);
    return voided;
  };

  return {
    notifyOrder,
    settle: async (tx, tenant, id, providerStatus) => {
      const arrives = providerStatus.status === 'succeeded' || providerStatus.status === 'authorized';
      const known = arrives ? await findPaymentById(tx.sql, tenant, id) : null;
      for (const { tenant: merchant, order } of known ? ordersOf(tenant, known) : [])
        await lockPayments(tx, merchant, order);
      const payment = await lockPayment(tx.sql, tenant, id);
      if (payment === null) return notFound('payment', 'reference');
      const move = transitionOf(payment, providerStatus);
      if (move.to === null) {
        // Another caller has settled the payment but may not have notified the order yet.
        if (!payment.order_notified) tx.afterCommit(() => notifyOrder(tenant, payment));
        return keepStatus(tx, tenant, payment, providerStatus, move.discrepancy);
      }
      const moving = movedPayment(payment, move.to, providerStatus, tx.clock.now(tenant));
      if (moving.shares !== null) {
        await settleShares(tx, tenant, moving);
        return moving;
      }
      if (moving.status === 'authorized') return saveAuthorization(tx, tenant, moving);
      const received = moving.status === 'succeeded' ? await receive(tx, tenant, moving) : moving;
      await saveTransition(tx, tenant, received);
      return received;
    },
  };
};
