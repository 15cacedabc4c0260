// Generated from stoa/v1/inventory.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import { type TSchema, Type } from '@sinclair/typebox';
import { Text } from '#proto/format.ts';
import { Pagination } from './shared.schema.ts';

export const StockLevel: TSchema = Type.Object({
  variant_id: Text({ format: "uuid" }),
  on_hand: Type.Integer({ minimum: -2147483648, maximum: 2147483647 }),
  held: Type.Integer({ minimum: -2147483648, maximum: 2147483647 }),
  available: Type.Integer({ minimum: -2147483648, maximum: 2147483647 }),
  low_stock_threshold: Type.Union([Type.Integer({ minimum: -2147483648, maximum: 2147483647 }), Type.Null()]),
});

export const NamedStockLevel: TSchema = Type.Object({
  variant_id: Text({ format: "uuid" }),
  product_id: Text({ format: "uuid" }),
  product_name: Type.String(),
  variant_name: Type.Union([Type.String(), Type.Null()]),
  sku: Type.Union([Type.String(), Type.Null()]),
  thumbnail_url: Type.Union([Text({ format: "uri" }), Type.Null()]),
  on_hand: Type.Integer({ minimum: -2147483648, maximum: 2147483647 }),
  held: Type.Integer({ minimum: -2147483648, maximum: 2147483647 }),
  available: Type.Integer({ minimum: -2147483648, maximum: 2147483647 }),
  low_stock_threshold: Type.Union([Type.Integer({ minimum: -2147483648, maximum: 2147483647 }), Type.Null()]),
  low_stock: Type.Boolean(),
});

export const ListInventoryRequest: TSchema = Type.Object({
  search: Type.Optional(Text({ minLength: 1, maxLength: 200 })),
  low_stock: Type.Optional(Type.Boolean()),
  product_id: Type.Optional(Text({ format: "uuid" })),
  variant_id: Type.Optional(Text({ format: "uuid" })),
  variant_ids: Type.Optional(Type.Array(Text({ format: "uuid" }), { minItems: 1, maxItems: 100 })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
  cursor: Type.Optional(Text({ maxLength: 4096 })),
  fields: Type.Optional(Type.String()),
});

export const ListInventoryResponse: TSchema = Type.Object({
  inventory: Type.Array(NamedStockLevel),
  pagination: Pagination,
});

export const StockAdjustment: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  variant_id: Text({ format: "uuid" }),
  delta: Type.Integer({ minimum: -2147483648, maximum: 2147483647 }),
  on_hand: Type.Integer({ minimum: -2147483648, maximum: 2147483647 }),
  reason: Type.Union([Type.String(), Type.Null()]),
  created_at: Text({ format: "date-time" }),
});

export const ListAdjustmentsRequest: TSchema = Type.Object({
  variant_id: Text({ format: "uuid" }),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
  cursor: Type.Optional(Text({ maxLength: 4096 })),
  fields: Type.Optional(Type.String()),
});

export const ListAdjustmentsResponse: TSchema = Type.Object({
  adjustments: Type.Array(StockAdjustment),
  pagination: Pagination,
});

export const InventoryUnitHold: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  quantity: Type.Integer({ minimum: -2147483648, maximum: 2147483647 }),
  type: Type.Union([Type.Literal("checkout"), Type.Literal("order"), Type.Literal("request")]),
  checkout_intent_id: Type.Union([Text({ format: "uuid" }), Type.Null()]),
  order_id: Type.Union([Text({ format: "uuid" }), Type.Null()]),
  agent: Type.Union([Type.String(), Type.Null()]),
  created_at: Type.Union([Text({ format: "date-time" }), Type.Null()]),
  expires_at: Type.Union([Text({ format: "date-time" }), Type.Null()]),
});

export const ListHoldsRequest: TSchema = Type.Object({
  variant_id: Text({ format: "uuid" }),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
  cursor: Type.Optional(Text({ maxLength: 4096 })),
  fields: Type.Optional(Type.String()),
});

export const ListHoldsResponse: TSchema = Type.Object({
  holds: Type.Array(InventoryUnitHold),
  pagination: Pagination,
});

export const GetInventoryRequest: TSchema = Type.Object({
  variant_id: Text({ format: "uuid" }),
  fields: Type.Optional(Type.String()),
});

export const InventoryResponse: TSchema = Type.Object({
  inventory: StockLevel,
});

export const CreateAdjustmentRequest: TSchema = Type.Object({
  variant_id: Text({ format: "uuid" }),
  delta: Type.Optional(Type.Integer({ minimum: -1000000000, maximum: 1000000000 })),
  on_hand: Type.Optional(Type.Integer({ minimum: -1000000000, maximum: 1000000000 })),
  reason: Type.Optional(Type.Union([Text({ maxLength: 500 }), Type.Null()])),
});
