// Generated from stoa/v1/cart.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import type { AppliedPromotion, RejectedCode } from './shared.ts';

export type CartItem = {
  id: string;
  product_id: string;
  variant_id: string;
  name: string;
  variant_name: string | null;
  sku: string | null;
  thumbnail_url: string | null;
  quantity: number;
  unit_price: number;
  subtotal: number;
  discount: number;
  total: number;
  /** Whether all of its pieces can be bought now. */
  in_stock: boolean;
};

export type CartGiftCard = {
  code_last4: string;
  amount: number;
};

/** A change that a shopper should know of before buying. */
export type CartWarning = {
  code: "price_changed" | "quantity_reduced" | "out_of_stock" | "insufficient_stock" | "code_expired" | "currency_not_available";
  item_id: string | null;
  /** For people. */
  message: string;
};

/** A cart. All amounts are in major units of `currency`. */
export type ShoppingCart = {
  id: string;
  /** Session of an anonymous cart. */
  session_id: string | null;
  /** Customer of a signed-in cart. */
  customer_id: string | null;
  currency: string;
  /** A cart that is not active is empty; the next item opens a new cart. */
  status: "active" | "converted" | "merged" | "expired";
  items: readonly CartItem[];
  /** Pieces, of all items together. */
  item_count: number;
  subtotal: number;
  discount_total: number;
  gift_card_total: number;
  total: number;
  /** Total less gift cards. */
  amount_due: number;
  /** Codes as entered, in upper case. */
  promotion_codes: readonly string[];
  applied_promotions: readonly AppliedPromotion[];
  rejected_codes: readonly RejectedCode[];
  gift_cards: readonly CartGiftCard[];
  warnings: readonly CartWarning[];
  /** Counts the cart's changes. */
  version: number;
  /** Null until something is put in. */
  created_at: string | null;
  /** Null until something is put in. */
  updated_at: string | null;
};

export type CartResponse = {
  cart: ShoppingCart;
};

export type GetCartRequest = {
  /** The signed-in customer whose cart it is. */
  customer_id?: string | null;
  /** Comma-separated names of the cart's fields to return. */
  fields?: string;
  /** Language of the names, such as `de`; the store's nearest to it, else its default one. */
  language?: string;
  /**
   * Shows the cart in this currency, one of the store's `currencies` or its own, and leaves the cart's currency as it is.
   * In any letter case.
   */
  currency?: string;
};

export type EmptyCartRequest = {
  /** The signed-in customer whose cart it is. */
  customer_id?: string | null;
  /** Language of the names, such as `de`; the store's nearest to it, else its default one. */
  language?: string;
};

export type UpdateCartRequest = {
  /** In any letter case. */
  currency: string;
  /** The signed-in customer whose cart it is; in query or body. */
  customer_id?: string | null;
  /** Language of the names, such as `de`; the store's nearest to it, else its default one. */
  language?: string;
};

export type AddItemRequest = {
  /** The variant to add: this one, … */
  variant_id?: string | null;
  /** … or the default variant of this product. */
  product_id?: string | null;
  /** Pieces, 1 unless said. */
  quantity?: number;
  /** The signed-in customer whose cart it is; in query or body. */
  customer_id?: string | null;
  /** Language of the names, such as `de`; the store's nearest to it, else its default one. */
  language?: string;
};

export type UpdateItemRequest = {
  item_id: string;
  /** Pieces; 0 takes the line out. */
  quantity: number;
  /** The signed-in customer whose cart it is; in query or body. */
  customer_id?: string | null;
  /** Language of the names, such as `de`; the store's nearest to it, else its default one. */
  language?: string;
};

export type RemoveItemRequest = {
  item_id: string;
  /** The signed-in customer whose cart it is. */
  customer_id?: string | null;
  /** Language of the names, such as `de`; the store's nearest to it, else its default one. */
  language?: string;
};

export type AddPromotionRequest = {
  code: string;
  /** The signed-in customer whose cart it is; in query or body. */
  customer_id?: string | null;
  /** Language of the names, such as `de`; the store's nearest to it, else its default one. */
  language?: string;
};

export type RemovePromotionRequest = {
  code: string;
  /** The signed-in customer whose cart it is. */
  customer_id?: string | null;
  /** Language of the names, such as `de`; the store's nearest to it, else its default one. */
  language?: string;
};

export type AddGiftCardRequest = {
  code: string;
  /** The signed-in customer whose cart it is; in query or body. */
  customer_id?: string | null;
  /** Language of the names, such as `de`; the store's nearest to it, else its default one. */
  language?: string;
};

export type RemoveGiftCardRequest = {
  code: string;
  /** The signed-in customer whose cart it is. */
  customer_id?: string | null;
  /** Language of the names, such as `de`; the store's nearest to it, else its default one. */
  language?: string;
};

export type MergeCartRequest = {
  /** The anonymous cart's session: 1 to 128 visible ASCII characters; the header `X-Session-Id` unless said. */
  session_id?: string | null;
  /** The signed-in customer who takes it over; in query or body. */
  customer_id: string;
  /** Language of the names, such as `de`; the store's nearest to it, else its default one. */
  language?: string;
};

/**
 * Carts. A cart is named by the header `X-Session-Id` (anonymous) or by `customer_id` in query or body, which takes
 * precedence and needs that customer's session. A request with neither is 400.
 * @internal
 */
export interface CartRpcs {
  GetCart: { request: GetCartRequest; response: CartResponse };
  EmptyCart: { request: EmptyCartRequest; response: CartResponse };
  UpdateCart: { request: UpdateCartRequest; response: CartResponse };
  AddItem: { request: AddItemRequest; response: CartResponse };
  UpdateItem: { request: UpdateItemRequest; response: CartResponse };
  RemoveItem: { request: RemoveItemRequest; response: CartResponse };
  AddPromotion: { request: AddPromotionRequest; response: CartResponse };
  RemovePromotion: { request: RemovePromotionRequest; response: CartResponse };
  AddGiftCard: { request: AddGiftCardRequest; response: CartResponse };
  RemoveGiftCard: { request: RemoveGiftCardRequest; response: CartResponse };
  MergeCart: { request: MergeCartRequest; response: CartResponse };
}
