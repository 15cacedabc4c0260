// Looks which channels are due, and syncs one after the other under a lease: whatever process ends, another one goes on.
import { randomUUID } from 'node:crypto';
import { type Tenant, tenantKey } from '#runtime/call/call.ts';
import type { Foundation } from '#runtime/door/foundation.ts';
import { openInquiry } from '#runtime/door/inquiry.ts';
import { connectOutbound } from '#runtime/outbound/outbound.ts';
import { RETRY_DELAYS_MS, retryDelayMs } from '#runtime/outbound/retry.ts';
import { syncEventOf } from './document.ts';
import { LEASE_MS, type Synced, type SyncParts, sync } from './sync.ts';
import { callChannels, claimChannel, type FoundChannel, leaveChannel, tenantsWithChannels } from './table/channel.ts';

/** How often to look for what is due. */
const LOOK_MS = 500;
/** Changes that come within this time are pushed together. */
const GATHER_MS = 500;
/** How often to look which tenants have channels at all, and at each channel though nothing told of a change. */
const ROUND_MS = 5_000;
const REVISIT_MS = 60_000;
const AT_ONCE = 2;
const FAREWELL_MS = 1_000;

export class Pusher {
  readonly #foundation: Foundation;
  readonly #parts: SyncParts;
  readonly #worker = randomUUID();
  /** Tenants with channels, and those of them whose catalogue changed since the last look. */
  #listening = new Map<string, Tenant>();
  readonly #changed = new Map<string, Tenant>();
  readonly #running = new Set<Promise<void>>();
  #looking = false;
  readonly #stops: (() => void)[] = [];

  constructor(foundation: Foundation) {
    this.#foundation = foundation;
    const { allowLocal } = foundation.settings;
    const outbound = connectOutbound({ allowLocal, resolve: foundation.resolve });
    this.#parts = { ...foundation, must: openInquiry(foundation).must, outbound };
  }

  start(): void {
    const look = setInterval(() => void this.#look(), LOOK_MS);
    const round = setInterval(() => void this.#round(), ROUND_MS);
    look.unref();
    round.unref();
    this.#stops.push(
      () => clearInterval(look),
      () => clearInterval(round),
      this.#foundation.notices.listen(({ kind, tenant }) => {
        if (kind === 'catalog' && this.#listening.has(tenantKey(tenant))) this.#changed.set(tenantKey(tenant), tenant);
      }),
    );
    void this.#round();
  }

  /** A channel came to be, or is to go on: its tenant's changes are heard from here on. */
  listenTo(tenant: Tenant): void {
    this.#listening.set(tenantKey(tenant), tenant);
  }

  async stop(): Promise<void> {
    for (const stop of this.#stops) stop();
    await Promise.race([Promise.allSettled([...this.#running]), Bun.sleep(FAREWELL_MS)]);
  }

  async #round(): Promise<void> {
    const { postgres, log } = this.#foundation;
    if (!postgres.available) return;
    try {
      const tenants = await tenantsWithChannels(postgres.sql);
      this.#listening = new Map(tenants.map((tenant) => [tenantKey(tenant), tenant]));
    } catch (problem) {
      log.warn({ err: problem }, 'channels wait');
    }
  }

  async #look(): Promise<void> {
    const { postgres, log } = this.#foundation;
    if (this.#looking || !postgres.available) return;
    this.#looking = true;
    try {
      await this.#tell();
      while (this.#running.size < AT_ONCE) {
        const channel = await this.#claim();
        if (channel === null) break;
        const run = this.#run(channel).finally(() => this.#running.delete(run));
        this.#running.add(run);
      }
    } catch (problem) {
      log.warn({ err: problem }, 'channels wait');
    } finally {
      this.#looking = false;
    }
  }

  async #tell(): Promise<void> {
    if (this.#changed.size === 0) return;
    const { clock, postgres } = this.#foundation;
    const tenants = [...this.#changed.values()];
    this.#changed.clear();
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
    const { clock, postgres } = this.#foundation;
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

  async #run(channel: FoundChannel): Promise<void> {
    const { log } = this.#foundation;
    try {
      const { store } = channel;
      const profile = await this.#parts.must('StoreDirectory/GetProfile', { tenant: channel }, { store });
      await this.#settle(channel, await sync(this.#parts, channel, this.#worker, profile));
    } catch (problem) {
      log.warn({ err: problem, channel: channel.id }, 'a channel was not synced; it is tried again');
      const error = 'The catalogue could not be read; it is tried again.';
      const progress = { total: channel.items_total, pushed: channel.items_pushed, rejected: channel.items_rejected };
      await this.#settle(channel, { progress, error, lost: false }).catch(() => {});
    }
  }

  /** As webhooks have it; after the last step it goes on with that. */
  #nextAfter(failures: number, channel: FoundChannel): number {
    const chance = channel.environment === 'production' ? Math.random() : 0;
    return retryDelayMs(Math.min(failures, RETRY_DELAYS_MS.length), chance) ?? REVISIT_MS;
  }

  async #settle(channel: FoundChannel, { progress, error, lost }: Synced): Promise<void> {
    if (lost) return;
    const { clock, postgres } = this.#foundation;
    const tenant = { store: channel.store, environment: channel.environment };
    const now = clock.now(tenant);
    const failures = error === null ? 0 : channel.failures + 1;
    const waitMs = error === null ? REVISIT_MS : this.#nextAfter(failures, channel);
    await postgres.transaction(async (tx) => {
      const left = await leaveChannel(tx.sql, channel, this.#worker, {
        failures,
        last_error: error,
        status: error === null ? 'connected' : 'failing',
        whole_since: error === null ? null : channel.whole_since,
        next: new Date(now.getTime() + waitMs),
        last_sync_at: error === null ? now : null,
      });
      // Looks that find nothing are no syncs.
      if (left && error === null && (progress.total > 0 || channel.whole_since !== null))
        await tx.emit(tenant, [{ type: 'channel.sync.completed', object: syncEventOf(channel, progress) }]);
    });
  }
}
