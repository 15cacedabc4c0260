// Generated from stoa/v1/marketplace.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import type { Address, Pagination } from './shared.ts';

/** A member of a section: a product, a merchant or a promotion, as its `placement_kind` says. */
export type SectionItem = {
  merchant_store_id: string;
  /** In sections of products. */
  product_id?: string;
  /** In sections of promotions. */
  promotion_id?: string;
  /** The merchant's, in sections of merchants. */
  name?: string;
  logo_url?: string | null;
  /** The promotion's, in sections of promotions. */
  title?: string;
  /** When the promotion ends. */
  ends_at?: string | null;
};

export type Section = {
  slug: string;
  name: string;
  description: string | null;
  placement_kind: "product" | "merchant" | "promotion";
  /** Always true. */
  curated: boolean;
  items: readonly SectionItem[];
  /** With `hidden=true`: members that are not shown now, by their ids. */
  hidden_items?: readonly SectionItem[];
  /** Identifies this state of the section; a change can send it as `version`. */
  updated_at: string;
};

export type SectionResponse = {
  collection: Section;
};

export type ListSectionsRequest = {
  limit?: number;
  cursor?: string;
  fields?: string;
};

export type ListSectionsResponse = {
  collections: readonly Section[];
  pagination: Pagination;
};

export type GetSectionRequest = {
  slug: string;
  /** Number of members, at most. */
  limit?: number;
  fields?: string;
  /**
   * Adds `hidden_items`: members that are gone or inactive, or whose merchant is suspended, lapsed or has left. A program that
   * writes the section anew sends them along.
   */
  hidden?: boolean;
};

export type PutSectionItem = {
  merchant_store_id: string;
  /** Needed in sections of products, and there alone. */
  product_id?: string | null;
  /** Needed in sections of promotions, and there alone. */
  promotion_id?: string | null;
};

export type PutSectionRequest = {
  slug: string;
  name: string;
  description?: string | null;
  placement_kind: "product" | "merchant" | "promotion";
  items: readonly PutSectionItem[];
  /** The `updated_at` that the change is based on. If the section has changed since then, the answer is 409 `conflict`. */
  version?: string;
};

export type GetShopperRequest = {
  /** An access token of any of the operator's merchants; missing or of no use: 401. */
  customer_token?: string;
  fields?: string;
};

/** A shopper's account at a merchant. */
export type ShopperAccount = {
  store_id: string;
  customer_id: string;
};

export type Shopper = {
  /** The same id at each call, with the token of any merchant. */
  shopper_id: string;
  email: string;
  customers: readonly ShopperAccount[];
  /** Orders of all these accounts without cancelled ones. */
  orders_count: number;
  /** Addresses of all these accounts, each once. */
  addresses: readonly Address[];
};

export type ShopperResponse = {
  shopper: Shopper;
};

export type DeleteSectionRequest = {
  slug: string;
};

export type SectionDeleted = {
  deleted: boolean;
  slug: string;
  /** The slug of the path. */
  id: string;
};

/**
 * Curated sections of a marketplace, for its operator's key.
 * @internal
 */
export interface MarketplaceRpcs {
  ListSections: { request: ListSectionsRequest; response: ListSectionsResponse };
  GetSection: { request: GetSectionRequest; response: SectionResponse };
  PutSection: { request: PutSectionRequest; response: SectionResponse };
  DeleteSection: { request: DeleteSectionRequest; response: SectionDeleted };
  GetShopper: { request: GetShopperRequest; response: ShopperResponse };
}
