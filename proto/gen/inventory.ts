// Generated from stoa/v1/inventory.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.

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
  GetInventory: { request: GetInventoryRequest; response: InventoryResponse };
  CreateAdjustment: { request: CreateAdjustmentRequest; response: InventoryResponse };
}
