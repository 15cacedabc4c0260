// Generated from stoa/v1/stock.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import { type TSchema, Type } from '@sinclair/typebox';
import { Text } from '#proto/format.ts';

export const StockLine: TSchema = Type.Object({
  variant_id: Text({ format: "uuid" }),
  quantity: Type.Integer({ minimum: 1, maximum: 1000000000 }),
});

export const HoldStockRequest: TSchema = Type.Object({
  hold_id: Text({ format: "uuid" }),
  lines: Type.Array(StockLine, { minItems: 1, maxItems: 500 }),
  expires_at: Text({ format: "date-time" }),
  settle: Type.Optional(Type.Boolean()),
  holder: Type.Optional(Text({ maxLength: 36 })),
});

export const HoldStockResponse: TSchema = Type.Object({
  hold_id: Type.String(),
  expires_at: Text({ format: "date-time" }),
  revision: Type.Integer({ minimum: -9007199254740991, maximum: 9007199254740991 }),
});

export const ResizedLine: TSchema = Type.Object({
  variant_id: Text({ format: "uuid" }),
  before: Type.Integer({ minimum: 0, maximum: 1000000000 }),
  quantity: Type.Integer({ minimum: 0, maximum: 1000000000 }),
});

export const ResizeHoldRequest: TSchema = Type.Object({
  hold_id: Text({ format: "uuid" }),
  lines: Type.Array(ResizedLine, { minItems: 1, maxItems: 1000 }),
  expires_at: Text({ format: "date-time" }),
  settle: Type.Optional(Type.Boolean()),
});

export const HoldName: TSchema = Type.Object({
  hold_id: Text({ format: "uuid" }),
  variant_ids: Type.Array(Text({ format: "uuid" }), { minItems: 1, maxItems: 500 }),
});

export const ReleaseHoldRequest: TSchema = Type.Object({
  hold: HoldName,
  settle: Type.Optional(Type.Boolean()),
  holder: Type.Optional(Text({ maxLength: 36 })),
});

export const CommitHoldsRequest: TSchema = Type.Object({
  holds: Type.Array(HoldName, { minItems: 1, maxItems: 500 }),
  settle: Type.Optional(Type.Boolean()),
});

export const CommitHoldsResponse: TSchema = Type.Object({
  revision: Type.Integer({ minimum: -9007199254740991, maximum: 9007199254740991 }),
});

export const HeldLine: TSchema = Type.Object({
  variant_id: Type.String(),
  status: Type.Union([Type.Literal("pending"), Type.Literal("committed"), Type.Literal("released"), Type.Literal("expired"), Type.Literal("none")]),
});

export const HoldResponse: TSchema = Type.Object({
  hold_id: Type.String(),
  lines: Type.Array(HeldLine),
  revision: Type.Integer({ minimum: -9007199254740991, maximum: 9007199254740991 }),
});

export const ShowStockRequest: TSchema = Type.Object({
  variant_ids: Type.Array(Text({ format: "uuid" }), { maxItems: 1000 }),
});

export const ShowStockResponse: TSchema = Type.Object({
  revision: Type.Integer({ minimum: -9007199254740991, maximum: 9007199254740991 }),
});

export const LookAtStockRequest: TSchema = Type.Object({
  variant_ids: Type.Array(Text({ format: "uuid" }), { maxItems: 500 }),
});

export const StockFigure: TSchema = Type.Object({
  variant_id: Type.String(),
  on_hand: Type.Integer({ minimum: -2147483648, maximum: 2147483647 }),
  held: Type.Integer({ minimum: -2147483648, maximum: 2147483647 }),
  available: Type.Integer({ minimum: -2147483648, maximum: 2147483647 }),
});

export const LookAtStockResponse: TSchema = Type.Object({
  levels: Type.Array(StockFigure),
});

export const LevelsByIdsRequest: TSchema = Type.Object({
  variant_ids: Type.Array(Type.String(), { maxItems: 500 }),
});

export const VersionedLevel: TSchema = Type.Object({
  variant_id: Type.String(),
  on_hand: Type.Integer({ minimum: -2147483648, maximum: 2147483647 }),
  version: Type.Integer({ minimum: -9007199254740991, maximum: 9007199254740991 }),
  allocated: Type.Integer({ minimum: -9007199254740991, maximum: 9007199254740991 }),
});

export const LevelsByIdsResponse: TSchema = Type.Object({
  levels: Type.Array(VersionedLevel),
});

export const HeldFigure: TSchema = Type.Object({
  variant_id: Type.String(),
  held: Type.Integer({ minimum: -2147483648, maximum: 2147483647 }),
  seq: Type.Integer({ minimum: -9007199254740991, maximum: 9007199254740991 }),
  committed: Type.Integer({ minimum: -9007199254740991, maximum: 9007199254740991 }),
});

export const SettleLevelsRequest: TSchema = Type.Object({
  levels: Type.Optional(Type.Array(HeldFigure, { maxItems: 500 })),
  wait: Type.Optional(Type.Boolean()),
});

export const SettleLevelsResponse: TSchema = Type.Object({
  revision: Type.Integer({ minimum: -9007199254740991, maximum: 9007199254740991 }),
});
