// Generated from stoa/v1/feed.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import { type TSchema, Type } from '@sinclair/typebox';
import { Text } from '#proto/format.ts';
import { Product } from './product.schema.ts';

export const GetFeedRequest: TSchema = Type.Object({
  store: Text({ pattern: "^[A-Za-z0-9][A-Za-z0-9-]{0,199}$" }),
});

export const GetSummaryResponse: TSchema = Type.Object({});

export const GetShoppingFeedResponse: TSchema = Type.Object({});

export const FeedStore: TSchema = Type.Object({
  id: Type.String(),
  code: Type.String(),
  name: Type.String(),
  website_url: Type.Union([Type.String(), Type.Null()]),
});

export const GetProductFeedResponse: TSchema = Type.Object({
  store: FeedStore,
  currency: Type.String(),
  updated_at: Text({ format: "date-time" }),
  products: Type.Array(Product),
});
