// Generated from stoa/v1/inventory.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import type { Pagination } from './shared.ts';

/** A variant's stock level. */
export type StockLevel = {
  variant_id: string;
  on_hand: number;
  /** Promised to checkouts in progress. */
  held: number;
  /** On hand less held, never below 0. */
  available: number;
  /** Null: the store's own threshold counts. */
  low_stock_threshold: number | null;
};

/** A variant's stock level, with the names of variant and product. */
export type NamedStockLevel = {
  variant_id: string;
  product_id: string;
  product_name: string;
  variant_name: string | null;
  sku: string | null;
  thumbnail_url: string | null;
  on_hand: number;
  /** Promised to checkouts in progress. */
  held: number;
  /** On hand less held, never below 0. */
  available: number;
  /** Null: the store's own threshold counts. */
  low_stock_threshold: number | null;
  /** Fewer units are available than its threshold, or the store's. */
  low_stock: boolean;
};

export type ListInventoryRequest = {
  /** A part of the product's name, or the beginning of the SKU. Letter case and accents are ignored. */
  search?: string;
  /** True: levels below their threshold. False: all others. */
  low_stock?: boolean;
  /** The levels of one product. */
  product_id?: string;
  /** One level. */
  variant_id?: string;
  /** The levels of these variants, comma-separated. Unknown ids are left out. */
  variant_ids?: readonly string[];
  limit?: number;
  cursor?: string;
  /** Comma-separated names of the levels' fields to return. */
  fields?: string;
};

export type ListInventoryResponse = {
  inventory: readonly NamedStockLevel[];
  pagination: Pagination;
};

/** A change of the stock on hand that a caller asked for. */
export type StockAdjustment = {
  id: string;
  variant_id: string;
  delta: number;
  /** After the adjustment. */
  on_hand: number;
  reason: string | null;
  created_at: string;
};

export type ListAdjustmentsRequest = {
  variant_id: string;
  limit?: number;
  cursor?: string;
  /** Comma-separated names of the adjustments' fields to return. */
  fields?: string;
};

export type ListAdjustmentsResponse = {
  adjustments: readonly StockAdjustment[];
  pagination: Pagination;
};

/** Units of one variant that one buyer has to themselves for a while. */
export type InventoryUnitHold = {
  id: string;
  quantity: number;
  /**
   * `checkout`: a checkout intent. `order`: a checkout intent that has just become an order. `request`: a request that is
   * placing an order or beginning a checkout; one that broke off holds its units until `expires_at`.
   */
  type: "checkout" | "order" | "request";
  checkout_intent_id: string | null;
  /** The order that the checkout has become. */
  order_id: string | null;
  /** Name of the assistant that began the checkout; null for a buyer without one. */
  agent: string | null;
  /** When the checkout began; null where there is none. */
  created_at: string | null;
  /** When the units are available again unless they are bought; null once they are. */
  expires_at: string | null;
};

export type ListHoldsRequest = {
  variant_id: string;
  limit?: number;
  cursor?: string;
  /** Comma-separated names of the holds' fields to return. */
  fields?: string;
};

export type ListHoldsResponse = {
  holds: readonly InventoryUnitHold[];
  pagination: Pagination;
};

export type GetInventoryRequest = {
  variant_id: string;
  /** Comma-separated names of the level's fields to return. */
  fields?: string;
};

export type InventoryResponse = {
  inventory: StockLevel;
};

/** Exactly one of `delta` and `on_hand`. */
export type CreateAdjustmentRequest = {
  variant_id: string;
  delta?: number;
  on_hand?: number;
  reason?: string | null;
};

/**
 * Stock levels.
 * @internal
 */
export interface InventoryRpcs {
  ListInventory: { request: ListInventoryRequest; response: ListInventoryResponse };
  ListAdjustments: { request: ListAdjustmentsRequest; response: ListAdjustmentsResponse };
  GetInventory: { request: GetInventoryRequest; response: InventoryResponse };
  CreateAdjustment: { request: CreateAdjustmentRequest; response: InventoryResponse };
}

/**
 * Holds on stock, as staff sees them.
 * @internal
 */
export interface InventoryHoldRpcs {
  ListHolds: { request: ListHoldsRequest; response: ListHoldsResponse };
}
