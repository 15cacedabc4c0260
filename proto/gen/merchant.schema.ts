// Generated from stoa/v1/merchant.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import { type TSchema, Type } from '@sinclair/typebox';
import { Text } from '#proto/format.ts';
import { Pagination } from './shared.schema.ts';

export const MarketplaceMerchant: TSchema = Type.Object({
  store_id: Text({ format: "uuid" }),
  name: Type.String(),
  code: Type.String(),
  logo_url: Type.Union([Type.String(), Type.Null()]),
  website_url: Type.Union([Type.String(), Type.Null()]),
  currency: Type.String(),
  country: Type.Union([Type.String(), Type.Null()]),
  suspended: Type.Boolean(),
  lapsed: Type.Boolean(),
});

export const ListMarketplaceMerchantsRequest: TSchema = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
  cursor: Type.Optional(Type.String()),
  fields: Type.Optional(Type.String()),
});

export const ListMarketplaceMerchantsResponse: TSchema = Type.Object({
  merchants: Type.Array(MarketplaceMerchant),
  pagination: Pagination,
});

export const GetMarketplaceMerchantRequest: TSchema = Type.Object({
  store_id: Text({ format: "uuid" }),
  fields: Type.Optional(Type.String()),
});

export const UpdateMarketplaceMerchantRequest: TSchema = Type.Object({
  store_id: Text({ format: "uuid" }),
  suspended: Type.Boolean(),
});

export const MarketplaceMerchantResponse: TSchema = Type.Object({
  merchant: MarketplaceMerchant,
});
