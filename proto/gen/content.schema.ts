// Generated from stoa/v1/content.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import { type TSchema, Type } from '@sinclair/typebox';
import { Text } from '#proto/format.ts';
import { Pagination } from './shared.schema.ts';

export const BlogPost: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  title: Type.String(),
  slug: Type.String(),
  excerpt: Type.Union([Type.String(), Type.Null()]),
  body: Type.String(),
  cover_image: Type.Union([Text({ format: "uri" }), Type.Null()]),
  author: Type.Union([Type.String(), Type.Null()]),
  tags: Type.Array(Type.String()),
  status: Type.Union([Type.Literal("draft"), Type.Literal("scheduled"), Type.Literal("published")]),
  published_at: Type.Union([Text({ format: "date-time" }), Type.Null()]),
  seo_title: Type.Union([Type.String(), Type.Null()]),
  seo_description: Type.Union([Type.String(), Type.Null()]),
  created_at: Text({ format: "date-time" }),
  updated_at: Text({ format: "date-time" }),
});

export const ListPostsRequest: TSchema = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
  cursor: Type.Optional(Text({ maxLength: 4096 })),
  tag: Type.Optional(Text({ maxLength: 100 })),
  status: Type.Optional(Type.Union([Type.Literal("draft"), Type.Literal("scheduled"), Type.Literal("published")])),
  fields: Type.Optional(Type.String()),
});

export const ListPostsResponse: TSchema = Type.Object({
  posts: Type.Array(BlogPost),
  pagination: Pagination,
});

export const GetPostRequest: TSchema = Type.Object({
  slug: Type.String(),
  fields: Type.Optional(Type.String()),
  visitor_id: Type.Optional(Type.String()),
  session_id: Type.Optional(Type.String()),
  visitor_header: Type.Optional(Type.String()),
  session_header: Type.Optional(Type.String()),
});

export const PostResponse: TSchema = Type.Object({
  post: BlogPost,
});

export const CreatePostRequest: TSchema = Type.Object({
  title: Text({ minLength: 1, maxLength: 300 }),
  slug: Type.Optional(Type.Union([Text({ pattern: "^[a-z0-9][a-z0-9-]{0,199}$" }), Type.Null()])),
  excerpt: Type.Optional(Type.Union([Text({ maxLength: 2000 }), Type.Null()])),
  body: Type.Optional(Type.Union([Text({ maxLength: 100000 }), Type.Null()])),
  cover_image: Type.Optional(Type.Union([Text({ maxLength: 2048, format: "http-url" }), Type.Null()])),
  author: Type.Optional(Type.Union([Text({ maxLength: 300 }), Type.Null()])),
  tags: Type.Optional(Type.Union([Type.Array(Text({ minLength: 1, maxLength: 100 }), { maxItems: 50 }), Type.Null()])),
  status: Type.Optional(Type.Union([Type.Union([Type.Literal("draft"), Type.Literal("scheduled"), Type.Literal("published")]), Type.Null()])),
  published_at: Type.Optional(Type.Union([Text({ format: "date-time" }), Type.Null()])),
  seo_title: Type.Optional(Type.Union([Text({ maxLength: 300 }), Type.Null()])),
  seo_description: Type.Optional(Type.Union([Text({ maxLength: 2000 }), Type.Null()])),
});

export const UpdatePostRequest: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  title: Type.Optional(Type.Union([Text({ minLength: 1, maxLength: 300 }), Type.Null()])),
  slug: Type.Optional(Type.Union([Text({ pattern: "^[a-z0-9][a-z0-9-]{0,199}$" }), Type.Null()])),
  excerpt: Type.Optional(Type.Union([Text({ maxLength: 2000 }), Type.Null()])),
  body: Type.Optional(Type.Union([Text({ maxLength: 100000 }), Type.Null()])),
  cover_image: Type.Optional(Type.Union([Text({ maxLength: 2048, format: "http-url" }), Type.Null()])),
  author: Type.Optional(Type.Union([Text({ maxLength: 300 }), Type.Null()])),
  tags: Type.Optional(Type.Union([Type.Array(Text({ minLength: 1, maxLength: 100 }), { maxItems: 50 }), Type.Null()])),
  status: Type.Optional(Type.Union([Type.Union([Type.Literal("draft"), Type.Literal("scheduled"), Type.Literal("published")]), Type.Null()])),
  published_at: Type.Optional(Type.Union([Text({ format: "date-time" }), Type.Null()])),
  seo_title: Type.Optional(Type.Union([Text({ maxLength: 300 }), Type.Null()])),
  seo_description: Type.Optional(Type.Union([Text({ maxLength: 2000 }), Type.Null()])),
});

export const DeletePostRequest: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
});

export const Hotspot: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  x: Type.Number(),
  y: Type.Number(),
  product_id: Text({ format: "uuid" }),
  variant_id: Type.Union([Text({ format: "uuid" }), Type.Null()]),
  label: Type.Union([Type.String(), Type.Null()]),
  price: Type.Union([Type.Number(), Type.Null()]),
  currency: Type.String(),
  in_stock: Type.Boolean(),
  product_slug: Type.Union([Type.String(), Type.Null()]),
});

export const LookbookImage: TSchema = Type.Object({
  url: Text({ format: "uri" }),
  hotspots: Type.Array(Hotspot),
});

