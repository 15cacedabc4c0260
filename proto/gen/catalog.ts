// Generated from stoa/v1/catalog.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import type { ListedProduct, Product, Specification } from './product.ts';
import type { CreateProductRequest, DeleteProductRequest, UpdateProductRequest } from './product_request.ts';
import type { Deleted, Pagination } from './shared.ts';
import type { CreateVariantRequest, DeleteVariantRequest, UpdateVariantRequest } from './variant_request.ts';

export type ListProductsRequest = {
  category_id?: string;
  subcategory_id?: string;
  collection_id?: string;
  /** Letter case is ignored. */
  brand?: string;
  /** Letter case is ignored. */
  tag?: string;
  /** That of any variant. */
  condition?: "new" | "refurbished" | "used";
  featured?: boolean;
  /** True: something of it can be bought now. False: nothing can. */
  in_stock?: boolean;
  /** Lowest selling price of its variants, inclusive. */
  min_price?: number;
  max_price?: number;
  /** Comma-separated. */
  ids?: readonly string[];
  /** `newest` where left out. `collection` is the collection's own order and needs `collection_id`. */
  sort?: "newest" | "price_asc" | "price_desc" | "name" | "featured" | "rating" | "collection";
  limit?: number;
  cursor?: string;
  /** Comma-separated names of the products' fields to return. */
  fields?: string;
  /** A part of the name, or the beginning of a variant's SKU. Letter case and accents are ignored. */
  search?: string;
  /** Publishable keys see active products alone. */
  is_active?: boolean;
  /** True: the stock of a variant is below its threshold. False: that of none is. */
  low_stock?: boolean;
  /**
   * Shows prices in this currency, one of the store's `currencies`; the store's own where left out. Filters and sorts
   * compare prices in it, too. Over all merchants: only those whose own currency it is.
   */
  currency?: string;
  /** Language of the texts, such as `de`; the store's nearest to it, else its default one. */
  language?: string;
};

export type ListProductsResponse = {
  products: readonly ListedProduct[];
  pagination: Pagination;
};

export type GetProductRequest = {
  id: string;
  /** Comma-separated names of fields to return, `variants.sku` and `attributes.colour` too. */
  fields?: string;
  /** Shows prices in this currency, one of the store's `currencies`; the store's own where left out. */
  currency?: string;
  /** Language of the texts, such as `de`; the store's nearest to it, else its default one. */
  language?: string;
};

export type GetProductBySlugRequest = {
  slug: string;
  /** Comma-separated names of fields to return, `variants.sku` and `attributes.colour` too. */
  fields?: string;
  /** Shows prices in this currency, one of the store's `currencies`; the store's own where left out. */
  currency?: string;
  /** Language of the texts, such as `de`; the store's nearest to it, else its default one. */
  language?: string;
};

export type GetSpecificationsRequest = {
  id: string;
  /** Comma-separated names of a line's fields to return. */
  fields?: string;
  /** Language of the texts, such as `de`; the store's nearest to it, else its default one. */
  language?: string;
};

export type GetSpecificationsResponse = {
  specifications: readonly Specification[];
};

/** A time in which shoppers saw one price of a variant. */
export type ShownPrice = {
  variant_id: string;
  currency: string;
  /** The selling price. */
  price: number;
  /** The regular price, of which `price` was a reduction; null without one. */
  compare_at_price: number | null;
  /** The origin of the selling price: the variant's `price`, its `sale_price`, or a price list for everybody. */
  source: "price" | "sale" | "price_list";
  from: string;
  /** Null: still shown. */
  to: string | null;
};

export type ListPriceHistoryRequest = {
  id: string;
  variant_id?: string;
  /** The store's own one, or one with fixed prices. All of these where left out. */
  currency?: string;
  /** Leaves out prices that ended before. */
  from?: string;
  /** Leaves out prices that began at this time or later. */
  to?: string;
  limit?: number;
  cursor?: string;
  /** Comma-separated names of the prices' fields to return. */
  fields?: string;
};

export type ListPriceHistoryResponse = {
  price_history: readonly ShownPrice[];
  pagination: Pagination;
};

/**
 * Products and their variants.
 * @internal
 */
export interface CatalogRpcs {
  ListProducts: { request: ListProductsRequest; response: ListProductsResponse };
  GetProduct: { request: GetProductRequest; response: Product };
  GetProductBySlug: { request: GetProductBySlugRequest; response: Product };
  GetSpecifications: { request: GetSpecificationsRequest; response: GetSpecificationsResponse };
  ListPriceHistory: { request: ListPriceHistoryRequest; response: ListPriceHistoryResponse };
  CreateProduct: { request: CreateProductRequest; response: Product };
  UpdateProduct: { request: UpdateProductRequest; response: Product };
  DeleteProduct: { request: DeleteProductRequest; response: Deleted };
  CreateVariant: { request: CreateVariantRequest; response: Product };
  UpdateVariant: { request: UpdateVariantRequest; response: Product };
  DeleteVariant: { request: DeleteVariantRequest; response: Deleted };
}
