// Records the outcome of a refund: updates payment and ledger in the caller's transaction, then notifies the order.
import type { Tenant } from '#runtime/call/call.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import { derivedId } from '#runtime/process/derived_id.ts';
import { hasRefundable, recordProviderRefund, reverseRefund } from '#services/ledger/index.ts';
import { currencyOf } from '#values/currency.ts';
import { toMajor } from '#values/money.ts';
import { orderHoldingMoney, type PaymentRecord, paymentDocument } from './payment.ts';
import type { ProviderRefundStatus, ProviderReport } from './provider/provider.ts';
import type { Settlement } from './settlement.ts';
import { findShares, lockPayment, savePayment, setNeedsReview } from './table/payment.ts';
import {
  findReported,
  findReportedShares,
  insertRefund,
  lockRefund,
  type PaymentRefund,
  saveRefund,
} from './table/refund.ts';

export type RefundReport = Extract<ProviderReport, { kind: 'refund' }>;
type RefundKey = Pick<PaymentRefund, 'id' | 'payment_id'>;

export interface RefundOutcomes {
  settle(
    tx: Transaction,
    tenant: Tenant,
    of: RefundKey,
    providerStatus: ProviderRefundStatus,
  ): Promise<PaymentRefund['status']>;
  recordReport(tx: Transaction, tenant: Tenant, payment: PaymentRecord, report: RefundReport): Promise<void>;
}

/** Returns whether the status may change: a pending refund may end, and a succeeded one may still fail. */
const isTransition = (from: PaymentRefund['status'], to: ProviderRefundStatus['status']): boolean =>
  from === 'pending' ? to !== 'pending' : from === 'succeeded' && to === 'failed';

const afterFailure = (payment: PaymentRecord, refund: PaymentRefund): PaymentRecord => {
  const refunded = refund.status === 'succeeded' ? payment.refunded - refund.amount : payment.refunded;
  const status = payment.status === 'refunded' && refunded < payment.amount ? 'succeeded' : payment.status;
  return { ...payment, refunded, status, needs_review: payment.surplus || payment.needs_review };
};

const afterSuccess = (payment: PaymentRecord, refund: PaymentRefund): PaymentRecord => {
  const refunded = Math.min(payment.amount, payment.refunded + refund.amount);
  const whole = refunded === payment.amount;
  const needs_review = payment.needs_review && !(payment.surplus && whole);
  return { ...payment, refunded, status: whole ? 'refunded' : payment.status, needs_review };
};

const providerInitiatedRefund = (payment: PaymentRecord, providerRefund: string, amount: number): PaymentRefund => ({
  id: derivedId('provider refund', payment.id, providerRefund),
  payment_id: payment.id,
  refund_id: null,
  amount,
  reason: null,
  status: 'pending',
  provider_refund: providerRefund,
  attempts: 0,
  reached: 0,
});

