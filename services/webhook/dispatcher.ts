// Attempts deliveries when they are due: claims them queue by queue under a lease, so that a queue that stands still delays
// no other, and nothing is lost with the process.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Tenant, type TenantKey, tenantKey } from '#runtime/call/call.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { repeatedly } from '#runtime/flow/repetition.ts';
import { retryDelayMs } from '#runtime/outbound/retry.ts';
import { ATTEMPT_MS, type AttemptResult, attempt, type Sender } from './attempt.ts';
import { Capacity, SLOW_MS } from './capacity.ts';
import { noteAttempts } from './measure.ts';
import { claimDue, type DeliveryClaim, type DeliveryOutcome, giveBack, saveOutcomes } from './table/delivery.ts';
import {
  callQueues,
  type DeliveryQueue,
  lockQueues,
  lockReadyQueues,
  nextQueueReady,
  settleQueues,
} from './table/queue.ts';

/** How often to look where no call came: for retries, and for what another process left. */
const LOOK_MS = 500;
const QUEUES_AT_ONCE = 128;
const OUTCOMES_AT_ONCE = 256;
/** Longer than any attempt: then its process is gone. */
const LEASE_MS = ATTEMPT_MS + 15_000;
/** A queue with more than there is room for is looked into again then, unless an attempt ends before. */
const FULL_AGAIN_MS = 10_000;
/** How long what is under way may take once the host stops. */
const FAREWELL_MS = 1_000;
const TROUBLE_MS = 250;

type Parts = Pick<Runtime, 'postgres' | 'clock' | 'log'>;

