// Generated from stoa/v1/wishlist.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import { type TSchema, Type } from '@sinclair/typebox';
import { Text } from '#proto/format.ts';

export const WishlistItem: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  product_id: Text({ format: "uuid" }),
  variant_id: Type.Union([Text({ format: "uuid" }), Type.Null()]),
  name: Type.String(),
  price: Type.Union([Type.Number(), Type.Null()]),
  price_at_add: Type.Union([Type.Number(), Type.Null()]),
  in_stock: Type.Boolean(),
  added_at: Text({ format: "date-time" }),
});

export const ShopperWishlist: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  customer_id: Text({ format: "uuid" }),
  items: Type.Array(WishlistItem),
});

export const WishlistResponse: TSchema = Type.Object({
  wishlist: ShopperWishlist,
});

export const GetWishlistRequest: TSchema = Type.Object({
  customer_id: Text({ format: "uuid" }),
  fields: Type.Optional(Text({ maxLength: 2000 })),
});

export const AddWishlistItemRequest: TSchema = Type.Object({
  variant_id: Type.Optional(Type.Union([Text({ format: "uuid" }), Type.Null()])),
  product_id: Type.Optional(Type.Union([Text({ format: "uuid" }), Type.Null()])),
  customer_id: Text({ format: "uuid" }),
});

export const RemoveWishlistItemRequest: TSchema = Type.Object({
  item_id: Text({ format: "uuid" }),
  customer_id: Text({ format: "uuid" }),
});
