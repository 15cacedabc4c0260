// Generated from stoa/v1/price_list.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import type { Deleted, Pagination } from './shared.ts';

/** A variant's price from a quantity on. */
export type ListPrice = {
  variant_id: string;
  /** 1 where left out. */
  min_quantity: number;
  price: number;
};

/** A variant's price from a quantity on. */
export type ListPriceInput = {
  variant_id: string;
  /** 1 where left out. */
  min_quantity?: number;
  price: number;
};

/** A price list with its prices. */
export type PriceListing = {
  id: string;
  name: string;
  /** The only currency of baskets that it prices. */
  currency: string;
  /** Null: everybody's. */
  customer_group: string | null;
  starts_at: string | null;
  ends_at: string | null;
  prices: readonly ListPrice[];
  created_at: string;
  updated_at: string;
};

export type ListPriceListsRequest = {
  limit?: number;
  cursor?: string;
  /** Comma-separated names of a price list's fields to return. */
  fields?: string;
};

export type ListPriceListsResponse = {
  price_lists: readonly PriceListing[];
  pagination: Pagination;
};

export type PriceListResponse = {
  price_list: PriceListing;
};

export type CreatePriceListRequest = {
  name: string;
  /** The store's where left out. */
  currency?: string;
  customer_group?: string | null;
  starts_at?: string | null;
  /** After `starts_at`. */
  ends_at?: string | null;
  prices?: readonly ListPriceInput[];
};

export type UpdatePriceListRequest = {
  id: string;
  name?: string;
  currency?: string;
  customer_group?: string | null;
  starts_at?: string | null;
  ends_at?: string | null;
  prices?: readonly ListPriceInput[];
  /** The `updated_at` that the change is based on. If the price list has changed since then, the answer is 409 `conflict`. */
  version?: string;
};

export type GetPriceListRequest = {
  id: string;
  /** Comma-separated names of the price list's fields to return. */
  fields?: string;
};

export type DeletePriceListRequest = {
  id: string;
};

/**
 * Price lists: prices by quantity, for everybody or for a group of customers, for a time.
 * @internal
 */
export interface PriceListRpcs {
  ListPriceLists: { request: ListPriceListsRequest; response: ListPriceListsResponse };
  GetPriceList: { request: GetPriceListRequest; response: PriceListResponse };
  CreatePriceList: { request: CreatePriceListRequest; response: PriceListResponse };
  UpdatePriceList: { request: UpdatePriceListRequest; response: PriceListResponse };
  DeletePriceList: { request: DeletePriceListRequest; response: Deleted };
}
