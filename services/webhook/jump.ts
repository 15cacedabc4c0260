// What a jump of a sandbox's clock does to its deliveries: first attempts and retries, each at its moment, in order.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Fired } from '#runtime/actor/host.ts';
import type { Tenant } from '#runtime/call/call.ts';
import { type ClockAdvance, countTypes, type Due } from '#runtime/domain/due.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { type AttemptResult, attempt, type Sender } from './attempt.ts';
import { type Dispatcher, outcomeOf, settle } from './dispatcher.ts';
import { INTAKE } from './intake.ts';
import { noteAttempts } from './measure.ts';
import { claimFirst, type DeliveryClaim, type DeliveryOutcome, firstDue, giveBack } from './table/delivery.ts';
import { hasEndpoints } from './table/endpoint.ts';
import { callQueues } from './table/queue.ts';

/** "An attempt made by a jump waits 5 seconds at most." */
const ATTEMPT_MS = 5_000;
/** Who was silent once in a jump is waited for no longer than this. */
const SILENT_MS = 500;
const AT_ONCE = 100;
const LEASE_MS = 60_000;
const LOOK_MS = 3;
const CATCH_UP_MS = 5_000;
/** What attempts begun before the jump may take. */
const UNDERWAY_MS = 5_000;
/** No event of the specification's: shows that deliveries of whatever was committed before it have begun. */
const MARK = 'webhook_log.marked';

type Parts = Pick<Runtime, 'postgres' | 'clock' | 'log'>;

/** Until all that was committed is logged, and its deliveries have begun. */
export const catchUp = async ({ postgres }: Parts, tenant: Tenant): Promise<void> => {
  const id = await postgres.transaction((tx) => tx.emitMarker(tenant, MARK));
  const until = performance.now() + CATCH_UP_MS;
  for (;;) {
    const [seen] = await postgres.sql`select 1 from runtime.inbox where consumer = ${INTAKE} and event = ${id}`;
    if (seen) return;
    if (performance.now() > until) throw new Error('The deliveries of events do not catch up.');
    await sleep(LOOK_MS);
  }
};

export const deliveriesDue = (parts: Parts, sender: Sender, dispatcher: Dispatcher): Due => {
  const { postgres, clock, log } = parts;
  const worker = randomUUID();

  /** One that cannot be made, where a key or an order cannot be read, is a failed one: it is made again in its time. */
  const attemptOne = async (claim: DeliveryClaim, now: Date, timeoutMs: number): Promise<AttemptResult> => {
    const { event, endpoint, payload } = claim;
    try {
      return await attempt(sender, claim, { id: event, payload }, { now, timeoutMs });
    } catch (problem) {
      log.error({ err: problem, event, endpoint }, 'an attempt was not made');
      return { success: false, status: null, error: 'The message could not be written.', tookMs: 0 };
    }
  };

  const attemptAll = async (claims: readonly DeliveryClaim[], silent: Set<string>): Promise<DeliveryOutcome[]> => {
    const outcomes: DeliveryOutcome[] = [];
    for (const claim of claims) {
      const now = clock.now(claim);
      const timeoutMs = silent.has(claim.endpoint) ? SILENT_MS : ATTEMPT_MS;
      const result = await attemptOne(claim, now, timeoutMs);
      if (result.status === null && result.tookMs >= timeoutMs) silent.add(claim.endpoint);
      outcomes.push(outcomeOf(claim, result, now, 0));
    }
    return outcomes;
  };

  /** All that is due at one moment: each endpoint gets its own one after the other. */
  const attemptMoment = async (claims: readonly DeliveryClaim[], silent: Set<string>): Promise<DeliveryOutcome[]> => {
    const queues = Map.groupBy(claims, ({ endpoint }) => endpoint);
    return (await Promise.all([...queues.values()].map((queue) => attemptAll(queue, silent)))).flat();
  };

  /** Moment by moment, up to where one that failed is tried again. */
  const attemptMoments = async (
    tenant: Tenant,
    claims: readonly DeliveryClaim[],
    jump: ClockAdvance,
    silent: Set<string>,
  ) => {
    const outcomes: DeliveryOutcome[] = [];
    const left = new Set(claims);
    let again = Number.POSITIVE_INFINITY;
    const moments = Map.groupBy(claims, ({ at }) => Math.max(at.getTime(), jump.since));
    for (const [moment, due] of [...moments].sort(([a], [b]) => a - b)) {
      if (moment >= again || clock.real() >= jump.endsAt) break;
      clock.freeze(tenant, moment);
      const made = await attemptMoment(due, silent);
      for (const claim of due) left.delete(claim);
      for (const { next } of made) again = Math.min(again, next?.getTime() ?? again);
      outcomes.push(...made);
    }
    await postgres.transaction(async ({ sql }) => {
      await settle(sql, worker, outcomes);
      if (left.size > 0) await callQueues(sql, await giveBack(sql, worker, [...left]));
    });
    noteAttempts(outcomes);
    return outcomes.length;
  };

  const run = async (tenant: Tenant, jump: ClockAdvance): Promise<readonly Fired[]> => {
    const silent = new Set<string>();
    const until = new Date(jump.until);
    const lease = new Date(jump.until + LEASE_MS);
    let attempts = 0;
    while (clock.real() < jump.endsAt) {
      const claims = await claimFirst(postgres.sql, worker, tenant, { until, lease, limit: AT_ONCE });
      if (claims.length === 0) break;
      attempts += await attemptMoments(tenant, claims, jump, silent);
    }
    return countTypes(Array.from({ length: attempts }, () => 'webhook.delivery'));
  };

  return {
    next: async (tenant, jump) => {
      // What no endpoint hears of is in order whenever it is logged.
      if (!(await hasEndpoints(postgres.sql, tenant))) return null;
      await dispatcher.quiet(tenant, UNDERWAY_MS);
      await catchUp(parts, tenant);
      return (await firstDue(postgres.sql, tenant, new Date(jump.target)))?.getTime() ?? null;
    },
    run,
    follows: true,
    settle: (tenant) => catchUp(parts, tenant),
  };
};
