// Generated from stoa/v1/feed.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import type { Product } from './product.ts';

export type GetFeedRequest = {
  /** The store's id or code. */
  store: string;
  /** Language of the texts, such as `de`; the store's nearest to it, else its default one. */
  language?: string;
};

export type GetSummaryResponse = Record<never, never>;

export type GetShoppingFeedResponse = Record<never, never>;

export type FeedStore = {
  id: string;
  code: string;
  name: string;
  website_url: string | null;
};

export type AcpDescription = {
  plain: string;
};

export type AcpMedia = {
  type: string;
  url: string;
};

export type AcpBarcode = {
  type: string;
  value: string;
};

export type AcpPrice = {
  /** In the currency's smallest unit. */
  amount: number;
  currency: string;
};

export type AcpAvailability = {
  available: boolean;
  status: "in_stock" | "out_of_stock";
};

export type AcpCategory = {
  value: string;
  taxonomy: string;
};

export type AcpVariantOption = {
  name: string;
  value: string;
};

export type AcpSeller = {
  name: string;
};

export type AcpVariant = {
  id: string;
  title: string;
  url?: string;
  barcodes?: readonly AcpBarcode[];
  price?: AcpPrice;
  /** Before its reduction. */
  list_price?: AcpPrice;
  availability: AcpAvailability;
  categories?: readonly AcpCategory[];
  condition: readonly string[];
  variant_options?: readonly AcpVariantOption[];
  media?: readonly AcpMedia[];
  seller: AcpSeller;
};

export type AcpProduct = {
  id: string;
  title: string;
  description?: AcpDescription;
  /** The product's page, if the store has set its website. */
  url?: string;
  media?: readonly AcpMedia[];
  variants: readonly AcpVariant[];
};

/** A product of the Agentic Commerce Protocol, version 2026-04-17. Unknown fields are left out. */
export type AcpFeed = {
  products: readonly AcpProduct[];
};

export type GetProductFeedResponse = {
  store: FeedStore;
  currency: string;
  /** When the catalogue last changed. */
  updated_at: string;
  products: readonly Product[];
  /** The same products as the feed of the Agentic Commerce Protocol has them, in their order. */
  acp: AcpFeed;
};

/**
 * The production catalogue of a store, named by its id or its code. A feed that is off, and any feed of a store on a
 * trial or with a lapsed subscription, is 404.
 * @internal
 */
export interface FeedRpcs {
  GetSummary: { request: GetFeedRequest; response: GetSummaryResponse };
  GetProductFeed: { request: GetFeedRequest; response: GetProductFeedResponse };
  GetShoppingFeed: { request: GetFeedRequest; response: GetShoppingFeedResponse };
}
