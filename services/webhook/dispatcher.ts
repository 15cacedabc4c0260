// Claims due deliveries under a lease, queue by queue, and attempts them. A blocked queue delays no other, and a crash
// loses no delivery.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Tenant, type TenantKey, tenantKey } from '#runtime/call/call.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { repeatedly } from '#runtime/flow/repetition.ts';
import { retryDelayMs } from '#runtime/outbound/outbound.ts';
import { ATTEMPT_MS, type AttemptResult, attempt, type Sender } from './attempt.ts';
import { Capacity, SLOW_MS } from './capacity.ts';
import { countAttempts } from './measure.ts';
import { claimDue, type DeliveryClaim, type DeliveryOutcome, releaseClaims, saveOutcomes } from './table/delivery.ts';
import {
  type DeliveryQueue,
  lockDueQueues,
  lockQueues,
  nextQueueDue,
  rescheduleQueues,
  scheduleQueues,
} from './table/queue.ts';

const POLL_MS = 500;
const QUEUE_BATCH_MAX = 128;
const OUTCOME_BATCH_MAX = 256;
/** Longer than any attempt, so an expired lease means that its process has ended. */
const LEASE_MS = ATTEMPT_MS + 15_000;
/**
 * A queue with more due deliveries than capacity is checked again after this time, or as soon as one of its attempts
 * ends.
 */
const FULL_QUEUE_RETRY_MS = 10_000;
const SHUTDOWN_GRACE_MS = 1_000;
const ERROR_PAUSE_MS = 250;

type DispatcherRuntime = Pick<Runtime, 'postgres' | 'clock' | 'log'>;

export const outcomeOf = (
  { store, environment, endpoint, event, step }: DeliveryClaim,
  { success, status, error, tookMs }: AttemptResult,
  at: Date,
  chance: number,
): DeliveryOutcome => {
  const delay = success ? null : retryDelayMs(step + 1, chance);
  return {
    store,
    environment,
    endpoint,
    event,
    status: success ? 'delivered' : delay === null ? 'dead_lettered' : 'retrying',
    step: step + 1,
    next: delay === null ? null : new Date(at.getTime() + delay),
    attempt: { attempted_at: at.toISOString(), response_status: status, error, duration_ms: tookMs },
  };
};

export class Dispatcher {
  readonly #runtime: DispatcherRuntime;
  readonly #sender: Sender;
  readonly #worker = randomUUID();
  readonly #capacity: Capacity;
  readonly #underway = new Map<TenantKey, DeliveryClaim>();
  readonly #full = new Map<string, DeliveryQueue>();
  readonly #freed = new Map<string, DeliveryQueue>();
  readonly #outcomes: DeliveryOutcome[] = [];
  #saving: Promise<void> | null = null;
  #stopped = false;
  #woken = false;
  /**
   * True while all capacity for endpoints that answer fast is in use; the end of any attempt then wakes the dispatcher.
   */
  #crowded = false;
  #rouse: (() => void) | null = null;
  #stopLooking = (): void => {};
  #running: Promise<void> = Promise.resolve();

  constructor(runtime: DispatcherRuntime, sender: Sender, capacity = new Capacity()) {
    this.#runtime = runtime;
    this.#sender = sender;
    this.#capacity = capacity;
  }

