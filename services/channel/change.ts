// Applies merchants' requests to a channel, by the tenant's clock. Pure.
import type { CreateChannelRequest, UpdateChannelRequest } from '#proto/gen/channel.ts';
import type { ChannelRecord } from './table/channel.ts';

export type NewChannel = Pick<CreateChannelRequest, 'provider' | 'name' | 'url' | 'format'> &
  Pick<ChannelRecord, 'id' | 'secret' | 'language'>;

export const newChannel = (named: NewChannel, now: Date): ChannelRecord => ({
  ...named,
  status: 'connected',
  failures: 0,
  last_error: null,
  full_sync_since: now,
  items_total: 0,
  items_pushed: 0,
  items_rejected: 0,
  due_at: now,
  last_sync_at: null,
  created_at: now,
  updated_at: now,
});

/** Returns a time later than `before`, so that changes within one millisecond have increasing times. */
const laterThan = (before: Date, now: Date): Date => (now > before ? now : new Date(before.getTime() + 1));

/** Returns the changed channel. A new URL, format or language requires a full sync; resuming skips the retry delay. */
export const changedChannel = (
  before: ChannelRecord,
  change: Omit<UpdateChannelRequest, 'id'>,
  now: Date,
): ChannelRecord => {
  const named = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
  const after: ChannelRecord = { ...before, ...named };
  const destinationChanged = (['url', 'format', 'language'] as const).some((name) => after[name] !== before[name]);
  const resumed = change.status === 'connected' && before.status !== 'connected';
  return {
    ...after,
    full_sync_since: destinationChanged ? now : before.full_sync_since,
    ...(resumed || destinationChanged ? { failures: 0, last_error: null, due_at: now } : {}),
    updated_at: laterThan(before.updated_at, now),
  };
};

export const resyncedChannel = (before: ChannelRecord, now: Date): ChannelRecord => ({
  ...before,
  full_sync_since: now,
  due_at: now,
  updated_at: laterThan(before.updated_at, now),
});
