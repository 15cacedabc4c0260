// Looks which channels are due, and syncs each under a lease: whatever process ends, another one goes on. A channel that does
// not answer delays no other channel.
import { randomUUID } from 'node:crypto';
import { type Tenant, type TenantKey, tenantKey } from '#runtime/call/call.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { repeatedly } from '#runtime/flow/repetition.ts';
import type { ChannelAttempt } from './attempt.ts';
import { LEASE_MS } from './sync.ts';
import { callChannels, claimChannel, type FoundChannel, nextChannelDue, tenantsWithChannels } from './table/channel.ts';

/** As webhooks have it. */
const ATTEMPT_MS = 30_000;
/** How often to look for what is due. */
const LOOK_MS = 500;
/** Changes that come within this time are pushed together. */
const GATHER_MS = 500;
/** How often to look which tenants have channels at all. */
const ROUND_MS = 5_000;
/** Syncs that read and write at once; one whose channel is still to answer is none of them, … */
const AT_ONCE = 8;
/** … and counts here alone: each keeps a batch of some megabytes. */
const UNDERWAY_MAX = 256;
const FAREWELL_MS = 1_000;

export class Pusher {
  readonly #runtime: Runtime;
  readonly #attempt: ChannelAttempt;
  readonly #worker = randomUUID();
  /** Tenants with channels, and those of them whose catalogue changed since the last look. */
  #listening = new Map<TenantKey, Tenant>();
  readonly #changed = new Map<TenantKey, Tenant>();
  /** Tenants whose channels went on while a round was asking: its answer may be of before that. */
  readonly #resumed = new Map<TenantKey, Tenant>();
  /** Attempts under way, and how many of them wait for their channel's answer. */
  readonly #running = new Set<Promise<unknown>>();
  #answering = 0;
  #looking = false;
  #soon: ReturnType<typeof setTimeout> | null = null;
  readonly #stops: (() => void)[] = [];

  constructor(runtime: Runtime, attempt: ChannelAttempt) {
    this.#runtime = runtime;
    this.#attempt = attempt;
  }

  start(): void {
    const { postgres, clock, log } = this.#runtime;
    const nextDue = async (): Promise<Date | null> =>
      this.#changed.size > 0 || this.#running.size > 0 ? new Date(0) : nextChannelDue(postgres.sql);
    const able = (): boolean => postgres.available;
    const failed = (problem: unknown): void => log.warn({ err: problem }, 'failed to look for due channels');
    this.#stops.push(
      repeatedly({
        everyMs: LOOK_MS,
        able,
        resting: { postgres, clock, nextDue },
        work: () => this.#look(),
        failed,
      }),
      repeatedly({ everyMs: ROUND_MS, able, resting: { postgres, clock }, work: () => this.#round(), failed }),
      this.#runtime.notices.listen(({ kind, tenant }) => {
        if (kind !== 'catalog' || !this.#listening.has(tenantKey(tenant))) return;
        this.#changed.set(tenantKey(tenant), tenant);
        this.#lookSoon();
      }),
    );
    void this.#round();
  }

  /** A channel came to be, or is to go on: its tenant's changes are heard from here on. */
  listenTo(tenant: Tenant): void {
    this.#listening.set(tenantKey(tenant), tenant);
    this.#resumed.set(tenantKey(tenant), tenant);
  }

  async stop(): Promise<void> {
    if (this.#soon) clearTimeout(this.#soon);
    for (const stop of this.#stops) stop();
    await Promise.race([Promise.allSettled([...this.#running]), Bun.sleep(FAREWELL_MS)]);
  }

  /** The looks may rest, and its commit may have been seen before this notice came. */
  #lookSoon(): void {
    if (this.#soon) return;
    this.#soon = setTimeout(() => {
      this.#soon = null;
      void this.#look();
    }, LOOK_MS);
    this.#soon.unref();
  }

  async #round(): Promise<void> {
    const { postgres, log } = this.#runtime;
    if (!postgres.available) return;
    this.#resumed.clear();
    try {
      const tenants = await tenantsWithChannels(postgres.sql);
      this.#listening = new Map([...tenants.map((tenant) => [tenantKey(tenant), tenant] as const), ...this.#resumed]);
    } catch (problem) {
      log.warn({ err: problem }, 'channels wait');
    }
  }

  async #look(): Promise<void> {
    const { postgres, log } = this.#runtime;
    if (this.#looking || !postgres.available) return;
    this.#looking = true;
    try {
      await this.#tell();
      while (this.#running.size < UNDERWAY_MAX && this.#running.size - this.#answering < AT_ONCE) {
        const channel = await this.#claim();
        if (channel === null) break;
        const attempt = this.#attempt(channel, this.#worker, ATTEMPT_MS, (answer) => this.#whileAnswering(answer));
        const run: Promise<unknown> = attempt.finally(() => this.#running.delete(run));
        this.#running.add(run);
      }
    } catch (problem) {
      log.warn({ err: problem }, 'channels wait');
    } finally {
      this.#looking = false;
    }
  }

  async #tell(): Promise<void> {
    const { clock, postgres } = this.#runtime;
    // A journey of a sandbox's clock tells at each moment what changed there; what it leaves is told after it.
    const tenants = [...this.#changed.values()].filter((tenant) => !clock.isFrozen(tenant));
    for (const tenant of tenants) this.#changed.delete(tenantKey(tenant));
    try {
      for (const tenant of tenants)
        await callChannels(postgres.sql, [tenant], new Date(clock.now(tenant).getTime() + GATHER_MS));
    } catch (problem) {
      for (const tenant of tenants) this.#changed.set(tenantKey(tenant), tenant);
      throw problem;
    }
  }

  /** By the real clock, then by those of sandboxes that were moved. */
  async #claim(): Promise<FoundChannel | null> {
    const { clock, postgres } = this.#runtime;
    const real = new Date(clock.real());
    const until = new Date(real.getTime() + LEASE_MS);
    const found = await claimChannel(postgres.sql, this.#worker, { now: real, real, until, of: null });
    if (found !== null) return found;
    for (const tenant of clock.moved()) {
      if (!this.#listening.has(tenantKey(tenant))) continue;
      const now = clock.now(tenant);
      const own = await claimChannel(postgres.sql, this.#worker, { now, real, until, of: tenant });
      if (own !== null) return own;
    }
    return null;
  }

  /** Its place is another's, and is looked for at once. */
  async #whileAnswering<T>(answer: () => Promise<T>): Promise<T> {
    this.#answering++;
    void this.#look();
    try {
      return await answer();
    } finally {
      this.#answering--;
    }
  }
}