/** What an attempt makes of a delivery: done, tried again after a while, or given up. */
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
  readonly #parts: Parts;
  readonly #sender: Sender;
  readonly #worker = randomUUID();
  readonly #capacity: Capacity;
  readonly #underway = new Map<TenantKey, DeliveryClaim>();
  /** Queues with more due than there was room for; looked into as soon as there is. */
  readonly #full = new Map<string, DeliveryQueue>();
  readonly #freed = new Map<string, DeliveryQueue>();
  readonly #outcomes: DeliveryOutcome[] = [];
  #saving: Promise<void> | null = null;
  #stopped = false;
  #woken = false;
  /** Queues were left as they are for want of room in all: they are looked into as soon as any attempt ends. */
  #crowded = false;
  #rouse: (() => void) | null = null;
  #stopLooking = (): void => {};
  #running: Promise<void> = Promise.resolve();

  constructor(parts: Parts, sender: Sender, capacity = new Capacity()) {
    this.#parts = parts;
    this.#sender = sender;
    this.#capacity = capacity;
  }

  start(): void {
    const { postgres, clock, log } = this.#parts;
    this.#stopLooking = repeatedly({
      everyMs: LOOK_MS,
      able: () => postgres.available,
      resting: {
        postgres,
        clock,
        nextDue: async (until) => (this.#freed.size > 0 ? new Date(0) : nextQueueReady(postgres.sql, until)),
      },
      // Most looks find nothing: that is one statement, and no transaction.
      work: async () => {
        if (
          this.#freed.size > 0 ||
          clock.moved().length > 0 ||
          (await nextQueueReady(postgres.sql, new Date(clock.real()))) !== null
        )
          this.wake();
      },
      failed: (problem) => log.debug({ err: problem }, 'failed to look for due deliveries'),
    });
    this.#running = this.#run();
  }

  /** Something is due. */
  wake(): void {
    this.#woken = true;
    this.#rouse?.();
  }

  /** Waits until nothing of the tenant's is under way here, at most so long. */
  async quiet(tenant: Tenant, limitMs: number): Promise<void> {
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
    const until = performance.now() + FAREWELL_MS;
    while (this.#underway.size > 0 && performance.now() < until) await sleep(5);
    await this.#saving;
    const left = [...this.#underway.values()];
    if (left.length === 0) return;
    try {
      await this.#parts.postgres.transaction(async ({ sql }) =>
        callQueues(sql, await giveBack(sql, this.#worker, left)),
      );
    } catch (problem) {
      this.#parts.log.warn({ err: problem }, 'deliveries under way are tried again once their lease is over');
    }
  }

  async #run(): Promise<void> {
    while (!this.#stopped) {
      this.#woken = false;
      let busy = false;
      try {
        if (this.#parts.postgres.available) busy = await this.#look();
      } catch (problem) {
        this.#parts.log.debug({ err: problem }, 'deliveries wait');
        await sleep(TROUBLE_MS);
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

  /** Whether there may be more to claim right away. */
  async #look(): Promise<boolean> {
    this.#crowded = this.#capacity.left === 0;
    if (this.#crowded) return false;
    const { postgres, clock } = this.#parts;
    const freed = [...this.#freed.values()].slice(0, QUEUES_AT_ONCE);
    for (const { endpoint } of freed) this.#freed.delete(endpoint);
    const moved = clock.moved().map((tenant) => ({ tenant, now: clock.now(tenant) }));
    let queuesFound = 0;
    const claims = await postgres.transaction(async ({ sql }) => {
      const now = new Date(clock.real());
      const found = [
        ...(await lockReadyQueues(sql, now, [], QUEUES_AT_ONCE)),
        ...(moved.length > 0 ? await lockReadyQueues(sql, now, moved, QUEUES_AT_ONCE) : []),
        ...(freed.length > 0 ? await lockQueues(sql, freed) : []),
      ];
      queuesFound = found.length;
      const queues = [...new Map(found.map((queue) => [queue.endpoint, queue])).values()]
        // A journey of a sandbox's clock does itself what is due meanwhile.
        .filter((queue) => !clock.isFrozen(queue));
      return queues.length === 0 ? [] : this.#claim(sql, queues);
    });
    for (const claim of claims) void this.#attempt(claim);
    return claims.length > 0 && (queuesFound >= QUEUES_AT_ONCE || this.#freed.size > 0 || this.#woken);
  }

  async #claim(sql: Parameters<typeof claimDue>[0], queues: readonly DeliveryQueue[]): Promise<DeliveryClaim[]> {
    const { clock } = this.#parts;
    let left = this.#capacity.left;
    const wants = queues.flatMap((queue) => {
      if (left === 0) {
        this.#crowded = true;
        return [];
      }
      const now = clock.now(queue);
      const room = Math.min(this.#capacity.room(queue.endpoint), left);
      left -= room;
      return [{ ...queue, room, now, lease: new Date(now.getTime() + LEASE_MS) }];
    });
    const open = wants.filter(({ room }) => room > 0);
    const claims = open.length === 0 ? [] : await claimDue(sql, this.#worker, open);
    const more = await settleQueues(
      sql,
      wants.map((want) => ({ ...want, again: new Date(want.now.getTime() + FULL_AGAIN_MS) })),
    );
    for (const queue of wants)
      if (more.has(queue.endpoint)) this.#full.set(queue.endpoint, queue);
      else this.#full.delete(queue.endpoint);
    return claims;
  }

  async #attempt(claim: DeliveryClaim): Promise<void> {
    const { clock, log } = this.#parts;
    const key = tenantKey(claim, `${claim.event}/${claim.endpoint}`);
    // The lease ended by a jump of the clock; the attempt itself goes on.
    if (this.#underway.has(key)) return;
    this.#underway.set(key, claim);
    const slot = this.#capacity.begin(claim.endpoint);
    const slow = setTimeout(() => {
      this.#capacity.slowDown(claim.endpoint, slot);
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
      // A sandbox's story is the same each time it is told.
      const chance = claim.environment === 'production' ? Math.random() : 0;
      await this.#save(outcomeOf(claim, result, clock.now(claim), chance));
    } catch (problem) {
      this.#capacity.end(claim.endpoint, slot, 0);
      log.error({ err: problem, event: claim.event, endpoint: claim.endpoint }, 'an attempt was not made');
    } finally {
      clearTimeout(slow);
      this.#underway.delete(key);
      this.#free(claim.endpoint);
      if (this.#crowded) this.wake();
    }
  }

  /** There is room again: for this endpoint's queue, or for all that wait for any. */
  #free(endpoint?: string): void {
    const queues = endpoint === undefined ? [...this.#full.values()] : [this.#full.get(endpoint)];
    for (const queue of queues) {
      if (!queue || this.#capacity.room(queue.endpoint) === 0) continue;
      this.#full.delete(queue.endpoint);
      this.#freed.set(queue.endpoint, queue);
    }
    if (this.#freed.size > 0) this.wake();
  }

  /** Together with those that end meanwhile. */
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
    const { postgres, log } = this.#parts;
    const batch = this.#outcomes.slice(0, OUTCOMES_AT_ONCE);
    try {
      await postgres.transaction(({ sql }) => settle(sql, this.#worker, batch));
      noteAttempts(batch);
    } catch (problem) {
      log.warn({ err: problem }, 'what became of deliveries cannot be noted now');
      // Without a database the leases end by themselves, and the next that finds them tries again.
      if (!this.#stopped) return void (await sleep(TROUBLE_MS));
    }
    this.#outcomes.splice(0, batch.length);
  }
}

/** Notes what became of attempts, and calls the queues of those that are tried again. */
export const settle = async (
  sql: Parameters<typeof saveOutcomes>[0],
  worker: string,
  outcomes: readonly DeliveryOutcome[],
): Promise<void> => {
  await saveOutcomes(sql, worker, outcomes);
  await callQueues(
    sql,
    outcomes.flatMap(({ next, ...queue }) => (next === null ? [] : [{ ...queue, at: next }])),
  );
};
