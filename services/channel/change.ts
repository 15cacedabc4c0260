// What a merchant's requests make of a channel: pure, by the tenant's time.
import type { CreateChannelRequest, UpdateChannelRequest } from '#proto/gen/channel.ts';
import type { ChannelRecord } from './table/channel.ts';

export type NewChannel = Pick<CreateChannelRequest, 'provider' | 'name' | 'url' | 'format'> &
  Pick<ChannelRecord, 'id' | 'secret'>;

/** Everything is to be pushed to it, at once. */
export const newChannel = (named: NewChannel, now: Date): ChannelRecord => ({
  ...named,
  status: 'connected',
  failures: 0,
  last_error: null,
  whole_since: now,
  items_total: 0,
  items_pushed: 0,
  items_rejected: 0,
  due_at: now,
  last_sync_at: null,
  created_at: now,
  updated_at: now,
});

/** Another one at each change, however soon it comes after the one before. */
const stampAfter = (before: Date, now: Date): Date => (now > before ? now : new Date(before.getTime() + 1));

/** At another address or in another format everything is pushed anew; who resumes a channel waits for no retry. */
export const changedChannel = (
  before: ChannelRecord,
  change: Omit<UpdateChannelRequest, 'id'>,
  now: Date,
): ChannelRecord => {
  const named = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
  const after: ChannelRecord = { ...before, ...named };
  const elsewhere = after.url !== before.url || after.format !== before.format;
  const resumed = change.status === 'connected' && before.status !== 'connected';
  return {
    ...after,
    whole_since: elsewhere ? now : before.whole_since,
    ...(resumed || elsewhere ? { failures: 0, last_error: null, due_at: now } : {}),
    updated_at: stampAfter(before.updated_at, now),
  };
};

/** All of it is pushed anew, at once. */
export const wholeChannel = (before: ChannelRecord, now: Date): ChannelRecord => ({
  ...before,
  whole_since: now,
  due_at: now,
  updated_at: stampAfter(before.updated_at, now),
});
