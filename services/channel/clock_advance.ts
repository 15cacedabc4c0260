// Syncs channels while a sandbox's clock is being moved: pushes changes and retries failures at their scheduled times.
import { type Tenant, type TenantKey, tenantKey } from '#runtime/call/call.ts';
import { openDomainClient } from '#runtime/domain/domain_client.ts';
import { type ClockAdvance, countTypes, type IndependentDue } from '#runtime/domain/due.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { claimRows } from '#runtime/job/job.ts';
import { renewing } from '#runtime/job/queue.ts';
import type { ChannelAttempt } from './attempt.ts';
import { LEASE_MS } from './sync_worker.ts';
import {
  channelsToSync,
  type FoundChannel,
  firstRetry,
  hasChannels,
  isAnySyncing,
  markChannelsDue,
} from './table/channel.ts';

/** Time-out of an attempt, as for webhooks. `UNRESPONSIVE_TIMEOUT_MS` is for channels that did not respond before. */
const ATTEMPT_TIMEOUT_MS = 5_000;
const UNRESPONSIVE_TIMEOUT_MS = 500;
/** Longest wait for syncs that started before the clock was moved. */
const IDLE_WAIT_MS = 5_000;
const POLL_MS = 10;
const ATTEMPTED = 'channel.sync';

interface CatalogState {
  readonly since: number;
  /** Catalogue revision; unlike the edition it also changes when a scheduled price begins to apply. */
  readonly revision: string;
  readonly changed: boolean;
}

export const channelsDue = (runtime: Runtime, attempt: ChannelAttempt): IndependentDue => {
  const { clock, postgres } = runtime;
  const { askOrThrow } = openDomainClient(runtime);
  const states = new Map<TenantKey, CatalogState>();
  const unresponsive = new Map<TenantKey, Set<string>>();

  const readState = async (tenant: Tenant, { since }: ClockAdvance): Promise<CatalogState> => {
    const known = states.get(tenantKey(tenant));
    const head = await askOrThrow('CatalogSource/ListProductDigests', { tenant }, { instance: '', since: 0, limit: 0 });
    const revision = `${head.instance} ${head.revision}`;
    const changed = known?.since !== since || known.changed || known.revision !== revision;
    const reading = { since, revision, changed };
    states.set(tenantKey(tenant), reading);
    return reading;
  };

  /**
   * Waits until no worker syncs the tenant's channels. Returns true if it waited; false if there was nothing to wait
   * for, or on time-out.
   */
  const waitUntilIdle = async (tenant: Tenant): Promise<boolean> => {
    const until = clock.real() + IDLE_WAIT_MS;
    for (let waited = false; clock.real() < until; waited = true) {
      if (!(await isAnySyncing(postgres.sql, tenant, new Date(clock.real())))) return waited;
      await Bun.sleep(POLL_MS);
    }
    return false;
  };

  /** Syncs all due channels. Returns the number of syncs that sent something or failed. */
  const syncAllDue = async (tenant: Tenant, advance: ClockAdvance, slow: Set<string>): Promise<number> => {
    const now = clock.now(tenant);
    for (let attempts = 0; ; ) {
      const real = new Date(clock.real());
      if (real.getTime() >= advance.endsAt) return attempts;
      const until = new Date(real.getTime() + LEASE_MS);
      const claim = { real, until, limit: 1, of: [{ tenant, now }] };
      const [channel] = await claimRows<FoundChannel>(postgres.sql, channelsToSync, claim);
      if (!channel) {
        // Waits, because a worker that started before the clock was moved may hold a channel. The channel is synced
        // again afterwards.
        if (await waitUntilIdle(tenant)) continue;
        return attempts;
      }
      const timeoutMs = slow.has(channel.id) ? UNRESPONSIVE_TIMEOUT_MS : ATTEMPT_TIMEOUT_MS;
      const from = performance.now();
      const lease = renewing(runtime, channelsToSync, channel, { until, leaseMs: LEASE_MS });
      const outcome = await attempt(channel, timeoutMs).finally(() => lease.stop());
      if (outcome === 'failed' && performance.now() - from >= timeoutMs) slow.add(channel.id);
      if (outcome === 'synced' || outcome === 'failed') attempts++;
    }
  };

  /** Returns the current time if the catalogue changed, else the time of the first retry; null if none is due. */
  const nextMoment = async (tenant: Tenant, advance: ClockAdvance): Promise<number | null> => {
    const { changed } = await readState(tenant, advance);
    if (changed) return clock.now(tenant).getTime();
    const retry = await firstRetry(postgres.sql, tenant, new Date(advance.target));
    return retry && Math.max(retry.getTime(), clock.now(tenant).getTime());
  };

  return {
    follows: true,
    next: async (tenant, advance) => {
      if (!(await hasChannels(postgres.sql, tenant))) return null;
      await waitUntilIdle(tenant);
      return nextMoment(tenant, advance);
    },
    run: async (tenant, advance) => {
      const key = tenantKey(tenant);
      const slow = unresponsive.get(key) ?? new Set();
      unresponsive.set(key, slow);
      let attempts = 0;
      while (clock.real() < advance.endsAt) {
        const moment = await nextMoment(tenant, advance);
        if (moment === null || moment > advance.until) break;
        clock.freeze(tenant, moment);
        const reading = states.get(key);
        if (reading?.changed) {
          await markChannelsDue(postgres.sql, [{ tenant, now: new Date(moment) }]);
          states.set(key, { ...reading, changed: false });
        }
        attempts += await syncAllDue(tenant, advance, slow);
      }
      return countTypes(Array.from({ length: attempts }, () => ATTEMPTED));
    },
    settle: async (tenant) => {
      states.delete(tenantKey(tenant));
      unresponsive.delete(tenantKey(tenant));
    },
  };
};
