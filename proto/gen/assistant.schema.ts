// Generated from stoa/v1/assistant.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import { type TSchema, Type } from '@sinclair/typebox';
import { Text } from '#proto/format.ts';
import { OrderItemRequest } from './order.schema.ts';
import { Product } from './product.schema.ts';
import { AddressInput } from './shared.schema.ts';
import { ShippingChoice } from './shipping.schema.ts';
import { StoreAgents } from './store.schema.ts';
import { StoreColours } from './store_directory.schema.ts';
import { StoreSigningKey } from './webhook_platform.schema.ts';

export const GetShopRequest: TSchema = Type.Object({
  store: Type.String(),
});

export const PolicyName: TSchema = Type.Object({
  type: Type.Union([Type.Literal("terms"), Type.Literal("privacy"), Type.Literal("returns"), Type.Literal("shipping"), Type.Literal("refund")]),
  title: Type.String(),
});

export const AssistantShop: TSchema = Type.Object({
  id: Type.String(),
  code: Type.String(),
  name: Type.String(),
  description: Type.Union([Type.String(), Type.Null()]),
  logo_url: Type.Union([Type.String(), Type.Null()]),
  website_url: Type.Union([Type.String(), Type.Null()]),
  contact_email: Type.Union([Type.String(), Type.Null()]),
  contact_phone: Type.Union([Type.String(), Type.Null()]),
  currency: Type.String(),
  country: Type.Union([Type.String(), Type.Null()]),
  tax_inclusive: Type.Boolean(),
  agents: StoreAgents,
  domains: Type.Array(Type.String()),
  llms_enabled: Type.Boolean(),
  policies: Type.Array(PolicyName),
  takes_cards_in_production: Type.Boolean(),
  takes_cards_in_sandbox: Type.Boolean(),
  open: Type.Boolean(),
  signing_keys: Type.Array(StoreSigningKey),
  colours: StoreColours,
  currencies: Type.Array(Type.String()),
});

export const FindProductsRequest: TSchema = Type.Object({
  query: Type.Optional(Type.Union([Text({ maxLength: 500 }), Type.Null()])),
  categories: Type.Optional(Type.Array(Text({ maxLength: 500 }), { maxItems: 100 })),
  min_price: Type.Optional(Type.Union([Type.Number({ maximum: 99999999.99, minimum: 0 }), Type.Null()])),
  max_price: Type.Optional(Type.Union([Type.Number({ maximum: 99999999.99, minimum: 0 }), Type.Null()])),
  in_stock: Type.Optional(Type.Boolean()),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 50 })),
  cursor: Type.Optional(Type.Union([Text({ maxLength: 2000 }), Type.Null()])),
  currency: Type.Optional(Type.String()),
});

export const FindProductsResponse: TSchema = Type.Object({
  products: Type.Array(Product),
  total: Type.Integer({ minimum: -2147483648, maximum: 2147483647 }),
  next_cursor: Type.Union([Type.String(), Type.Null()]),
});

export const LookUpProductsRequest: TSchema = Type.Object({
  ids: Type.Array(Text({ minLength: 1, maxLength: 300 }), { minItems: 1, maxItems: 50 }),
  currency: Type.Optional(Type.String()),
});

export const ProductMatch: TSchema = Type.Object({
  id: Type.String(),
  product_id: Type.String(),
  variant_id: Type.Union([Type.String(), Type.Null()]),
});

export const LookUpProductsResponse: TSchema = Type.Object({
  products: Type.Array(Product),
  matches: Type.Array(ProductMatch),
});

export const ListWaysRequest: TSchema = Type.Object({
  items: Type.Array(OrderItemRequest, { minItems: 1, maxItems: 500 }),
  address: AddressInput,
});

export const ListWaysResponse: TSchema = Type.Object({
  currency: Type.String(),
  options: Type.Array(ShippingChoice),
});

export const GetAssistantOrderRequest: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
});

export const FindEnvironmentRequest: TSchema = Type.Object({
  kind: Type.Union([Type.Literal("checkout"), Type.Literal("order")]),
  id: Text({ format: "uuid" }),
});

export const FindEnvironmentResponse: TSchema = Type.Object({
  environment: Type.Union([Type.Literal("production"), Type.Literal("sandbox")]),
});

export const ReadPlatformRequest: TSchema = Type.Object({
  profile: Text({ minLength: 1, maxLength: 2048 }),
  kid: Type.Optional(Type.Union([Text({ maxLength: 300 }), Type.Null()])),
});

export const PlatformCapability: TSchema = Type.Object({
  name: Type.String(),
  versions: Type.Array(Type.String()),
});

export const PlatformKey: TSchema = Type.Object({
  kid: Type.String(),
  kty: Type.String(),
  crv: Type.String(),
  x: Type.String(),
  y: Type.String(),
});

export const PlatformProfile: TSchema = Type.Object({
  version: Type.String(),
  capabilities: Type.Array(PlatformCapability),
  order_webhook_url: Type.Union([Type.String(), Type.Null()]),
  signing_keys: Type.Array(PlatformKey),
});

export const ReadPlatformResponse: TSchema = Type.Object({
  platform: Type.Union([PlatformProfile, Type.Null()]),
  fault: Type.Union([Type.Union([Type.Literal("invalid_profile_url"), Type.Literal("profile_unreachable"), Type.Literal("profile_malformed")]), Type.Null()]),
  problem: Type.Union([Type.String(), Type.Null()]),
});
