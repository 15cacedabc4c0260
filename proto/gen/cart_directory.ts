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
  /** Id of this cart: the shopper's next cart has another. */
  id: string;
  /** Key shared by all carts of this shopper. */
  key: string;
  version: number;
  lines: readonly CartLine[];
  /** Promotion codes, as entered. */
  promotion_codes: readonly string[];
  gift_card_codes: readonly string[];
  gift_card_ids: readonly string[];
  /** Null until something was put in. */
  currency: string | null;
};

/** @internal */
export type ConvertCartRequest = {
  key: string;
  version: number;
  /** Id of this cart. */
  id: string;
  /** Lines that the order has bought. */
  lines?: readonly CartLineInput[];
  promotion_codes?: readonly string[];
  gift_card_ids?: readonly string[];
};

/** @internal */
export type ConvertCartResponse = {
  status: string;
};

/**
 * Carts, as the order that is placed from one reads them.
 * @internal
 */
export interface CartDirectoryRpcs {
  ReadCart: { request: ReadCartRequest; response: ReadCartResponse };
  ConvertCart: { request: ConvertCartRequest; response: ConvertCartResponse };
}
