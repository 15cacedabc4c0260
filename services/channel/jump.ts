// What a jump of a sandbox's clock does to its channels: what changes on the way is pushed, and what failed is tried again,
// each at its moment.
import { randomUUID } from 'node:crypto';
import { type Tenant, type TenantKey, tenantKey } from '#runtime/call/call.ts';
import { openDomainClient } from '#runtime/domain/domain_client.ts';
import { type ClockAdvance, countTypes, type IndependentDue } from '#runtime/domain/due.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { ChannelAttempt } from './attempt.ts';
import { LEASE_MS } from './sync.ts';
import { callChannels, claimChannel, firstRetry, hasChannels, isPushed } from './table/channel.ts';

/** As webhooks have it: an attempt waits so long at most, and for a channel that was silent once so long. */
const ATTEMPT_MS = 5_000;
const SILENT_MS = 500;
/** What was begun before the jump may take. */
const UNDERWAY_MS = 5_000;
const LOOK_MS = 10;
const ATTEMPTED = 'channel.sync';

/** What a journey knows of the catalogue. */
interface Reading {
  readonly since: number;
  /** Another one after whatever changed: an edition is not, which prices that begin by the clock do not move. */
  readonly revision: string;
  /** The channels are still to be asked whether that concerns them. */
  readonly changed: boolean;
}

export const channelsDue = (runtime: Runtime, attempt: ChannelAttempt): IndependentDue => {
  const { clock, postgres } = runtime;
  const { askOrThrow } = openDomainClient(runtime);
  const worker = randomUUID();
  const readings = new Map<TenantKey, Reading>();
  /** Channels that were silent in a journey. */
  const silent = new Map<TenantKey, Set<string>>();

  const read = async (tenant: Tenant, { since }: ClockAdvance): Promise<Reading> => {
    const known = readings.get(tenantKey(tenant));
    const head = await askOrThrow('CatalogSource/ListProductDigests', { tenant }, { instance: '', since: 0, limit: 0 });
    const revision = `${head.instance} ${head.revision}`;
    const changed = known?.since !== since || known.changed || known.revision !== revision;
    const reading = { since, revision, changed };
    readings.set(tenantKey(tenant), reading);
    return reading;
  };

  /** Once no worker has one of them; whether one had. False, too, where that takes too long. */
  const quiet = async (tenant: Tenant): Promise<boolean> => {
    const until = clock.real() + UNDERWAY_MS;
    for (let waited = false; clock.real() < until; waited = true) {
      if (!(await isPushed(postgres.sql, tenant, new Date(clock.real())))) return waited;
      await Bun.sleep(LOOK_MS);
    }
    return false;
  };

  /** All channels that are due by now; how many were told something, or would not hear it. */
  const attemptAll = async (tenant: Tenant, jump: ClockAdvance, slow: Set<string>): Promise<number> => {
    const now = clock.now(tenant);
    for (let attempts = 0; ; ) {
      const real = new Date(clock.real());
      if (real.getTime() >= jump.endsAt) return attempts;
      const until = new Date(real.getTime() + LEASE_MS);
      const channel = await claimChannel(postgres.sql, worker, { now, real, until, of: tenant });
      if (channel === null) {
        // A look that another began, who does not know of the jump, may have one: what changed is told once it is let go.
        if (await quiet(tenant)) continue;
        return attempts;
      }
      const timeoutMs = slow.has(channel.id) ? SILENT_MS : ATTEMPT_MS;
      const from = performance.now();
      const outcome = await attempt(channel, worker, timeoutMs);
      if (outcome === 'failed' && performance.now() - from >= timeoutMs) slow.add(channel.id);
      if (outcome === 'synced' || outcome === 'failed') attempts++;
    }
  };

  /** When something is to be told: at once where the catalogue changed, else when what failed is tried again. */
  const momentOf = async (tenant: Tenant, jump: ClockAdvance): Promise<number | null> => {
    const { changed } = await read(tenant, jump);
    if (changed) return clock.now(tenant).getTime();
    const retry = await firstRetry(postgres.sql, tenant, new Date(jump.target));
    return retry && Math.max(retry.getTime(), clock.now(tenant).getTime());
  };

  return {
    follows: true,
    next: async (tenant, jump) => {
      if (!(await hasChannels(postgres.sql, tenant))) return null;
      await quiet(tenant);
      return momentOf(tenant, jump);
    },
    run: async (tenant, jump) => {
      const key = tenantKey(tenant);
      const slow = silent.get(key) ?? new Set();
      silent.set(key, slow);
      let attempts = 0;
      while (clock.real() < jump.endsAt) {
        const moment = await momentOf(tenant, jump);
        if (moment === null || moment > jump.until) break;
        clock.freeze(tenant, moment);
        const reading = readings.get(key);
        if (reading?.changed) {
          await callChannels(postgres.sql, [tenant], new Date(moment));
          readings.set(key, { ...reading, changed: false });
        }
        attempts += await attemptAll(tenant, jump, slow);
      }
      return countTypes(Array.from({ length: attempts }, () => ATTEMPTED));
    },
    settle: async (tenant) => {
      readings.delete(tenantKey(tenant));
      silent.delete(tenantKey(tenant));
    },
  };
};