export const StoreLookbook: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  title: Type.String(),
  slug: Type.String(),
  description: Type.String(),
  featured_image: Type.Union([Text({ format: "uri" }), Type.Null()]),
  video: Type.Union([Text({ format: "uri" }), Type.Null()]),
  collection_id: Type.Union([Text({ format: "uuid" }), Type.Null()]),
  status: Type.Union([Type.Literal("published"), Type.Literal("draft")]),
  published_at: Type.Union([Text({ format: "date-time" }), Type.Null()]),
  created_at: Text({ format: "date-time" }),
  updated_at: Text({ format: "date-time" }),
  images: Type.Array(LookbookImage),
});

export const LookbookDetail: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  title: Type.String(),
  slug: Type.String(),
  description: Type.String(),
  featured_image: Type.Union([Text({ format: "uri" }), Type.Null()]),
  video: Type.Union([Text({ format: "uri" }), Type.Null()]),
  collection_id: Type.Union([Text({ format: "uuid" }), Type.Null()]),
  published_at: Type.Union([Text({ format: "date-time" }), Type.Null()]),
  created_at: Text({ format: "date-time" }),
  updated_at: Text({ format: "date-time" }),
  images: Type.Array(LookbookImage),
});

export const ListLookbooksRequest: TSchema = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
  cursor: Type.Optional(Text({ maxLength: 4096 })),
  status: Type.Optional(Type.Union([Type.Literal("published"), Type.Literal("draft")])),
  fields: Type.Optional(Type.String()),
});

export const ListLookbooksResponse: TSchema = Type.Object({
  lookbooks: Type.Array(StoreLookbook),
  pagination: Pagination,
});

export const GetLookbookRequest: TSchema = Type.Object({
  slug: Type.String(),
  fields: Type.Optional(Type.String()),
  visitor_id: Type.Optional(Type.String()),
  session_id: Type.Optional(Type.String()),
  visitor_header: Type.Optional(Type.String()),
  session_header: Type.Optional(Type.String()),
});

export const NewHotspot: TSchema = Type.Object({
  id: Type.Optional(Type.Union([Text({ format: "uuid" }), Type.Null()])),
  x: Type.Number({ minimum: 0, maximum: 1 }),
  y: Type.Number({ minimum: 0, maximum: 1 }),
  product_id: Text({ format: "uuid" }),
  variant_id: Type.Optional(Type.Union([Text({ format: "uuid" }), Type.Null()])),
  label: Type.Optional(Type.Union([Text({ maxLength: 300 }), Type.Null()])),
});

export const NewLookbookImage: TSchema = Type.Object({
  url: Text({ maxLength: 2048, format: "http-url" }),
  hotspots: Type.Optional(Type.Union([Type.Array(NewHotspot, { maxItems: 100 }), Type.Null()])),
});

export const CreateLookbookRequest: TSchema = Type.Object({
  title: Text({ minLength: 1, maxLength: 300 }),
  slug: Type.Optional(Type.Union([Text({ pattern: "^[a-z0-9][a-z0-9-]{0,199}$" }), Type.Null()])),
  description: Type.Optional(Type.Union([Text({ maxLength: 50000 }), Type.Null()])),
  featured_image: Type.Optional(Type.Union([Text({ maxLength: 2048, format: "http-url" }), Type.Null()])),
  video: Type.Optional(Type.Union([Text({ maxLength: 2048, format: "http-url" }), Type.Null()])),
  collection_id: Type.Optional(Type.Union([Text({ format: "uuid" }), Type.Null()])),
  status: Type.Optional(Type.Union([Type.Union([Type.Literal("published"), Type.Literal("draft")]), Type.Null()])),
  published_at: Type.Optional(Type.Union([Text({ format: "date-time" }), Type.Null()])),
  images: Type.Optional(Type.Union([Type.Array(NewLookbookImage, { maxItems: 100 }), Type.Null()])),
});

export const UpdateLookbookRequest: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  title: Type.Optional(Type.Union([Text({ minLength: 1, maxLength: 300 }), Type.Null()])),
  slug: Type.Optional(Type.Union([Text({ pattern: "^[a-z0-9][a-z0-9-]{0,199}$" }), Type.Null()])),
  description: Type.Optional(Type.Union([Text({ maxLength: 50000 }), Type.Null()])),
  featured_image: Type.Optional(Type.Union([Text({ maxLength: 2048, format: "http-url" }), Type.Null()])),
  video: Type.Optional(Type.Union([Text({ maxLength: 2048, format: "http-url" }), Type.Null()])),
  collection_id: Type.Optional(Type.Union([Text({ format: "uuid" }), Type.Null()])),
  status: Type.Optional(Type.Union([Type.Union([Type.Literal("published"), Type.Literal("draft")]), Type.Null()])),
  published_at: Type.Optional(Type.Union([Text({ format: "date-time" }), Type.Null()])),
  images: Type.Optional(Type.Union([Type.Array(NewLookbookImage, { maxItems: 100 }), Type.Null()])),
});

export const DeleteLookbookRequest: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
});

export const GetAnalyticsRequest: TSchema = Type.Object({
  kind: Type.Optional(Type.Union([Type.Literal("post"), Type.Literal("lookbook")])),
  id: Type.Optional(Text({ format: "uuid" })),
  from: Type.Optional(Text({ maxLength: 40 })),
  to: Type.Optional(Text({ maxLength: 40 })),
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

export const ListPublishedRequest: TSchema = Type.Object({});

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
