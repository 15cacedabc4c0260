// Generated from stoa/v1/wishlist.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.

export type WishlistItem = {
  id: string;
  product_id: string;
  /** Null when the product as a whole is meant. */
  variant_id: string | null;
  name: string;
  /** The selling price now; of a product as a whole its default variant's. */
  price: number | null;
  /** The selling price when it was added. */
  price_at_add: number | null;
  /** Whether it, or any variant of the product, can be bought now. */
  in_stock: boolean;
  added_at: string;
};

/** A customer's wishlist. */
export type ShopperWishlist = {
  id: string;
  customer_id: string;
  /** Newest first. */
  items: readonly WishlistItem[];
};

export type WishlistResponse = {
  wishlist: ShopperWishlist;
};

export type GetWishlistRequest = {
  /** The signed-in customer. */
  customer_id: string;
  /** Comma-separated names of the wishlist's fields to return. */
  fields?: string;
};

export type AddWishlistItemRequest = {
  /** The variant to add: this one, … */
  variant_id?: string | null;
  /** … or this product as a whole. */
  product_id?: string | null;
  /** The signed-in customer; in query or body. */
  customer_id: string;
};

export type RemoveWishlistItemRequest = {
  item_id: string;
  /** The signed-in customer. */
  customer_id: string;
};

/**
 * Wishlists, one a customer; each call needs that customer's session.
 * @internal
 */
export interface WishlistRpcs {
  GetWishlist: { request: GetWishlistRequest; response: WishlistResponse };
  AddWishlistItem: { request: AddWishlistItemRequest; response: WishlistResponse };
  RemoveWishlistItem: { request: RemoveWishlistItemRequest; response: WishlistResponse };
}
