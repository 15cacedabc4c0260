// What a finding does: the payment moves, the ledger receives, events are written, all in one transaction; then its order
// is told of it and of refunds, and told again by a sweep until it knows.
import { notFound, type Refusal, type Tenant } from '#runtime/call/call.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import { enterSandboxes } from '#runtime/postgres/sandbox_lock.ts';
import { derivedId } from '#runtime/process/derived_id.ts';
import { holdPaying, noteProviderRefund, receivePayment } from '#services/ledger/index.ts';
import { type NotifyOrder, openOrderNotification } from './order_notification.ts';
import { type PaymentRecord, paymentDocument, transitionOf } from './payment.ts';
import type { ProviderStatus } from './provider/provider.ts';
import { ordersOf, shareOf, sharesOf } from './share.ts';
import { findPaymentById, insertShare, lockPayment, savePayment, setNeedsReview } from './table/payment.ts';
import { insertRefund } from './table/refund.ts';

export interface Settlement {
  /** Within the caller's transaction: the payment as it stands then. */
  settle(tx: Transaction, tenant: Tenant, id: string, providerStatus: ProviderStatus): Promise<PaymentRecord | Refusal>;
  readonly notifyOrder: NotifyOrder;
}

/**
 * A payment that its order has no need of goes back to its source: the ledger and the sweep that sends refunds know of it in the
 * transaction that records the payment, so that no crash comes between.
 */
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
  await noteProviderRefund(tx, tenant, { refund: id, payment: payment.id, order: null, currency, amount });
};

export const openSettlement = (runtime: Pick<Runtime, 'postgres' | 'ask' | 'clock' | 'log'>): Settlement => {
  const { clock, log } = runtime;
  const notifyOrder = openOrderNotification(runtime);

  /** Nothing moves; what does not add up waits for a person. */
  const keepStatus = async (
    tx: Transaction,
    tenant: Tenant,
    payment: PaymentRecord,
    { chargeId }: ProviderStatus,
    discrepancy: string | undefined,
  ): Promise<PaymentRecord> => {
    if (discrepancy !== undefined) {
      log.error({ payment: payment.id, provider: payment.provider, discrepancy }, 'a payment does not add up');
      if (!payment.needs_review) await setNeedsReview(tx.sql, tenant, payment.id);
      return { ...payment, needs_review: true };
    }
    // Who asks may hear less than who is told: what a refund will name comes late then.
    if (payment.paid_at === null || payment.charge_id !== null || !chargeId) return payment;
    const named: PaymentRecord = { ...payment, charge_id: chargeId };
    await savePayment(tx.sql, tenant, named);
    return named;
  };

  /** The ledger has it; what its order does not need goes back. */
  const receive = async (tx: Transaction, tenant: Tenant, payment: PaymentRecord): Promise<PaymentRecord> => {
    const { id, order_id, currency, amount } = payment;
    const received = await receivePayment(tx, tenant, { payment: id, order: order_id, currency, amount });
    if (received !== 'surplus') return payment;
    log.warn({ payment: id, order_id }, 'refunding a payment whose order was paid or cancelled before');
    await refundSurplus(tx, tenant, payment, new Date(clock.real()));
    return { ...payment, surplus: true, needs_review: true };
  };

  /** Writes a payment down as it has moved, with its event; its order is told once that is committed. */
  const saveTransition = async (tx: Transaction, tenant: Tenant, payment: PaymentRecord): Promise<void> => {
    await savePayment(tx.sql, tenant, payment);
    const object = paymentDocument(tenant, payment);
    await tx.emit(tenant, [
      payment.status === 'succeeded' ? { type: 'payment.succeeded', object } : { type: 'payment.failed', object },
    ]);
    tx.afterCommit(() => notifyOrder(tenant, payment));
  };

  /** Each merchant has its share in its own books, and hears of that alone; a share that is not needed goes back. */
  const settleShares = async (tx: Transaction, operator: Tenant, whole: PaymentRecord): Promise<void> => {
    await savePayment(tx.sql, operator, whole);
    const shares = sharesOf(operator, whole);
    const stateOf = await enterSandboxes(
      tx.sql,
      shares.map(({ tenant }) => tenant),
    );
    for (const { tenant, share } of shares) {
      // The order went with a reset of its merchant's sandbox, where nothing is paid any more.
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

  return {
    notifyOrder,
    settle: async (tx, tenant, id, providerStatus) => {
      const known = providerStatus.status === 'succeeded' ? await findPaymentById(tx.sql, tenant, id) : null;
      for (const { tenant: merchant, order } of known ? ordersOf(tenant, known) : [])
        await holdPaying(tx, merchant, order);
      const payment = await lockPayment(tx.sql, tenant, id);
      if (payment === null) return notFound('payment', 'reference');
      const move = transitionOf(payment, providerStatus);
      if (move.to === null) {
        // Who settled it may be telling the order still: the caller then reads an order that knows.
        if (!payment.order_notified) tx.afterCommit(() => notifyOrder(tenant, payment));
        return keepStatus(tx, tenant, payment, providerStatus, move.discrepancy);
      }
      const succeeded = move.to === 'succeeded';
      const moving: PaymentRecord = {
        ...payment,
        status: move.to,
        paid_at: succeeded ? tx.clock.now(tenant) : null,
        charge_id: providerStatus.chargeId ?? payment.charge_id,
        failure: succeeded ? null : (providerStatus.failure ?? move.to),
        needs_review: payment.needs_review && !succeeded,
      };
      if (moving.shares !== null) {
        await settleShares(tx, tenant, moving);
        return moving;
      }
      const received = succeeded ? await receive(tx, tenant, moving) : moving;
      await saveTransition(tx, tenant, received);
      return received;
    },
  };
};
