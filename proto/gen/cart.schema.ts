// Generated from stoa/v1/cart.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import { type TSchema, Type } from '@sinclair/typebox';
import { Text } from '#proto/format.ts';
import { AppliedPromotion, RejectedCode } from './shared.schema.ts';

export const CartItem: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  product_id: Text({ format: "uuid" }),
  variant_id: Text({ format: "uuid" }),
  name: Type.String(),
  variant_name: Type.Union([Type.String(), Type.Null()]),
  sku: Type.Union([Type.String(), Type.Null()]),
  thumbnail_url: Type.Union([Type.String(), Type.Null()]),
  quantity: Type.Integer({ minimum: -2147483648, maximum: 2147483647 }),
  unit_price: Type.Number(),
  subtotal: Type.Number(),
  discount: Type.Number(),
  total: Type.Number(),
  in_stock: Type.Boolean(),
});

export const CartGiftCard: TSchema = Type.Object({
  code_last4: Type.String(),
  amount: Type.Number(),
});

export const CartWarning: TSchema = Type.Object({
  code: Type.Union([Type.Literal("price_changed"), Type.Literal("quantity_reduced"), Type.Literal("out_of_stock"), Type.Literal("insufficient_stock"), Type.Literal("code_expired"), Type.Literal("currency_not_available")]),
  item_id: Type.Union([Text({ format: "uuid" }), Type.Null()]),
  message: Type.String(),
});

export const ShoppingCart: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  session_id: Type.Union([Type.String(), Type.Null()]),
  customer_id: Type.Union([Text({ format: "uuid" }), Type.Null()]),
  currency: Type.String(),
  status: Type.Union([Type.Literal("active"), Type.Literal("converted"), Type.Literal("merged"), Type.Literal("expired")]),
  items: Type.Array(CartItem),
  item_count: Type.Integer({ minimum: -2147483648, maximum: 2147483647 }),
  subtotal: Type.Number(),
  discount_total: Type.Number(),
  gift_card_total: Type.Number(),
  total: Type.Number(),
  amount_due: Type.Number(),
  promotion_codes: Type.Array(Type.String()),
  applied_promotions: Type.Array(AppliedPromotion),
  rejected_codes: Type.Array(RejectedCode),
  gift_cards: Type.Array(CartGiftCard),
  warnings: Type.Array(CartWarning),
  version: Type.Integer({ minimum: -9007199254740991, maximum: 9007199254740991 }),
  created_at: Type.Union([Text({ format: "date-time" }), Type.Null()]),
  updated_at: Type.Union([Text({ format: "date-time" }), Type.Null()]),
});

export const CartResponse: TSchema = Type.Object({
  cart: ShoppingCart,
});

export const GetCartRequest: TSchema = Type.Object({
  customer_id: Type.Optional(Type.Union([Text({ format: "uuid" }), Type.Null()])),
  fields: Type.Optional(Text({ maxLength: 2000 })),
  language: Type.Optional(Text({ pattern: "^[A-Za-z]{2,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|[0-9]{3}))?$" })),
  currency: Type.Optional(Text({ format: "currency" })),
});

export const EmptyCartRequest: TSchema = Type.Object({
  customer_id: Type.Optional(Type.Union([Text({ format: "uuid" }), Type.Null()])),
  language: Type.Optional(Text({ pattern: "^[A-Za-z]{2,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|[0-9]{3}))?$" })),
});

export const UpdateCartRequest: TSchema = Type.Object({
  currency: Text({ format: "currency" }),
  customer_id: Type.Optional(Type.Union([Text({ format: "uuid" }), Type.Null()])),
  language: Type.Optional(Text({ pattern: "^[A-Za-z]{2,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|[0-9]{3}))?$" })),
});

export const AddItemRequest: TSchema = Type.Object({
  variant_id: Type.Optional(Type.Union([Text({ format: "uuid" }), Type.Null()])),
  product_id: Type.Optional(Type.Union([Text({ format: "uuid" }), Type.Null()])),
  quantity: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000000 })),
  customer_id: Type.Optional(Type.Union([Text({ format: "uuid" }), Type.Null()])),
  language: Type.Optional(Text({ pattern: "^[A-Za-z]{2,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|[0-9]{3}))?$" })),
});

export const UpdateItemRequest: TSchema = Type.Object({
  item_id: Text({ format: "uuid" }),
  quantity: Type.Integer({ minimum: 0, maximum: 1000000 }),
  customer_id: Type.Optional(Type.Union([Text({ format: "uuid" }), Type.Null()])),
  language: Type.Optional(Text({ pattern: "^[A-Za-z]{2,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|[0-9]{3}))?$" })),
});

export const RemoveItemRequest: TSchema = Type.Object({
  item_id: Text({ format: "uuid" }),
  customer_id: Type.Optional(Type.Union([Text({ format: "uuid" }), Type.Null()])),
  language: Type.Optional(Text({ pattern: "^[A-Za-z]{2,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|[0-9]{3}))?$" })),
});

export const AddPromotionRequest: TSchema = Type.Object({
  code: Text({ minLength: 1, maxLength: 50 }),
  customer_id: Type.Optional(Type.Union([Text({ format: "uuid" }), Type.Null()])),
  language: Type.Optional(Text({ pattern: "^[A-Za-z]{2,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|[0-9]{3}))?$" })),
});

export const RemovePromotionRequest: TSchema = Type.Object({
  code: Text({ maxLength: 50 }),
  customer_id: Type.Optional(Type.Union([Text({ format: "uuid" }), Type.Null()])),
  language: Type.Optional(Text({ pattern: "^[A-Za-z]{2,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|[0-9]{3}))?$" })),
});

export const AddGiftCardRequest: TSchema = Type.Object({
  code: Text({ minLength: 1, maxLength: 50 }),
  customer_id: Type.Optional(Type.Union([Text({ format: "uuid" }), Type.Null()])),
  language: Type.Optional(Text({ pattern: "^[A-Za-z]{2,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|[0-9]{3}))?$" })),
});

export const RemoveGiftCardRequest: TSchema = Type.Object({
  code: Text({ maxLength: 50 }),
  customer_id: Type.Optional(Type.Union([Text({ format: "uuid" }), Type.Null()])),
  language: Type.Optional(Text({ pattern: "^[A-Za-z]{2,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|[0-9]{3}))?$" })),
});

export const MergeCartRequest: TSchema = Type.Object({
  session_id: Type.Optional(Type.Union([Text({ pattern: "^[!-~]{1,128}$" }), Type.Null()])),
  customer_id: Text({ format: "uuid" }),
  language: Type.Optional(Text({ pattern: "^[A-Za-z]{2,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|[0-9]{3}))?$" })),
});
