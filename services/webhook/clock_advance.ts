// Makes the delivery attempts that are due during a sandbox's clock advance, each at its time and in order.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Fired } from '#runtime/actor/host.ts';
import type { Tenant } from '#runtime/call/call.ts';
import { type ClockAdvance, countTypes, type Due } from '#runtime/domain/due.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { type AttemptResult, attempt, type Sender } from './attempt.ts';
import { type Dispatcher, outcomeOf, recordOutcomes } from './dispatcher.ts';
import { INTAKE } from './intake.ts';
import { countAttempts } from './measure.ts';
import {
  claimFirstDue,
  type DeliveryClaim,
  type DeliveryOutcome,
  firstUnclaimedDue,
  releaseClaims,
} from './table/delivery.ts';
import { hasEndpoints } from './table/endpoint.ts';
import { scheduleQueues } from './table/queue.ts';

/** Shorter than the time-out of a real attempt, so that the advance is not delayed. */
const ATTEMPT_MS = 5_000;
/** Time-out of an endpoint that has timed out before during the advance. */
const SILENT_TIMEOUT_MS = 500;
const CLAIM_BATCH_MAX = 100;
const LEASE_MS = 60_000;
const POLL_MS = 3;
const CATCH_UP_MS = 5_000;
const RUNNING_WAIT_MS = 5_000;
/** Internal event. Once it was consumed, the deliveries of all events committed before it have been created. */
const MARKER_EVENT = 'webhook_log.marked';

type AdvanceRuntime = Pick<Runtime, 'postgres' | 'clock' | 'log'>;

export const waitForDeliveries = async ({ postgres }: AdvanceRuntime, tenant: Tenant): Promise<void> => {
  const id = await postgres.transaction((tx) => tx.emitMarker(tenant, MARKER_EVENT));
  const until = performance.now() + CATCH_UP_MS;
  for (;;) {
    const [seen] = await postgres.sql`select 1 from runtime.inbox where consumer = ${INTAKE} and event = ${id}`;
    if (seen) return;
    if (performance.now() > until)
      throw new Error(`failed to create deliveries of committed events within ${CATCH_UP_MS} ms`);
    await sleep(POLL_MS);
  }
};

export const deliveriesDue = (runtime: AdvanceRuntime, sender: Sender, dispatcher: Dispatcher): Due => {
  const { postgres, clock, log } = runtime;
  const worker = randomUUID();

  /**
   * Makes one attempt. An error, such as an unreadable key or order, counts as a failed attempt, so the delivery is
   * retried on schedule.
   */
  const attemptOne = async (claim: DeliveryClaim, now: Date, timeoutMs: number): Promise<AttemptResult> => {
    const { event, endpoint, payload } = claim;
    try {
      return await attempt(sender, claim, { id: event, payload }, { now, timeoutMs });
    } catch (problem) {
      log.error({ err: problem, event, endpoint }, 'failed to make a delivery attempt');
      return { success: false, status: null, error: 'The message could not be written.', tookMs: 0 };
    }
  };

  const attemptAll = async (claims: readonly DeliveryClaim[], silent: Set<string>): Promise<DeliveryOutcome[]> => {
    const outcomes: DeliveryOutcome[] = [];
    for (const claim of claims) {
      const now = clock.now(claim);
      const timeoutMs = silent.has(claim.endpoint) ? SILENT_TIMEOUT_MS : ATTEMPT_MS;
      const result = await attemptOne(claim, now, timeoutMs);
      if (result.status === null && result.tookMs >= timeoutMs) silent.add(claim.endpoint);
      outcomes.push(outcomeOf(claim, result, now, 0));
    }
    return outcomes;
  };

  const attemptMoment = async (claims: readonly DeliveryClaim[], silent: Set<string>): Promise<DeliveryOutcome[]> => {
    const queues = Map.groupBy(claims, ({ endpoint }) => endpoint);
    return (await Promise.all([...queues.values()].map((queue) => attemptAll(queue, silent)))).flat();
  };

  /** Makes the attempts in order of time, until the first retry that these attempts schedule is due. */
  const attemptMoments = async (
    tenant: Tenant,
    claims: readonly DeliveryClaim[],
    advance: ClockAdvance,
    silent: Set<string>,
  ) => {
    const outcomes: DeliveryOutcome[] = [];
    const left = new Set(claims);
    let again = Number.POSITIVE_INFINITY;
    const moments = Map.groupBy(claims, ({ at }) => Math.max(at.getTime(), advance.since));
    for (const [moment, due] of [...moments].sort(([a], [b]) => a - b)) {
      if (moment >= again || clock.real() >= advance.endsAt) break;
      clock.freeze(tenant, moment);
      const made = await attemptMoment(due, silent);
      for (const claim of due) left.delete(claim);
      for (const { next } of made) again = Math.min(again, next?.getTime() ?? again);
      outcomes.push(...made);
    }
    await postgres.transaction(async ({ sql }) => {
      await recordOutcomes(sql, worker, outcomes);
      if (left.size > 0) await scheduleQueues(sql, await releaseClaims(sql, worker, [...left]));
    });
    countAttempts(outcomes);
    return outcomes.length;
  };

  const run = async (tenant: Tenant, advance: ClockAdvance): Promise<readonly Fired[]> => {
    const silent = new Set<string>();
    const until = new Date(advance.until);
    const lease = new Date(advance.until + LEASE_MS);
    let attempts = 0;
    while (clock.real() < advance.endsAt) {
      const claims = await claimFirstDue(postgres.sql, worker, tenant, { until, lease, limit: CLAIM_BATCH_MAX });
      if (claims.length === 0) break;
      attempts += await attemptMoments(tenant, claims, advance, silent);
    }
    return countTypes(Array.from({ length: attempts }, () => 'webhook.delivery'));
  };

  return {
    next: async (tenant, advance) => {
      // Without endpoints nothing is delivered, so the advance need not wait for the event log.
      if (!(await hasEndpoints(postgres.sql, tenant))) return null;
      await dispatcher.waitUntilIdle(tenant, RUNNING_WAIT_MS);
      await waitForDeliveries(runtime, tenant);
      return (await firstUnclaimedDue(postgres.sql, tenant, new Date(advance.target)))?.getTime() ?? null;
    },
    run,
    follows: true,
    settle: (tenant) => waitForDeliveries(runtime, tenant),
  };
};
