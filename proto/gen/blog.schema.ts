// Generated from stoa/v1/blog.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import { type TSchema, Type } from '@sinclair/typebox';
import { Text } from '#proto/format.ts';
import { Pagination } from './shared.schema.ts';

export const PostTranslation: TSchema = Type.Object({
  title: Type.Optional(Type.Union([Text({ minLength: 1, maxLength: 300, format: "words" }), Type.Null()])),
  excerpt: Type.Optional(Type.Union([Text({ maxLength: 2000 }), Type.Null()])),
  body: Type.Optional(Type.Union([Text({ maxLength: 100000 }), Type.Null()])),
  seo_title: Type.Optional(Type.Union([Text({ maxLength: 300 }), Type.Null()])),
  seo_description: Type.Optional(Type.Union([Text({ maxLength: 2000 }), Type.Null()])),
});

export const PostTranslationInput: TSchema = Type.Object({
  title: Type.Optional(Type.Union([Text({ minLength: 1, maxLength: 300, format: "words" }), Type.Null()])),
  excerpt: Type.Optional(Type.Union([Text({ maxLength: 2000 }), Type.Null()])),
  body: Type.Optional(Type.Union([Text({ maxLength: 100000 }), Type.Null()])),
  seo_title: Type.Optional(Type.Union([Text({ maxLength: 300 }), Type.Null()])),
  seo_description: Type.Optional(Type.Union([Text({ maxLength: 2000 }), Type.Null()])),
});

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
  translations: Type.Optional(Type.Record(Type.String({ pattern: "^[\\s\\S]{0,}$" }), PostTranslation, { additionalProperties: false })),
});

export const ListPostsRequest: TSchema = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
  cursor: Type.Optional(Text({ maxLength: 4096 })),
  tag: Type.Optional(Text({ maxLength: 100 })),
  status: Type.Optional(Type.Union([Type.Literal("draft"), Type.Literal("scheduled"), Type.Literal("published")])),
  fields: Type.Optional(Type.String()),
  language: Type.Optional(Text({ pattern: "^[A-Za-z]{2,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|[0-9]{3}))?$" })),
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
  language: Type.Optional(Text({ pattern: "^[A-Za-z]{2,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|[0-9]{3}))?$" })),
});

export const PostResponse: TSchema = Type.Object({
  post: BlogPost,
});

export const CreatePostRequest: TSchema = Type.Object({
  title: Text({ minLength: 1, maxLength: 300, format: "words" }),
  slug: Type.Optional(Type.Union([Text({ pattern: "^[a-z0-9][a-z0-9-]{0,199}$" }), Type.Null()])),
  excerpt: Type.Optional(Type.Union([Text({ maxLength: 2000 }), Type.Null()])),
  body: Type.Optional(Type.Union([Text({ maxLength: 100000 }), Type.Null()])),
  cover_image: Type.Optional(Type.Union([Text({ maxLength: 2048, format: "media-url" }), Type.Null()])),
  author: Type.Optional(Type.Union([Text({ maxLength: 300 }), Type.Null()])),
  tags: Type.Optional(Type.Union([Type.Array(Text({ minLength: 1, maxLength: 100, format: "words" }), { maxItems: 50 }), Type.Null()])),
  status: Type.Optional(Type.Union([Type.Union([Type.Literal("draft"), Type.Literal("scheduled"), Type.Literal("published")]), Type.Null()])),
  published_at: Type.Optional(Type.Union([Text({ format: "date-time" }), Type.Null()])),
  seo_title: Type.Optional(Type.Union([Text({ maxLength: 300 }), Type.Null()])),
  seo_description: Type.Optional(Type.Union([Text({ maxLength: 2000 }), Type.Null()])),
  translations: Type.Optional(Type.Union([Type.Record(Type.String({ pattern: "^[\\s\\S]{0,35}$" }), Type.Union([PostTranslationInput, Type.Null()]), { additionalProperties: false, maxProperties: 50 }), Type.Null()])),
});

export const UpdatePostRequest: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  title: Type.Optional(Type.Union([Text({ minLength: 1, maxLength: 300, format: "words" }), Type.Null()])),
  slug: Type.Optional(Type.Union([Text({ pattern: "^[a-z0-9][a-z0-9-]{0,199}$" }), Type.Null()])),
  excerpt: Type.Optional(Type.Union([Text({ maxLength: 2000 }), Type.Null()])),
  body: Type.Optional(Type.Union([Text({ maxLength: 100000 }), Type.Null()])),
  cover_image: Type.Optional(Type.Union([Text({ maxLength: 2048, format: "media-url" }), Type.Null()])),
  author: Type.Optional(Type.Union([Text({ maxLength: 300 }), Type.Null()])),
  tags: Type.Optional(Type.Union([Type.Array(Text({ minLength: 1, maxLength: 100, format: "words" }), { maxItems: 50 }), Type.Null()])),
  status: Type.Optional(Type.Union([Type.Union([Type.Literal("draft"), Type.Literal("scheduled"), Type.Literal("published")]), Type.Null()])),
  published_at: Type.Optional(Type.Union([Text({ format: "date-time" }), Type.Null()])),
  seo_title: Type.Optional(Type.Union([Text({ maxLength: 300 }), Type.Null()])),
  seo_description: Type.Optional(Type.Union([Text({ maxLength: 2000 }), Type.Null()])),
  translations: Type.Optional(Type.Union([Type.Record(Type.String({ pattern: "^[\\s\\S]{0,35}$" }), Type.Union([PostTranslationInput, Type.Null()]), { additionalProperties: false, maxProperties: 50 }), Type.Null()])),
  version: Type.Optional(Text({ format: "date-time" })),
});

export const DeletePostRequest: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
});
