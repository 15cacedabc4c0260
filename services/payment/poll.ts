// Polls providers as jobs for the outcome of payments that they have not reported, after growing pauses.
import type { Tenant } from '#runtime/call/call.ts';
import { Unavailable } from '#runtime/call/fault.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { type DeclaredJob, job } from '#runtime/job/queue.ts';
import type { Authorizations } from './authorization.ts';
import type { Gateway } from './gateway.ts';
import type { Settlement } from './settlement.ts';
import { endPolls, type PolledPayment, unreportedPayments } from './table/payment.ts';

const MINUTE_MS = 60_000;
export const FIRST_POLL_MS = MINUTE_MS;
const RETRY_MS = [2, 5, 15, 30, 60].map((minutes) => minutes * MINUTE_MS);
/** Time after a payment's expiry during which it is still polled, since some providers report late. */
const GRACE_MS = 72 * 3_600_000;
const POLL_TIMEOUT_MS = 12_500;
const LEASE_MS = 30_000;

export const pollingJob = (
  { postgres, clock, log }: Pick<Runtime, 'postgres' | 'clock' | 'log'>,
  gateway: Gateway,
  settlement: Settlement,
  authorizations: Authorizations,
): DeclaredJob =>
  job<PolledPayment>({
    name: 'payment_poll',
    rows: unreportedPayments,
    clock: 'real',
    leaseMs: LEASE_MS,
    atOnce: 8,
    // A store whose provider hangs leaves the other places to other stores.
    perTenant: 4,
    retryMs: RETRY_MS,
    run: async ({ store, environment, attempts: _, ...payment }) => {
      const tenant: Tenant = { store, environment };
      const isOver = (payment.expires_at?.getTime() ?? 0) + GRACE_MS <= clock.now(tenant).getTime();
      const call = { deadline: clock.real() + POLL_TIMEOUT_MS };
      try {
        if (payment.ending !== null) await authorizations.carryOutAgain(call, tenant, payment);
        else {
          const providerStatus = await gateway.fetchStatus(call, tenant, payment);
          await postgres.transaction((tx) => settlement.settle(tx, tenant, payment.id, providerStatus));
        }
      } catch (problem) {
        if (!(problem instanceof Unavailable)) throw problem;
      }
      if (!isOver) return 'again';
      log.warn({ payment: payment.id, provider: payment.provider }, 'stopped polling a payment without an outcome');
      await endPolls(postgres.sql, tenant, payment.id);
      return 'ended';
    },
  });
