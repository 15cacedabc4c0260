// One attempt to bring a channel up to date, and what becomes of the channel by it.
import type { Tenant } from '#runtime/call/call.ts';
import { openDomainClient } from '#runtime/domain/domain_client.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { connectOutbound } from '#runtime/outbound/outbound.ts';
import { RETRY_DELAYS_MS, retryDelayMs } from '#runtime/outbound/retry.ts';
import { enterSandboxes } from '#runtime/postgres/sandbox_lock.ts';
import { isTrialChannel } from '#services/commerce/trial_channel.ts';
import { syncEventOf } from './document.ts';
import type { Sight } from './due.ts';
import { type Synced, type SyncParts, sync, type WhileAnswering } from './sync.ts';
import { type FoundChannel, leaveChannel, letGo } from './table/channel.ts';

/** At each channel now and then, though nothing told of a change. */
const REVISIT_MS = 60_000;

/** What is forgotten costs a look at a whole catalogue. */
const SIGHTS_MAX = 10_000;

/** `quiet`: there was nothing to tell. `lost`: another worker has it by now, or it was changed, paused or deleted. */
export type Outcome = 'synced' | 'quiet' | 'failed' | 'lost';

/** `timeoutMs`: for each batch. The channel is the worker's, who has claimed it. */
export type ChannelAttempt = (
  channel: FoundChannel,
  worker: string,
  timeoutMs: number,
  whileAnswering?: WhileAnswering,
) => Promise<Outcome>;

/** As webhooks have it; after the last step it goes on with that. */
const nextAfter = (failures: number, { environment }: FoundChannel): number => {
  const chance = environment === 'production' ? Math.random() : 0;
  return retryDelayMs(Math.min(failures, RETRY_DELAYS_MS.length), chance) ?? REVISIT_MS;
};

export const openAttempt = (runtime: Runtime): ChannelAttempt => {
  const { clock, log, postgres, resolve, settings } = runtime;
  const { allowLocal } = settings;
  const { askOrThrow } = openDomainClient(runtime);
  const parts: Omit<SyncParts, 'outbound'> = { ...runtime, askOrThrow };
  const outbound = connectOutbound({ allowLocal, resolve });
  const own = connectOutbound({ allowLocal: true, resolve });
  /** By channel: as of when this process left it up to date. */
  const sights = new Map<string, Sight>();

  const settle = async (channel: FoundChannel, worker: string, { progress, error, lost }: Synced): Promise<Outcome> => {
    const tenant: Tenant = { store: channel.store, environment: channel.environment };
    if (lost) {
      // Of a channel that was paused in mid-push: it goes on the moment it is resumed, not once the lease is over.
      await postgres.transaction(async ({ sql }) => {
        if (!(await enterSandboxes(sql, [tenant]))(tenant).shut) await letGo(sql, channel, worker);
      });
      return 'lost';
    }
    const now = clock.now(tenant);
    const failures = error === null ? 0 : channel.failures + 1;
    const waitMs = error === null ? REVISIT_MS : nextAfter(failures, channel);
    // Looks that find nothing are no syncs.
    const told = progress.total > 0 || channel.whole_since !== null;
    return postgres.transaction(async (tx) => {
      if ((await enterSandboxes(tx.sql, [tenant]))(tenant).shut) return 'lost';
      const left = await leaveChannel(tx.sql, channel, worker, {
        failures,
        last_error: error,
        status: error === null ? 'connected' : 'failing',
        whole_since: error === null ? null : channel.whole_since,
        next: new Date(now.getTime() + waitMs),
        last_sync_at: error === null ? now : null,
      });
      if (left === null) return 'lost';
      if (error !== null) return 'failed';
      if (!told) return 'quiet';
      await tx.emit(tenant, [{ type: 'channel.sync.completed', object: syncEventOf(left, progress) }]);
      return 'synced';
    });
  };

  const keep = ({ id }: FoundChannel, sight: Sight): void => {
    const oldest = sights.size < SIGHTS_MAX ? undefined : sights.keys().next().value;
    if (oldest !== undefined) sights.delete(oldest);
    sights.set(id, sight);
  };

  return async (channel, worker, timeoutMs, whileAnswering = (answer) => answer()) => {
    try {
      const { store } = channel;
      const profile = await askOrThrow('StoreDirectory/GetProfile', { tenant: channel }, { store });
      const reached = { ...parts, outbound: isTrialChannel(channel.url, channel, settings) ? own : outbound };
      const before = sights.get(channel.id) ?? null;
      // Whatever interrupts the sync, the next one looks at everything.
      sights.delete(channel.id);
      const synced = await sync(reached, channel, { worker, shop: profile, timeoutMs, sight: before, whileAnswering });
      const outcome = await settle(channel, worker, synced);
      if (synced.sight && outcome !== 'lost') keep(channel, synced.sight);
      return outcome;
    } catch (problem) {
      log.warn({ err: problem, channel: channel.id }, 'a channel was not synced; it is tried again');
      const error = 'The catalogue could not be read; it is tried again.';
      const progress = { total: channel.items_total, pushed: channel.items_pushed, rejected: channel.items_rejected };
      return settle(channel, worker, { progress, error, lost: false, sight: null }).catch(() => 'lost' as const);
    }
  };
};
