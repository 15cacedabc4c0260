// Generated from stoa/v1/content.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import { type TSchema, Type } from '@sinclair/typebox';
import { Text } from '#proto/format.ts';

export const GetAnalyticsRequest: TSchema = Type.Object({
  kind: Type.Optional(Type.Union([Type.Literal("post"), Type.Literal("lookbook")])),
  id: Type.Optional(Text({ format: "uuid" })),
  from: Type.Optional(Text({ maxLength: 40 })),
  to: Type.Optional(Text({ maxLength: 40 })),
  fields: Type.Optional(Type.String()),
});

export const DailyViews: TSchema = Type.Object({
  date: Text({ format: "date" }),
  views: Type.Integer({ minimum: -2147483648, maximum: 2147483647 }),
  visitors: Type.Integer({ minimum: -2147483648, maximum: 2147483647 }),
});

export const ContentViews: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  kind: Type.Union([Type.Literal("post"), Type.Literal("lookbook")]),
  slug: Type.String(),
  title: Type.String(),
  views: Type.Integer({ minimum: -2147483648, maximum: 2147483647 }),
  visitors: Type.Integer({ minimum: -2147483648, maximum: 2147483647 }),
  sessions: Type.Integer({ minimum: -2147483648, maximum: 2147483647 }),
  daily: Type.Array(DailyViews),
});

export const GetAnalyticsResponse: TSchema = Type.Object({
  analytics: Type.Array(ContentViews),
});

export const SeenContent: TSchema = Type.Object({
  kind: Type.Union([Type.Literal("post"), Type.Literal("lookbook")]),
  slug: Type.String(),
  visitor: Type.String(),
  session: Type.String(),
  network: Type.String(),
  agent: Type.String(),
});

export const CountViewsRequest: TSchema = Type.Object({
  views: Type.Array(SeenContent),
});

export const CountViewsResponse: TSchema = Type.Object({});

export const ListPublishedRequest: TSchema = Type.Object({
  language: Type.Optional(Type.String()),
});

export const PublishedStory: TSchema = Type.Object({
  title: Type.String(),
  slug: Type.String(),
  about: Type.String(),
});

export const ListPublishedResponse: TSchema = Type.Object({
  revision: Type.Integer({ minimum: -9007199254740991, maximum: 9007199254740991 }),
  posts: Type.Array(PublishedStory),
  lookbooks: Type.Array(PublishedStory),
});
