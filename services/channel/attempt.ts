// Attempts one sync of a channel and records its outcome.
import type { Tenant } from '#runtime/call/call.ts';
import { openDomainClient } from '#runtime/domain/domain_client.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { connectOutbound, RETRY_DELAYS_MS, retryDelayMs } from '#runtime/outbound/outbound.ts';
import { enterSandboxes } from '#runtime/postgres/sandbox_lock.ts';
import { isTrialChannel } from '#services/commerce/public_path.ts';
import { otherLanguage } from '#values/language.ts';
import { RecentMap } from '#values/recent_map.ts';
import { syncDocument } from './document.ts';
import type { SyncCursor } from './pending_change.ts';
import { type SyncResult, type SyncRuntime, sync, type WhileWaiting } from './sync.ts';
import { type FoundChannel, finishSync, releaseChannel } from './table/channel.ts';

/** Longest time between two syncs of a channel, in case a notice of a change is lost. */
const REVISIT_MS = 60_000;

/** Maximum number of sync cursors in memory; without a cursor the next sync compares the whole catalogue. */
const CURSORS_MAX = 10_000;

/** `lost` means that another worker has claimed the channel, or that it was changed, paused or deleted. */
export type SyncOutcome = 'synced' | 'unchanged' | 'failed' | 'lost';

export type ChannelAttempt = (
  channel: FoundChannel,
  timeoutMs: number,
  whileWaiting?: WhileWaiting,
) => Promise<SyncOutcome>;

const READ_FAILED = 'The catalogue could not be read. The sync is retried.';

const retryDelay = (failures: number, { environment }: FoundChannel): number => {
  const chance = environment === 'production' ? Math.random() : 0;
  return retryDelayMs(Math.min(failures, RETRY_DELAYS_MS.length), chance) ?? REVISIT_MS;
};

export const openAttempt = (runtime: Runtime): ChannelAttempt => {
  const { clock, log, postgres, resolve, settings } = runtime;
  const { allowLocal } = settings;
  const { askOrThrow } = openDomainClient(runtime);
  const parts: Omit<SyncRuntime, 'outbound'> = { ...runtime, askOrThrow };
  const outbound = connectOutbound({ allowLocal, resolve });
  const localOutbound = connectOutbound({ allowLocal: true, resolve });
  const cursors = new RecentMap<string, SyncCursor>(CURSORS_MAX);

  const settle = async (channel: FoundChannel, { progress, error, lost }: SyncResult): Promise<SyncOutcome> => {
    const tenant: Tenant = { store: channel.store, environment: channel.environment };
    if (lost) {
      // Releases the channel if it was paused meanwhile, so that it can resume before the lease expires.
      await postgres.transaction(async ({ sql }) => {
        if (!(await enterSandboxes(sql, [tenant]))(tenant).shut) await releaseChannel(sql, channel);
      });
      return 'lost';
    }
    const now = clock.now(tenant);
    const failures = error === null ? 0 : channel.failures + 1;
    const waitMs = error === null ? REVISIT_MS : retryDelay(failures, channel);
    const hasChanges = progress.total > 0 || channel.full_sync_since !== null;
    return postgres.transaction(async (tx) => {
      if ((await enterSandboxes(tx.sql, [tenant]))(tenant).shut) return 'lost';
      const left = await finishSync(tx.sql, channel, {
        failures,
        last_error: error,
        status: error === null ? 'connected' : 'failing',
        full_sync_since: error === null ? null : channel.full_sync_since,
        next: new Date(now.getTime() + waitMs),
        last_sync_at: error === null ? now : null,
      });
      if (left === null) return 'lost';
      if (error !== null) return 'failed';
      if (!hasChanges) return 'unchanged';
      await tx.emit(tenant, [{ type: 'channel.sync.completed', object: syncDocument(left, progress) }]);
      return 'synced';
    });
  };

  return async (channel, timeoutMs, whileWaiting = (answer) => answer()) => {
    try {
      const { store } = channel;
      const profile = await askOrThrow('StoreDirectory/GetProfile', { tenant: channel }, { store });
      const reached = { ...parts, outbound: isTrialChannel(channel.url, channel, settings) ? localOutbound : outbound };
      const before = cursors.get(channel.id) ?? null;
      // Deleted before the sync: after an interrupted sync the next one compares the whole catalogue.
      cursors.delete(channel.id);
      const synced = await sync(reached, channel, {
        seller: profile,
        // The default one if the store no longer has the channel's.
        language: otherLanguage(channel.language ?? undefined, profile.languages),
        timeoutMs,
        cursor: before,
        whileWaiting,
      });
      const outcome = await settle(channel, synced);
      if (synced.cursor && outcome !== 'lost') cursors.set(channel.id, synced.cursor);
      return outcome;
    } catch (error) {
      log.warn({ err: error, channel: channel.id }, 'failed to sync a channel; retrying');
      const progress = { total: channel.items_total, pushed: channel.items_pushed, rejected: channel.items_rejected };
      return settle(channel, { progress, error: READ_FAILED, lost: false, cursor: null }).catch(() => 'lost' as const);
    }
  };
};
