// Generated from stoa/v1/channel.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import type { Deleted, Pagination } from './shared.ts';

export type StoreChannel = {
  id: string;
  provider: string;
  name: string;
  url: string;
  format: "stoa" | "google" | "acp";
  status: "connected" | "failing" | "paused";
  /** Shown once, when the channel is connected. */
  signing_secret?: string;
  /** When a sync ended last. */
  last_sync_at: string | null;
  /** Error of the last push; null when it succeeded. */
  last_error: string | null;
  /** Products of the running sync, or of the last one. */
  items_total: number;
  items_pushed: number;
  items_rejected: number;
  created_at: string;
  updated_at: string;
  /** Language of the pushed texts, one of the store's; null: its default one. */
  language: string | null;
};

export type ChannelResponse = {
  channel: StoreChannel;
};

/** A sync, as its event shows it. */
export type ChannelSync = {
  id: string;
  provider: string;
  name: string;
  /** `completed`, or `completed_with_rejections`. */
  status: "completed" | "completed_with_rejections";
  items_total: number;
  items_pushed: number;
  items_rejected: number;
};

export type ListChannelsRequest = {
  limit?: number;
  cursor?: string;
  fields?: string;
};

export type ListChannelsResponse = {
  channels: readonly StoreChannel[];
  pagination: Pagination;
};

export type GetChannelRequest = {
  id: string;
  fields?: string;
};

export type CreateChannelRequest = {
  /** A short word for whose channel it is. */
  provider: string;
  name: string;
  url: string;
  /**
   * `stoa`: a product as its own page shows it. `google`: Google's product data, an offer a variant. `acp`: a product of the
   * Agentic Commerce Protocol's feed.
   */
  format: "stoa" | "google" | "acp";
  /** Language of the products' texts, one of the store's; null: its default one. */
  language?: string | null;
};

export type UpdateChannelRequest = {
  id: string;
  name?: string;
  url?: string;
  format?: "stoa" | "google" | "acp";
  status?: "connected" | "paused";
  /** Language of the products' texts, one of the store's; null: its default one. */
  language?: string | null;
};

export type DeleteChannelRequest = {
  id: string;
};

export type SyncChannelRequest = {
  id: string;
};

export type ChannelRejection = {
  product_id: string;
  /** The channel's own words. */
  message: string;
  rejected_at: string;
};

export type ListRejectionsRequest = {
  id: string;
  limit?: number;
  cursor?: string;
  fields?: string;
};

export type ListRejectionsResponse = {
  rejections: readonly ChannelRejection[];
  pagination: Pagination;
};

/**
 * Sales channels to which the catalogue is pushed.
 * @internal
 */
export interface ChannelRpcs {
  ListChannels: { request: ListChannelsRequest; response: ListChannelsResponse };
  GetChannel: { request: GetChannelRequest; response: ChannelResponse };
  CreateChannel: { request: CreateChannelRequest; response: ChannelResponse };
  UpdateChannel: { request: UpdateChannelRequest; response: ChannelResponse };
  DeleteChannel: { request: DeleteChannelRequest; response: Deleted };
  SyncChannel: { request: SyncChannelRequest; response: ChannelResponse };
  ListRejections: { request: ListRejectionsRequest; response: ListRejectionsResponse };
}
