// Generated from stoa/v1/cart_directory.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.

/** @internal */
export type ReadCartRequest = {
  /** One of the two. */
  session_id?: string;
  customer_id?: string;
};

/** @internal */
export type CartLine = {
  variant_id: string;
  quantity: number;
};

/** @internal */
export type CartLineInput = {
  variant_id?: string;
  quantity?: number;
};

/** @internal */
export type ReadCartResponse = {
  /** Of this very cart: the shopper's next one has another. */
  id: string;
  /** What its shopper's carts are known by. */
  key: string;
  version: number;
  lines: readonly CartLine[];
  /** Promotion codes, as entered. */
  promotion_codes: readonly string[];
  gift_card_codes: readonly string[];
  gift_card_ids: readonly string[];
};

/** @internal */
export type ConvertCartRequest = {
  key: string;
  version: number;
  /** Of this very cart. */
  id: string;
  /** What the order took of it. */
  lines?: readonly CartLineInput[];
  promotion_codes?: readonly string[];
  gift_card_ids?: readonly string[];
};

/** @internal */
export type ConvertCartResponse = {
  status: string;
};

/**
 * What an order asks of the cart that it is placed from.
 * @internal
 */
export interface CartDirectoryRpcs {
  ReadCart: { request: ReadCartRequest; response: ReadCartResponse };
  ConvertCart: { request: ConvertCartRequest; response: ConvertCartResponse };
}
