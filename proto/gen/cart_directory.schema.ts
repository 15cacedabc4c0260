// Generated from stoa/v1/cart_directory.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import { type TSchema, Type } from '@sinclair/typebox';
import { Text } from '#proto/format.ts';

export const ReadCartRequest: TSchema = Type.Object({
  session_id: Type.Optional(Text({ maxLength: 200 })),
  customer_id: Type.Optional(Text({ format: "uuid" })),
});

export const CartLine: TSchema = Type.Object({
  variant_id: Type.String(),
  quantity: Type.Integer({ minimum: -2147483648, maximum: 2147483647 }),
});

export const CartLineInput: TSchema = Type.Object({
  variant_id: Type.Optional(Type.String()),
  quantity: Type.Optional(Type.Integer({ minimum: -2147483648, maximum: 2147483647 })),
});

export const ReadCartResponse: TSchema = Type.Object({
  id: Type.String(),
  key: Type.String(),
  version: Type.Integer({ minimum: -9007199254740991, maximum: 9007199254740991 }),
  lines: Type.Array(CartLine),
  promotion_codes: Type.Array(Type.String()),
  gift_card_codes: Type.Array(Type.String()),
  gift_card_ids: Type.Array(Type.String()),
  currency: Type.Union([Type.String(), Type.Null()]),
});

export const ConvertCartRequest: TSchema = Type.Object({
  key: Type.String(),
  version: Type.Integer({ minimum: -9007199254740991, maximum: 9007199254740991 }),
  id: Type.String(),
  lines: Type.Optional(Type.Array(CartLineInput)),
  promotion_codes: Type.Optional(Type.Array(Type.String())),
  gift_card_ids: Type.Optional(Type.Array(Type.String())),
});

export const ConvertCartResponse: TSchema = Type.Object({
  status: Type.String(),
});
