// Generated from stoa/v1/feed.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import { type TSchema, Type } from '@sinclair/typebox';
import { Text } from '#proto/format.ts';
import { Product } from './product.schema.ts';

export const GetFeedRequest: TSchema = Type.Object({
  store: Text({ pattern: "^[A-Za-z0-9][A-Za-z0-9-]{0,199}$" }),
  language: Type.Optional(Text({ pattern: "^[A-Za-z]{2,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|[0-9]{3}))?$" })),
});

export const GetSummaryResponse: TSchema = Type.Object({});

export const GetShoppingFeedResponse: TSchema = Type.Object({});

export const FeedStore: TSchema = Type.Object({
  id: Type.String(),
  code: Type.String(),
  name: Type.String(),
  website_url: Type.Union([Type.String(), Type.Null()]),
});

export const AcpDescription: TSchema = Type.Object({
  plain: Type.String(),
});

export const AcpMedia: TSchema = Type.Object({
  type: Type.String(),
  url: Type.String(),
});

export const AcpBarcode: TSchema = Type.Object({
  type: Type.String(),
  value: Type.String(),
});

export const AcpPrice: TSchema = Type.Object({
  amount: Type.Integer({ minimum: -9007199254740991, maximum: 9007199254740991 }),
  currency: Type.String(),
});

export const AcpAvailability: TSchema = Type.Object({
  available: Type.Boolean(),
  status: Type.Union([Type.Literal("in_stock"), Type.Literal("out_of_stock")]),
});

export const AcpCategory: TSchema = Type.Object({
  value: Type.String(),
  taxonomy: Type.String(),
});

export const AcpVariantOption: TSchema = Type.Object({
  name: Type.String(),
  value: Type.String(),
});

export const AcpSeller: TSchema = Type.Object({
  name: Type.String(),
});

export const AcpVariant: TSchema = Type.Object({
  id: Type.String(),
  title: Type.String(),
  url: Type.Optional(Type.String()),
  barcodes: Type.Optional(Type.Array(AcpBarcode)),
  price: Type.Optional(AcpPrice),
  list_price: Type.Optional(AcpPrice),
  availability: AcpAvailability,
  categories: Type.Optional(Type.Array(AcpCategory)),
  condition: Type.Array(Type.String()),
  variant_options: Type.Optional(Type.Array(AcpVariantOption)),
  media: Type.Optional(Type.Array(AcpMedia)),
  seller: AcpSeller,
});

export const AcpProduct: TSchema = Type.Object({
  id: Type.String(),
  title: Type.String(),
  description: Type.Optional(AcpDescription),
  url: Type.Optional(Type.String()),
  media: Type.Optional(Type.Array(AcpMedia)),
  variants: Type.Array(AcpVariant),
});

export const AcpFeed: TSchema = Type.Object({
  products: Type.Array(AcpProduct),
});

export const GetProductFeedResponse: TSchema = Type.Object({
  store: FeedStore,
  currency: Type.String(),
  updated_at: Text({ format: "date-time" }),
  products: Type.Array(Product),
  acp: AcpFeed,
});
