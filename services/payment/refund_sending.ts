// Sends refunds to providers until they answer: first the process that registered the refund, then a job.
import type { Tenant } from '#runtime/call/call.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { JobEnd } from '#runtime/job/job.ts';
import { type DeclaredJob, job } from '#runtime/job/queue.ts';
import { failpoint } from '#runtime/process/failpoint.ts';
import type { Gateway } from './gateway.ts';
import type { PaymentRecord } from './payment.ts';
import type { RefundOutcomes } from './refund_outcome.ts';
import { findPaymentById } from './table/payment.ts';
import { type DueRefund, type PaymentRefund, unansweredRefunds, uncountReached } from './table/refund.ts';

const SEND_TIMEOUT_MS = 3_500;
const SECONDS_BETWEEN_TRIES = [10, 20, 40, 80, 160, 320, 640, 1_280, 2_560, 3_600];
const RETRY_MS = SECONDS_BETWEEN_TRIES.map((seconds) => seconds * 1_000);
/** Longer than a try takes. After a crash, another process may try again when the lease has expired. */
export const LEASE_MS = 15_000;
const AT_ONCE = 8;
/** A store whose provider hangs leaves the other places to other stores. */
const PER_TENANT = 4;

export interface RefundSending {
  /** Sends a refund that the caller has registered or claimed. */
  send(tenant: Tenant, payment: PaymentRecord, refund: PaymentRefund): Promise<JobEnd>;
  readonly job: DeclaredJob;
}

export const openRefundSending = (
  { postgres, settings }: Pick<Runtime, 'postgres' | 'settings'>,
  gateway: Gateway,
  outcomes: RefundOutcomes,
): RefundSending => {
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
    if (found.status === 'unknown') {
      if (!found.reached) await uncountReached(postgres.sql, tenant, refund.id);
      return 'again';
    }
    failpoint('provider', tenant.store);
    await postgres.transaction((tx) => outcomes.settle(tx, tenant, refund, found));
    return 'ended';
  };

  return {
    send,
    job: job<DueRefund>({
      name: 'refund',
      rows: unansweredRefunds,
      clock: 'real',
      leaseMs: LEASE_MS,
      atOnce: AT_ONCE,
      perTenant: PER_TENANT,
      retryMs: RETRY_MS,
      run: async ({ store, environment, ...refund }) => {
        const tenant: Tenant = { store, environment };
        const payment = await findPaymentById(postgres.sql, tenant, refund.payment_id);
        return payment === null ? 'again' : send(tenant, payment, refund);
      },
    }),
  };
};
