// Renders channels and syncs for the API.
import type { ChannelSync, StoreChannel } from '#proto/gen/channel.ts';
import type { ChannelRecord, SyncProgress } from './table/channel.ts';

export const channelDocument = (channel: ChannelRecord): StoreChannel => {
  const { id, provider, name, url, format, language, status, last_error, items_total, items_pushed, items_rejected } =
    channel;
  return {
    id,
    provider,
    name,
    url,
    format,
    status,
    last_sync_at: channel.last_sync_at?.toISOString() ?? null,
    last_error,
    items_total,
    items_pushed,
    items_rejected,
    created_at: channel.created_at.toISOString(),
    updated_at: channel.updated_at.toISOString(),
    language,
  };
};

export const syncDocument = (
  { id, provider, name }: ChannelRecord,
  { total, pushed, rejected }: SyncProgress,
): ChannelSync => ({
  id,
  provider,
  name,
  status: rejected > 0 ? 'completed_with_rejections' : 'completed',
  items_total: total,
  items_pushed: pushed,
  items_rejected: rejected,
});
