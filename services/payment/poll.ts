// Polls providers for the outcome of payments that they have not reported, at growing intervals.
import type { Tenant } from '#runtime/call/call.ts';
import { Unavailable } from '#runtime/call/fault.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { Authorizations } from './authorization.ts';
import type { Gateway } from './gateway.ts';
import type { Settlement } from './settlement.ts';
import { claimDuePolls, type PolledPayment, setNextPoll } from './table/payment.ts';

const MINUTE_MS = 60_000;
const WAITS_MS = [1, 2, 5, 15, 30, 60].map((minutes) => minutes * MINUTE_MS);
/** Time after a payment's expiry during which it is still polled, since some providers report late. */
const GRACE_MS = 72 * 3_600_000;
const POLL_TIMEOUT_MS = 12_500;
/**
 * Exceeds the duration of a poll and its transaction. After a crash another process polls once the lease has expired.
 */
const LEASE_MS = 30_000;
const CONCURRENT_MAX = 8;

export const pollAfterMs = (polls: number): number => WAITS_MS[Math.min(polls, WAITS_MS.length - 1)]!;

export const pollDue = async (
  { postgres, clock, log }: Pick<Runtime, 'postgres' | 'clock' | 'log'>,
  gateway: Gateway,
  settlement: Settlement,
  authorizations: Authorizations,
): Promise<number> => {
  const lookAt = async ({ store, environment, polls, ...payment }: PolledPayment): Promise<void> => {
    const tenant: Tenant = { store, environment };
    const now = clock.real();
    const over = (payment.expires_at?.getTime() ?? 0) + GRACE_MS <= clock.now(tenant).getTime();
    const call = { deadline: now + POLL_TIMEOUT_MS };
    try {
      if (payment.ending !== null) await authorizations.carryOutAgain(call, tenant, payment);
      else {
        const providerStatus = await gateway.fetchStatus(call, tenant, payment);
        await postgres.transaction((tx) => settlement.settle(tx, tenant, payment.id, providerStatus));
      }
    } catch (problem) {
      if (!(problem instanceof Unavailable)) throw problem;
    }
    if (over)
      log.warn({ payment: payment.id, provider: payment.provider }, 'stopped polling a payment without an outcome');
    await setNextPoll(postgres.sql, tenant, payment.id, over ? null : new Date(now + pollAfterMs(polls)));
  };
  const now = clock.real();
  const due = await claimDuePolls(postgres.sql, new Date(now), new Date(now + LEASE_MS), CONCURRENT_MAX);
  for (const outcome of await Promise.allSettled(due.map(lookAt)))
    if (outcome.status === 'rejected') log.warn({ err: outcome.reason }, 'failed to poll a payment');
  return due.length;
};
