// Generated from stoa/v1/variant_request.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import type { MediaItemInput } from './shared.ts';

/** A variant as it is written inside a product. */
export type NewVariant = {
  /** One sent back keeps it. */
  variant_id?: string;
  /** One variant of the store has it: a second one is a conflict. */
  sku?: string | null;
  /** Null: no price yet, so it cannot be bought. */
  price?: number | null;
  /** A value of `price` or more is stored but has no effect. */
  sale_price?: number | null;
  /** Units on hand; 0 when left out at creation. */
  stock?: number;
  /** Null: the store's own threshold counts. */
  low_stock_threshold?: number | null;
  condition?: "new" | "refurbished" | "used";
  /** UPC, EAN or ISBN. */
  gtin?: string | null;
  mpn?: string | null;
  weight_grams?: number | null;
  dimensions_cm?: string | null;
  variant_name?: string | null;
  /** For example colour and size; texts, numbers and booleans. */
  variant_attributes?: Record<string, unknown> | null;
  /** The one that lists show; setting it takes it from the other. */
  is_default?: boolean;
  /** Null: the first image of `media`. */
  thumbnail_url?: string | null;
  media?: readonly MediaItemInput[];
};

export type CreateVariantRequest = {
  id: string;
  /** One variant of the store has it: a second one is a conflict. */
  sku?: string | null;
  /** Null: no price yet, so it cannot be bought. */
  price?: number | null;
  /** A value of `price` or more is stored but has no effect. */
  sale_price?: number | null;
  /** Units on hand; 0 when left out at creation. */
  stock?: number;
  /** Null: the store's own threshold counts. */
  low_stock_threshold?: number | null;
  condition?: "new" | "refurbished" | "used";
  /** UPC, EAN or ISBN. */
  gtin?: string | null;
  mpn?: string | null;
  weight_grams?: number | null;
  dimensions_cm?: string | null;
  variant_name?: string | null;
  /** For example colour and size; texts, numbers and booleans. */
  variant_attributes?: Record<string, unknown> | null;
  /** The one that lists show; setting it takes it from the other. */
  is_default?: boolean;
  /** Null: the first image of `media`. */
  thumbnail_url?: string | null;
  media?: readonly MediaItemInput[];
};

export type UpdateVariantRequest = {
  id: string;
  variant_id: string;
  /** One variant of the store has it: a second one is a conflict. */
  sku?: string | null;
  /** Null: no price yet, so it cannot be bought. */
  price?: number | null;
  /** A value of `price` or more is stored but has no effect. */
  sale_price?: number | null;
  /** Units on hand; 0 when left out at creation. */
  stock?: number;
  /** Null: the store's own threshold counts. */
  low_stock_threshold?: number | null;
  condition?: "new" | "refurbished" | "used";
  /** UPC, EAN or ISBN. */
  gtin?: string | null;
  mpn?: string | null;
  weight_grams?: number | null;
  dimensions_cm?: string | null;
  variant_name?: string | null;
  /** For example colour and size; texts, numbers and booleans. */
  variant_attributes?: Record<string, unknown> | null;
  /** The one that lists show; setting it takes it from the other. */
  is_default?: boolean;
  /** Null: the first image of `media`. */
  thumbnail_url?: string | null;
  media?: readonly MediaItemInput[];
  /** The product's `updated_at` that the change is based on. If it has changed since then, the answer is 409 `conflict`. */
  version?: string;
};

export type DeleteVariantRequest = {
  id: string;
  variant_id: string;
};
