// Sends refunds to providers until they answer: first the process that registered the refund, then the sweep.
import type { Tenant } from '#runtime/call/call.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { failpoint } from '#runtime/process/failpoint.ts';
import type { Gateway } from './gateway.ts';
import type { PaymentRecord } from './payment.ts';
import type { RefundOutcomes } from './refund_outcome.ts';
import { findPaymentById } from './table/payment.ts';
import { claimDueRefunds, lockRefund, type PaymentRefund, saveRefund } from './table/refund.ts';

const SEND_TIMEOUT_MS = 3_500;
/** First delay; it doubles after each unanswered try, up to an hour. */
const RETRY_MS = 10_000;
const RETRY_MS_MAX = 3_600_000;
/** Longer than a try takes. After a crash, another process may try again when the lease has expired. */
export const LEASE_MS = 15_000;
const CONCURRENT_MAX = 8;

export interface RefundSending {
  send(tenant: Tenant, payment: PaymentRecord, refund: PaymentRefund): Promise<void>;
  sendDue(): Promise<number>;
}

export const openRefundSending = (
  { postgres, clock, log, settings }: Pick<Runtime, 'postgres' | 'clock' | 'log' | 'settings'>,
  gateway: Gateway,
  outcomes: RefundOutcomes,
): RefundSending => {
  const postpone = async (tenant: Tenant, { id, attempts }: PaymentRefund, reached: boolean): Promise<void> => {
    const waitMs = Math.min(RETRY_MS_MAX, RETRY_MS * 2 ** (attempts - 1));
    await postgres.transaction(async (tx) => {
      const held = await lockRefund(tx.sql, tenant, id);
      if (held?.status !== 'pending') return;
      const tried = { ...held, reached: held.reached - (reached ? 0 : 1) };
      await saveRefund(tx.sql, tenant, tried, new Date(clock.real() + waitMs), clock.now(tenant));
    });
  };

  const send: RefundSending['send'] = async (tenant, payment, refund) => {
    const found = await gateway.refund(
      tenant,
      payment,
      {
        id: refund.id,
        amount: refund.amount,
        reason: refund.reason,
        isRetry: refund.reached > 1,
        reportUrl: `${settings.publicUrl}/v1/payments/callbacks/${payment.provider}/${payment.whole_operator ?? tenant.store}/${tenant.environment}`,
      },
      SEND_TIMEOUT_MS,
    );
    if (found.status === 'unknown') return postpone(tenant, refund, found.reached);
    failpoint('provider', tenant.store);
    await postgres.transaction((tx) => outcomes.settle(tx, tenant, refund, found));
  };

  return {
    send,
    sendDue: async () => {
      const now = clock.real();
      const due = await claimDueRefunds(postgres.sql, new Date(now), new Date(now + LEASE_MS), CONCURRENT_MAX);
      const again = due.map(async ({ store, environment, ...refund }) => {
        const tenant: Tenant = { store, environment };
        const payment = await findPaymentById(postgres.sql, tenant, refund.payment_id);
        if (payment !== null) await send(tenant, payment, refund);
      });
      for (const outcome of await Promise.allSettled(again))
        if (outcome.status === 'rejected') log.warn({ err: outcome.reason }, 'failed to send a refund');
      return due.length;
    },
  };
};