  start(): void {
    const { postgres, clock, log } = this.#runtime;
    this.#stopLooking = repeatedly({
      everyMs: POLL_MS,
      able: () => postgres.available,
      resting: {
        postgres,
        clock,
        nextDue: async (until) => (this.#freed.size > 0 ? new Date(0) : nextQueueDue(postgres.sql, until)),
      },
      // Most polls find nothing; such a poll costs one statement and no transaction.
      work: async () => {
        if (
          this.#freed.size > 0 ||
          clock.moved().length > 0 ||
          (await nextQueueDue(postgres.sql, new Date(clock.real()))) !== null
        )
          this.wake();
      },
      failed: (problem) => log.debug({ err: problem }, 'failed to look for due deliveries'),
    });
    this.#running = this.#run();
  }

  wake(): void {
    this.#woken = true;
    this.#rouse?.();
  }

  async waitUntilIdle(tenant: Tenant, limitMs: number): Promise<void> {
    const until = performance.now() + limitMs;
    const key = tenantKey(tenant);
    while (performance.now() < until && [...this.#underway.values()].some((claim) => tenantKey(claim) === key))
      await sleep(5);
    await this.#saving;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#stopLooking();
    this.#rouse?.();
    await this.#running;
    const until = performance.now() + SHUTDOWN_GRACE_MS;
    while (this.#underway.size > 0 && performance.now() < until) await sleep(5);
    await this.#saving;
    const left = [...this.#underway.values()];
    if (left.length === 0) return;
    try {
      await this.#runtime.postgres.transaction(async ({ sql }) =>
        scheduleQueues(sql, await releaseClaims(sql, this.#worker, left)),
      );
    } catch (problem) {
      this.#runtime.log.warn(
        { err: problem },
        'failed to release running deliveries; they are retried once their lease expires',
      );
    }
  }

  async #run(): Promise<void> {
    while (!this.#stopped) {
      this.#woken = false;
      let busy = false;
      try {
        if (this.#runtime.postgres.available) busy = await this.#look();
      } catch (problem) {
        this.#runtime.log.debug({ err: problem }, 'failed to claim deliveries; will retry');
        await sleep(ERROR_PAUSE_MS);
      }
      if (!busy) await this.#rest();
    }
  }

  #rest(): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        this.#rouse = null;
        resolve();
      };
      this.#rouse = done;
      if (this.#woken || this.#stopped) done();
    });
  }

  async #look(): Promise<boolean> {
    this.#crowded = this.#capacity.fastCapacityLeft === 0;
    if (this.#crowded) return false;
    const { postgres, clock } = this.#runtime;
    const freed = [...this.#freed.values()].slice(0, QUEUE_BATCH_MAX);
    for (const { endpoint } of freed) this.#freed.delete(endpoint);
    const moved = clock.moved().map((tenant) => ({ tenant, now: clock.now(tenant) }));
    let queuesFound = 0;
    const claims = await postgres.transaction(async ({ sql }) => {
      const now = new Date(clock.real());
      const found = [
        ...(await lockDueQueues(sql, now, [], QUEUE_BATCH_MAX)),
        ...(moved.length > 0 ? await lockDueQueues(sql, now, moved, QUEUE_BATCH_MAX) : []),
        ...(freed.length > 0 ? await lockQueues(sql, freed) : []),
      ];
      queuesFound = found.length;
      const queues = [...new Map(found.map((queue) => [queue.endpoint, queue])).values()]
        // While a sandbox's clock advances, the advance itself attempts its deliveries.
        .filter((queue) => !clock.isFrozen(queue));
      return queues.length === 0 ? [] : this.#claim(sql, queues);
    });
    for (const claim of claims) void this.#attempt(claim);
    return claims.length > 0 && (queuesFound >= QUEUE_BATCH_MAX || this.#freed.size > 0 || this.#woken);
  }

  async #claim(sql: Parameters<typeof claimDue>[0], queues: readonly DeliveryQueue[]): Promise<DeliveryClaim[]> {
    const { clock } = this.#runtime;
    let left = this.#capacity.fastCapacityLeft;
    const checks = queues.flatMap((queue) => {
      if (left === 0) {
        this.#crowded = true;
        return [];
      }
      const now = clock.now(queue);
      const capacity = Math.min(this.#capacity.capacityOf(queue.endpoint), left);
      left -= capacity;
      return [{ ...queue, capacity, now, lease: new Date(now.getTime() + LEASE_MS) }];
    });
    const open = checks.filter(({ capacity }) => capacity > 0);
    const claims = open.length === 0 ? [] : await claimDue(sql, this.#worker, open);
    const more = await rescheduleQueues(
      sql,
      checks.map((want) => ({ ...want, again: new Date(want.now.getTime() + FULL_QUEUE_RETRY_MS) })),
    );
    for (const queue of checks)
      if (more.has(queue.endpoint)) this.#full.set(queue.endpoint, queue);
      else this.#full.delete(queue.endpoint);
    return claims;
  }

  async #attempt(claim: DeliveryClaim): Promise<void> {
    const { clock, log } = this.#runtime;
    const key = tenantKey(claim, `${claim.event}/${claim.endpoint}`);
    // A clock advance has released the lease, but this process is still attempting the delivery.
    if (this.#underway.has(key)) return;
    this.#underway.set(key, claim);
    const slot = this.#capacity.begin(claim.endpoint);
    const slow = setTimeout(() => {
      this.#capacity.markSlow(claim.endpoint, slot);
      this.#free();
    }, SLOW_MS);
    try {
      const result = await attempt(
        this.#sender,
        claim,
        { id: claim.event, payload: claim.payload },
        { now: clock.now(claim) },
      );
      this.#capacity.end(claim.endpoint, slot, result.tookMs);
      // No jitter in a sandbox, so that every run has the same result.
      const chance = claim.environment === 'production' ? Math.random() : 0;
      await this.#save(outcomeOf(claim, result, clock.now(claim), chance));
    } catch (problem) {
      this.#capacity.end(claim.endpoint, slot, 0);
      log.error({ err: problem, event: claim.event, endpoint: claim.endpoint }, 'failed to make a delivery attempt');
    } finally {
      clearTimeout(slow);
      this.#underway.delete(key);
      this.#free(claim.endpoint);
      if (this.#crowded) this.wake();
    }
  }

  /** Claims again for full queues that have capacity now: the endpoint's, or all of them if none is given. */
  #free(endpoint?: string): void {
    const queues = endpoint === undefined ? [...this.#full.values()] : [this.#full.get(endpoint)];
    for (const queue of queues) {
      if (!queue || this.#capacity.capacityOf(queue.endpoint) === 0) continue;
      this.#full.delete(queue.endpoint);
      this.#freed.set(queue.endpoint, queue);
    }
    if (this.#freed.size > 0) this.wake();
  }

  async #save(outcome: DeliveryOutcome): Promise<void> {
    this.#outcomes.push(outcome);
    while (this.#outcomes.includes(outcome)) {
      this.#saving ??= this.#saveBatch().finally(() => {
        this.#saving = null;
      });
      await this.#saving;
    }
  }

  async #saveBatch(): Promise<void> {
    const { postgres, log } = this.#runtime;
    const batch = this.#outcomes.slice(0, OUTCOME_BATCH_MAX);
    try {
      await postgres.transaction(({ sql }) => recordOutcomes(sql, this.#worker, batch));
      countAttempts(batch);
    } catch (problem) {
      log.warn({ err: problem }, 'failed to save delivery outcomes; will retry');
      // If the database is unavailable the leases expire, and the next claim attempts the deliveries again.
      if (!this.#stopped) return void (await sleep(ERROR_PAUSE_MS));
    }
    this.#outcomes.splice(0, batch.length);
  }
}

export const recordOutcomes = async (
  sql: Parameters<typeof saveOutcomes>[0],
  worker: string,
  outcomes: readonly DeliveryOutcome[],
): Promise<void> => {
  await saveOutcomes(sql, worker, outcomes);
  await scheduleQueues(
    sql,
    outcomes.flatMap(({ next, ...queue }) => (next === null ? [] : [{ ...queue, at: next }])),
  );
};
