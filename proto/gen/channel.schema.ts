// Generated from stoa/v1/channel.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import { type TSchema, Type } from '@sinclair/typebox';
import { Text } from '#proto/format.ts';
import { Pagination } from './shared.schema.ts';

export const StoreChannel: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  provider: Type.String(),
  name: Type.String(),
  url: Type.String(),
  format: Type.Union([Type.Literal("stoa"), Type.Literal("google"), Type.Literal("acp")]),
  status: Type.Union([Type.Literal("connected"), Type.Literal("failing"), Type.Literal("paused")]),
  signing_secret: Type.Optional(Type.String()),
  last_sync_at: Type.Union([Text({ format: "date-time" }), Type.Null()]),
  last_error: Type.Union([Type.String(), Type.Null()]),
  items_total: Type.Integer({ minimum: -2147483648, maximum: 2147483647 }),
  items_pushed: Type.Integer({ minimum: -2147483648, maximum: 2147483647 }),
  items_rejected: Type.Integer({ minimum: -2147483648, maximum: 2147483647 }),
  created_at: Text({ format: "date-time" }),
  updated_at: Text({ format: "date-time" }),
  language: Type.Union([Type.String(), Type.Null()]),
});

export const ChannelResponse: TSchema = Type.Object({
  channel: StoreChannel,
});

export const ChannelSync: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  provider: Type.String(),
  name: Type.String(),
  status: Type.Union([Type.Literal("completed"), Type.Literal("completed_with_rejections")]),
  items_total: Type.Integer({ minimum: -2147483648, maximum: 2147483647 }),
  items_pushed: Type.Integer({ minimum: -2147483648, maximum: 2147483647 }),
  items_rejected: Type.Integer({ minimum: -2147483648, maximum: 2147483647 }),
});

export const ListChannelsRequest: TSchema = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
  cursor: Type.Optional(Text({ maxLength: 4096 })),
  fields: Type.Optional(Type.String()),
});

export const ListChannelsResponse: TSchema = Type.Object({
  channels: Type.Array(StoreChannel),
  pagination: Pagination,
});

export const GetChannelRequest: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  fields: Type.Optional(Type.String()),
});

export const CreateChannelRequest: TSchema = Type.Object({
  provider: Text({ pattern: "^[a-z0-9][a-z0-9_-]{0,49}$" }),
  name: Text({ minLength: 1, maxLength: 300, format: "words" }),
  url: Text({ maxLength: 2048, format: "http-url" }),
  format: Type.Union([Type.Literal("stoa"), Type.Literal("google"), Type.Literal("acp")]),
  language: Type.Optional(Type.Union([Text({ pattern: "^[A-Za-z]{2,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|[0-9]{3}))?$" }), Type.Null()])),
});

export const UpdateChannelRequest: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  name: Type.Optional(Text({ minLength: 1, maxLength: 300, format: "words" })),
  url: Type.Optional(Text({ maxLength: 2048, format: "http-url" })),
  format: Type.Optional(Type.Union([Type.Literal("stoa"), Type.Literal("google"), Type.Literal("acp")])),
  status: Type.Optional(Type.Union([Type.Literal("connected"), Type.Literal("paused")])),
  language: Type.Optional(Type.Union([Text({ pattern: "^[A-Za-z]{2,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|[0-9]{3}))?$" }), Type.Null()])),
});

export const DeleteChannelRequest: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
});

export const SyncChannelRequest: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
});

export const ChannelRejection: TSchema = Type.Object({
  product_id: Text({ format: "uuid" }),
  message: Type.String(),
  rejected_at: Text({ format: "date-time" }),
});

export const ListRejectionsRequest: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
  cursor: Type.Optional(Text({ maxLength: 4096 })),
  fields: Type.Optional(Type.String()),
});

export const ListRejectionsResponse: TSchema = Type.Object({
  rejections: Type.Array(ChannelRejection),
  pagination: Pagination,
});
