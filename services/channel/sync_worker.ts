// Claims due channels and syncs each under a lease; after a crash another process takes the lease over. A slow channel
// delays no other.
import { randomUUID } from 'node:crypto';
import { type Tenant, type TenantKey, tenantKey } from '#runtime/call/call.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { repeatedly } from '#runtime/flow/repetition.ts';
import type { ChannelAttempt } from './attempt.ts';
import { LEASE_MS } from './sync.ts';
import {
  claimChannel,
  type FoundChannel,
  markChannelsDue,
  nextChannelDue,
  tenantsWithChannels,
} from './table/channel.ts';

const ATTEMPT_TIMEOUT_MS = 30_000;
const CHECK_INTERVAL_MS = 500;
/** Delay after a change, so that changes within this time are pushed together. */
const COALESCE_MS = 500;
const TENANT_REFRESH_MS = 5_000;
/** Syncs that may read and write at once, without those that wait for a channel's response. */
const ACTIVE_MAX = 8;
/** Bounds memory, since each sync holds a batch of some megabytes. */
const SYNCS_MAX = 256;
const SHUTDOWN_GRACE_MS = 1_000;

export class ChannelSyncWorker {
  readonly #runtime: Runtime;
  readonly #attempt: ChannelAttempt;
  readonly #worker = randomUUID();
  /** Tenants with channels; `#changed` has those whose catalogue has changed. */
  #watched = new Map<TenantKey, Tenant>();
  readonly #changed = new Map<TenantKey, Tenant>();
  /** Tenants added while a refresh is running, which may have missed them. */
  readonly #addedMeanwhile = new Map<TenantKey, Tenant>();
  /** Syncs in progress, of which `#waiting` wait for a response. */
  readonly #running = new Set<Promise<unknown>>();
  #waiting = 0;
  #isClaiming = false;
  #timer: ReturnType<typeof setTimeout> | null = null;
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
    const failed = (error: unknown): void => log.warn({ err: error }, 'failed to check for due channels');
    const refreshFailed = (error: unknown): void => log.warn({ err: error }, 'failed to list tenants with channels');
    this.#stops.push(
      repeatedly({
        everyMs: CHECK_INTERVAL_MS,
        able,
        resting: { postgres, clock, nextDue },
        work: () => this.#syncDue(),
        failed,
      }),
      repeatedly({
        everyMs: TENANT_REFRESH_MS,
        able,
        resting: { postgres, clock },
        work: () => this.#refreshWatched(),
        failed: refreshFailed,
      }),
      this.#runtime.notices.listen(({ kind, tenant }) => {
        if (kind !== 'catalog' || !this.#watched.has(tenantKey(tenant))) return;
        this.#changed.set(tenantKey(tenant), tenant);
        this.#syncSoon();
      }),
    );
    void this.#refreshWatched().catch(refreshFailed);
  }

  watchTenant(tenant: Tenant): void {
    this.#watched.set(tenantKey(tenant), tenant);
    this.#addedMeanwhile.set(tenantKey(tenant), tenant);
  }

  async stop(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer);
    for (const stop of this.#stops) stop();
    await Promise.race([Promise.allSettled([...this.#running]), Bun.sleep(SHUTDOWN_GRACE_MS)]);
  }

  /** Syncs due channels after `CHECK_INTERVAL_MS`, even while the periodic checks are paused. */
  #syncSoon(): void {
    if (this.#timer) return;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      void this.#syncDue();
    }, CHECK_INTERVAL_MS);
    this.#timer.unref();
  }

  async #refreshWatched(): Promise<void> {
    const { postgres } = this.#runtime;
    if (!postgres.available) return;
    this.#addedMeanwhile.clear();
    const tenants = await tenantsWithChannels(postgres.sql);
    this.#watched = new Map([
      ...tenants.map((tenant) => [tenantKey(tenant), tenant] as const),
      ...this.#addedMeanwhile,
    ]);
  }

  async #syncDue(): Promise<void> {
    const { postgres, log } = this.#runtime;
    if (this.#isClaiming || !postgres.available) return;
    this.#isClaiming = true;
    try {
      await this.#markChangedDue();
      while (this.#running.size < SYNCS_MAX && this.#running.size - this.#waiting < ACTIVE_MAX) {
        const channel = await this.#claim();
        if (channel === null) break;
        const attempt = this.#attempt(channel, this.#worker, ATTEMPT_TIMEOUT_MS, (answer) =>
          this.#whileWaiting(answer),
        );
        const run: Promise<unknown> = attempt.finally(() => this.#running.delete(run));
        this.#running.add(run);
      }
    } catch (error) {
      log.warn({ err: error }, 'failed to claim due channels');
    } finally {
      this.#isClaiming = false;
    }
  }

  async #markChangedDue(): Promise<void> {
    const { clock, postgres } = this.#runtime;
    // Leaves out tenants whose clock is being moved: clock_advance.ts syncs their channels.
    const tenants = [...this.#changed.values()].filter((tenant) => !clock.isFrozen(tenant));
    for (const tenant of tenants) this.#changed.delete(tenantKey(tenant));
    try {
      for (const tenant of tenants)
        await markChannelsDue(postgres.sql, [tenant], new Date(clock.now(tenant).getTime() + COALESCE_MS));
    } catch (error) {
      for (const tenant of tenants) this.#changed.set(tenantKey(tenant), tenant);
      throw error;
    }
  }

  /**
   * Claims a channel that is due by real time, else one that is due by the clock of a sandbox whose clock was moved.
   */
  async #claim(): Promise<FoundChannel | null> {
    const { clock, postgres } = this.#runtime;
    const real = new Date(clock.real());
    const until = new Date(real.getTime() + LEASE_MS);
    const found = await claimChannel(postgres.sql, this.#worker, { now: real, real, until, of: null });
    if (found !== null) return found;
    for (const tenant of clock.moved()) {
      if (!this.#watched.has(tenantKey(tenant))) continue;
      const now = clock.now(tenant);
      const own = await claimChannel(postgres.sql, this.#worker, { now, real, until, of: tenant });
      if (own !== null) return own;
    }
    return null;
  }

  async #whileWaiting<T>(answer: () => Promise<T>): Promise<T> {
    this.#waiting++;
    void this.#syncDue();
    try {
      return await answer();
    } finally {
      this.#waiting--;
    }
  }
}
