// What a finding does: the payment moves, the ledger receives, events are written, all in one transaction; then its order
// is told of it and of refunds, and told again by a sweep until it knows.
import { notFound, Refusal, type Tenant } from '#runtime/call.ts';
import type { Foundation } from '#runtime/foundation.ts';
import type { Transaction } from '#runtime/transaction.ts';
import { receivePayment } from '#services/ledger/index.ts';
import { moveOf, type PaymentRecord, told } from './payment.ts';
import type { Finding } from './provider/provider.ts';
import { holdPayment, savePayment, setOrderTold } from './table/payment.ts';
import { endedRefunds } from './table/refund.ts';

export interface Settlement {
  /** Within the caller's transaction: the payment as it stands then. */
  settle(tx: Transaction, tenant: Tenant, id: string, finding: Finding): Promise<PaymentRecord | Refusal>;
  /** Tells the order how its payment stands; what fails is told later. */
  tellOrder(tenant: Tenant, payment: PaymentRecord): Promise<void>;
}

interface TellOrder {
  readonly order_id: string;
  readonly status?: 'failed';
  readonly refund_id?: string;
  readonly succeeded?: boolean;
}

export const openSettlement = ({ postgres, ask, log }: Pick<Foundation, 'postgres' | 'ask' | 'log'>): Settlement => {
  /** False: it has to be told again. */
  const tell = async (rpc: string, tenant: Tenant, input: TellOrder): Promise<boolean> => {
    const reply = await ask(`OrderDirectory/${rpc}`, tenant, input);
    if (!(reply instanceof Refusal) || reply.code === 'not_found') return true;
    log.warn({ order_id: input.order_id, rpc, code: reply.code }, 'an order is told of its payment later');
    return false;
  };

  const tellOrder: Settlement['tellOrder'] = async (tenant, payment) => {
    const { order_id } = payment;
    if (order_id === null) return;
    const paid = payment.status === 'succeeded' || payment.status === 'refunded';
    // A page that was left alone says nothing about the order: another payment may be begun for it.
    if (paid && !(await tell('SettleOrder', tenant, { order_id }))) return;
    if (payment.status === 'failed' && !(await tell('NotePayment', tenant, { order_id, status: 'failed' }))) return;
    for (const { refund_id, succeeded } of await endedRefunds(postgres.sql, tenant, payment.id))
      if (!(await tell('NoteRefund', tenant, { order_id, refund_id, succeeded }))) return;
    await setOrderTold(postgres.sql, tenant, payment);
  };

  return {
    tellOrder,
    settle: async (tx, tenant, id, finding) => {
      const payment = await holdPayment(tx.sql, tenant, id);
      if (payment === null) return notFound('payment', 'reference');
      const move = moveOf(payment, finding);
      if (move.to === null) {
        if (move.odd)
          log.error({ payment: id, provider: payment.provider, odd: move.odd }, 'a payment does not add up');
        // Who asks may hear less than who is told: what a refund will name comes late then.
        if (payment.paid_at === null || payment.charge_id !== null || !finding.chargeId) return payment;
        const named: PaymentRecord = { ...payment, charge_id: finding.chargeId };
        await savePayment(tx.sql, tenant, named);
        return named;
      }
      const now = tx.clock.now(tenant);
      const moved: PaymentRecord = {
        ...payment,
        status: move.to,
        paid_at: move.to === 'succeeded' ? now : null,
        charge_id: finding.chargeId ?? payment.charge_id,
        failure: move.to === 'succeeded' ? null : (finding.failure ?? move.to),
      };
      await savePayment(tx.sql, tenant, moved);
      if (move.to === 'succeeded')
        await receivePayment(tx, tenant, {
          payment: id,
          order: moved.order_id,
          currency: moved.currency,
          amount: moved.amount,
        });
      const type = move.to === 'succeeded' ? 'payment.succeeded' : 'payment.failed';
      await tx.emit(tenant, [{ type, object: told(tenant, moved) }]);
      tx.afterCommit(() => tellOrder(tenant, moved));
      return moved;
    },
  };
};
