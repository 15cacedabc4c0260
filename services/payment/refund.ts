// Refunds through providers: registered, sent until the provider answers, settled once, and reversed in the ledger if
// denied.
import type { PaymentDirectoryRpcs } from '#proto/gen/payment_directory.ts';
import { notFound, Refusal, refuse, type Tenant } from '#runtime/call/call.ts';
import { type Handlers, query } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import { derivedId } from '#runtime/process/derived_id.ts';
import { partsThroughProviders } from '#services/ledger/index.ts';
import type { Gateway } from './gateway.ts';
import type { PaymentRecord } from './payment.ts';
import { openRefundOutcomes, type RefundOutcomes } from './refund_outcome.ts';
import { LEASE_MS, openRefundSending, type RefundSending } from './refund_sending.ts';
import type { Settlement } from './settlement.ts';
import { lockPayment } from './table/payment.ts';
import { insertRefund, lockRefund, type PaymentRefund, partsOf, saveRefund } from './table/refund.ts';

interface RefundPart {
  readonly order: string;
  readonly refund: string;
  readonly payment: string;
  readonly amount: number;
  readonly reason: string | null;
}

interface RegisteredRefund {
  readonly payment: PaymentRecord;
  readonly refund: PaymentRefund;
  readonly toSend: boolean;
}

export interface Refunds extends Pick<RefundOutcomes, 'recordReport'>, Pick<RefundSending, 'job'> {
  /** Registers the shares of an order's refund that providers must pay back. A job sends these to the providers. */
  schedule(tx: Transaction, tenant: Tenant, order: string, refund: string): Promise<void>;
  readonly handlers: Handlers<PaymentDirectoryRpcs>;
}

/**
 * Registers a share before its provider is called, so that after a crash another process sends it. `attempts` is 1 if
 * the caller sends the share at once, else 0; a job sends it from `dueAt` on.
 */
const registerRefund = async (
  tx: Transaction,
  tenant: Tenant,
  part: RefundPart,
  attempts: 0 | 1,
  dueAt: Date,
): Promise<RegisteredRefund | Refusal> => {
  const payment = await lockPayment(tx.sql, tenant, part.payment);
  if (payment === null || payment.order_id !== part.order) return notFound('payment', 'payment_id');
  const id = derivedId('refund', part.refund, payment.id);
  const before = await lockRefund(tx.sql, tenant, id);
  if (before !== null) {
    const free = before.attempts < attempts && before.status === 'pending';
    const started = { ...before, attempts, reached: attempts };
    if (free) await saveRefund(tx.sql, tenant, started, dueAt, tx.clock.now(tenant));
    return { payment, refund: started, toSend: free };
  }
  if (payment.status !== 'succeeded' && payment.status !== 'refunded')
    return refuse('conflict', `A payment that is ${payment.status} cannot be refunded.`);
  const refund: PaymentRefund = {
    id,
    payment_id: payment.id,
    refund_id: part.refund,
    amount: part.amount,
    reason: part.reason,
    status: 'pending',
    provider_refund: null,
    attempts,
    reached: attempts,
  };
  await insertRefund(tx.sql, tenant, refund, dueAt, tx.clock.now(tenant));
  return { payment, refund, toSend: true };
};

const statusOfParts = (parts: readonly PaymentRefund[]): PaymentRefund['status'] => {
  if (parts.some(({ status }) => status === 'pending')) return 'pending';
  return parts.every(({ status }) => status === 'succeeded') ? 'succeeded' : 'failed';
};

export const openRefunds = (runtime: Runtime, gateway: Gateway, settlement: Settlement): Refunds => {
  const { postgres, clock, log } = runtime;
  const outcomes = openRefundOutcomes(settlement, log);
  const sending = openRefundSending(runtime, gateway, outcomes);

  return {
    recordReport: outcomes.recordReport,
    job: sending.job,

    schedule: async (tx, tenant, order, refund) => {
      const now = new Date(clock.real());
      for (const { payment, amount, reason } of await partsThroughProviders(tx.sql, tenant, order, refund))
        await registerRefund(tx, tenant, { order, refund, payment, amount, reason }, 0, now);
    },

    handlers: {
      GiveBack: query(async (sql, { tenant }, { order_id, refund_id, parts, reason }) => {
        for (const { payment_id, amount } of parts) {
          const part: RefundPart = {
            order: order_id,
            refund: refund_id,
            payment: payment_id,
            amount,
            reason: reason ?? null,
          };
          const dueAt = new Date(clock.real() + LEASE_MS);
          const started = await postgres.transaction((tx) => registerRefund(tx, tenant, part, 1, dueAt), tenant);
          if (started instanceof Refusal) return started;
          if (started.toSend) await sending.send(tenant, started.payment, started.refund);
        }
        return { status: statusOfParts(await partsOf(sql, tenant, refund_id)) };
      }),
    },
  };
};