export const openRefundOutcomes = (settlement: Settlement, log: Runtime['log']): RefundOutcomes => {
  const saveAndNotify = async (tx: Transaction, tenant: Tenant, payment: PaymentRecord): Promise<void> => {
    await savePayment(tx.sql, tenant, payment);
    tx.afterCommit(() => settlement.notifyOrder(tenant, payment));
  };

  const fail = async (
    tx: Transaction,
    tenant: Tenant,
    payment: PaymentRecord,
    refund: PaymentRefund,
  ): Promise<void> => {
    await reverseRefund(tx, tenant, {
      refund: refund.refund_id ?? refund.id,
      order: orderHoldingMoney(payment),
      currency: payment.currency,
      source: { kind: 'payment', subject: payment.id },
      amount: refund.amount,
      books: payment.books,
    });
    if (payment.surplus)
      log.error({ payment: payment.id }, 'failed to refund a payment whose order was paid or cancelled before');
    await saveAndNotify(tx, tenant, afterFailure(payment, refund));
  };

  const succeed = async (
    tx: Transaction,
    tenant: Tenant,
    payment: PaymentRecord,
    refund: PaymentRefund,
  ): Promise<void> => {
    const after = afterSuccess(payment, refund);
    await saveAndNotify(tx, tenant, after);
    const amount = toMajor(refund.amount, currencyOf(payment.currency));
    const object = {
      ...paymentDocument(tenant, after),
      refund: { id: refund.refund_id ?? refund.id, amount, reason: refund.reason },
    };
    await tx.emit(tenant, [{ type: 'payment.refunded', object }]);
  };

  const settle: RefundOutcomes['settle'] = async (tx, tenant, of, providerStatus) => {
    // All transactions lock a payment before its refunds, to avoid deadlocks.
    const payment = (await lockPayment(tx.sql, tenant, of.payment_id))!;
    const refund = (await lockRefund(tx.sql, tenant, of.id))!;
    const status = isTransition(refund.status, providerStatus.status) ? providerStatus.status : refund.status;
    const named = { ...refund, status, provider_refund: providerStatus.providerRefund ?? refund.provider_refund };
    await saveRefund(tx.sql, tenant, named, null, tx.clock.now(tenant));
    if (status !== refund.status) await (status === 'failed' ? fail : succeed)(tx, tenant, payment, refund);
    return status;
  };

  /**
   * Records a refund made in the provider's dashboard. Ignores a report without an id, which may repeat a recorded
   * refund.
   */
  const recordProviderInitiated = async (
    tx: Transaction,
    tenant: Tenant,
    payment: PaymentRecord,
    { status, providerRefund, amount }: RefundReport,
  ): Promise<void> => {
    if (status !== 'succeeded' || providerRefund === null) return;
    const held = (await lockPayment(tx.sql, tenant, payment.id))!;
    const gone = { payment: held.id, order: orderHoldingMoney(held), currency: held.currency, books: held.books };
    if (amount === null || amount <= 0 || !(await hasRefundable(tx, tenant, { ...gone, amount }))) {
      log.error(
        { payment: payment.id, provider: payment.provider, amount },
        'received a provider refund that does not match the ledger; needs review',
      );
      await setNeedsReview(tx.sql, tenant, payment.id);
      return;
    }
    const refund = providerInitiatedRefund(payment, providerRefund, amount);
    if (!(await insertRefund(tx.sql, tenant, refund, null, tx.clock.now(tenant)))) return;
    await recordProviderRefund(tx, tenant, { ...gone, refund: refund.id, amount });
    await settle(tx, tenant, refund, { status: 'succeeded', providerRefund });
  };

  /**
   * Applies a report about an operator's payment to the merchants' shares: to the refunds it names, else to all shares
   * if its amount is all that is left.
   */
  const recordShareReport = async (tx: Transaction, operator: Tenant, whole: PaymentRecord, report: RefundReport) => {
    const { status, providerRefund, amount } = report;
    const known = await findReportedShares(tx.sql, whole.id, report);
    for (const { store, environment, ...refund } of known)
      await settle(tx, { store, environment }, refund, { status, providerRefund });
    if (known.length > 0 || status !== 'succeeded') return;
    const shares = await findShares(tx.sql, whole.id);
    const leftOf = (share: PaymentRecord): number => share.amount - share.refunded;
    if (amount === shares.reduce((sum, share) => sum + leftOf(share), 0))
      for (const { store, environment, ...share } of shares) {
        if (leftOf(share) > 0)
          await recordProviderInitiated(tx, { store, environment }, share, { ...report, amount: leftOf(share) });
      }
    else {
      log.error(
        { payment: whole.id, amount },
        'failed to match a partial provider refund with a merchant; needs review',
      );
      await setNeedsReview(tx.sql, operator, whole.id);
    }
  };

  return {
    settle,
    recordReport: async (tx, tenant, payment, received) => {
      // An amount in a currency other than the payment's is ignored.
      const report = received.currency === payment.currency ? received : { ...received, amount: null };
      const { status, providerRefund } = report;
      // Locked so that the second of two equal reports finds the refund recorded by the first.
      await lockPayment(tx.sql, tenant, payment.id);
      if (payment.shares !== null) return recordShareReport(tx, tenant, payment, report);
      const known = await findReported(tx.sql, tenant, payment.id, report);
      if (known === null) await recordProviderInitiated(tx, tenant, payment, report);
      else await settle(tx, tenant, known, { status, providerRefund });
    },
  };
};
