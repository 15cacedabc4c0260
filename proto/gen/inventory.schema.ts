// Generated from stoa/v1/inventory.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import { type TSchema, Type } from '@sinclair/typebox';
import { Text } from '#proto/format.ts';

export const StockLevel: TSchema = Type.Object({
  variant_id: Text({ format: "uuid" }),
  on_hand: Type.Integer({ minimum: -2147483648, maximum: 2147483647 }),
  held: Type.Integer({ minimum: -2147483648, maximum: 2147483647 }),
  available: Type.Integer({ minimum: -2147483648, maximum: 2147483647 }),
  low_stock_threshold: Type.Union([Type.Integer({ minimum: -2147483648, maximum: 2147483647 }), Type.Null()]),
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
