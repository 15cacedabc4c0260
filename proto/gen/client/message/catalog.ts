// Generated from stoa/v1/catalog.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import type { MediaItem, MediaItemInput, Pagination } from './shared.ts';

/** Weight and measures of the parcel. */
export type ShippingInfo = {
  /** True where left out. */
  requires_shipping: boolean;
  weight_grams: number | null;
  length_cm: number | null;
  width_cm: number | null;
  height_cm: number | null;
};

/** Weight and measures of the parcel. */
export type ShippingInfoInput = {
  /** True where left out. */
  requires_shipping?: boolean;
  weight_grams?: number | null;
  length_cm?: number | null;
  width_cm?: number | null;
  height_cm?: number | null;
};

/** The lowest and the highest selling price among a product's variants. */
export type PriceRange = {
  min: number;
  max: number;
  currency: string;
};

/** A product as lists show it. */
export type ListedProduct = {
  id: string;
  /** The same as `id`. */
  product_id: string;
  name: string;
  description: string;
  category_id: string | null;
  subcategory_id: string | null;
  category_name: string | null;
  subcategory_name: string | null;
  brand: string | null;
  /** Primary image. */
  thumbnail_url: string | null;
  media: readonly MediaItem[];
  /** The name in lower case with hyphens, and a short id; it stays when the name changes. */
  product_slug: string | null;
  seo_title: string | null;
  seo_description: string | null;
  seo_keywords: readonly string[] | null;
  featured: boolean;
  featured_order: number;
  tags: readonly string[] | null;
  google_product_category: string | null;
  meta_product_category: string | null;
  attributes: Record<string, unknown> | null;
  shipping_info: ShippingInfo | null;
  created_at: string | null;
  updated_at: string | null;
  is_active: boolean | null;
  /** Mean of approved reviews with one decimal; null when there are none. */
  average_rating: number | null;
  review_count: number;
  /** From here to `last_restocked`: the default variant's. */
  variant_id: string | null;
  sku: string | null;
  price: number | null;
  sale_price: number | null;
  /** The lowest of `price`, `sale_price` and an active price list's price for everybody. */
  selling_price: number | null;
  /** What can be bought now. */
  stock: number | null;
  variant_attributes: Record<string, unknown> | null;
  variant_name: string | null;
  is_default: boolean | null;
  condition: "new" | "refurbished" | "used";
  gtin: string | null;
  mpn: string | null;
  weight_grams: number | null;
  dimensions_cm: string | null;
  /** Present only when `fields` names it. */
  last_restocked?: string | null;
  /** Multi-variant products only, to `variant_count`. */
  total_stock?: number | null;
  /** Over selling_price. */
  price_range?: PriceRange | null;
  variant_count?: number | null;
  has_variants: boolean;
  display_currency: string;
  currency_symbol: string;
};

/** A variant inside a multi-variant product. */
export type Variant = {
  variant_id: string;
  sku: string | null;
  variant_name: string | null;
  /** For example colour and size. */
  variant_attributes: Record<string, unknown> | null;
  is_default: boolean;
  price: number | null;
  sale_price: number | null;
  /** The lowest of `price`, `sale_price` and an active price list's price for everybody. */
  selling_price: number | null;
  /** What can be bought now. */
  stock: number;
  low_stock_threshold: number | null;
  condition: "new" | "refurbished" | "used";
  gtin: string | null;
  mpn: string | null;
  weight_grams: number | null;
  dimensions_cm: string | null;
  last_restocked: string | null;
  thumbnail_url: string | null;
  media: readonly MediaItem[];
};

/** A product as its own page shows it. */
export type Product = {
  id: string;
  /** The same as `id`. */
  product_id: string;
  name: string;
  description: string;
  category_id: string | null;
  subcategory_id: string | null;
  category_name: string | null;
  subcategory_name: string | null;
  brand: string | null;
  /** Primary image. */
  thumbnail_url: string | null;
  media: readonly MediaItem[];
  /** The name in lower case with hyphens, and a short id; it stays when the name changes. */
  product_slug: string | null;
  seo_title: string | null;
  seo_description: string | null;
  seo_keywords: readonly string[] | null;
  featured: boolean;
  featured_order: number;
  tags: readonly string[] | null;
  google_product_category: string | null;
  meta_product_category: string | null;
  attributes: Record<string, unknown> | null;
  shipping_info: ShippingInfo | null;
  created_at: string | null;
  updated_at: string | null;
  is_active: boolean | null;
  /** Mean of approved reviews with one decimal; null when there are none. */
  average_rating: number | null;
  review_count: number;
  /** From here to `last_restocked`: simple products only. */
  variant_id?: string | null;
  sku?: string | null;
  price?: number | null;
  sale_price?: number | null;
  /** The lowest of `price`, `sale_price` and an active price list's price for everybody. */
  selling_price?: number | null;
  /** What can be bought now. */
  stock?: number | null;
  variant_attributes?: Record<string, unknown> | null;
  variant_name?: string | null;
  is_default?: boolean | null;
  condition?: "new" | "refurbished" | "used";
  gtin?: string | null;
  mpn?: string | null;
  weight_grams?: number | null;
  dimensions_cm?: string | null;
  last_restocked?: string | null;
  /** Multi-variant products only, to `variant_count`. */
  total_stock?: number | null;
  /** Over selling_price. */
  price_range?: PriceRange | null;
  variant_count?: number | null;
  has_variants: boolean;
  display_currency: string;
  currency_symbol: string;
  /** Multi-variant products only. */
  variants?: readonly Variant[];
};

/** One line of a product's technical data. */
export type Specification = {
  group: string | null;
  name: string;
  /** A text, a number or a boolean. */
  value: string | number | boolean;
  unit: string | null;
};

/** One line of a product's technical data. */
export type SpecificationInput = {
  group?: string | null;
  name: string;
  /** A text, a number or a boolean. */
  value: string | number | boolean;
  unit?: string | null;
};

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
  /** Of any variant's selling_price, inclusive. */
  min_price?: number;
  max_price?: number;
  /** Comma-separated. */
  ids?: readonly string[];
  /** `newest` where left out. `collection` is the collection's own order and needs `collection_id`. */
  sort?: "newest" | "price_asc" | "price_desc" | "name" | "featured" | "rating" | "collection";
  limit?: number;
  cursor?: string;
};

export type ListProductsResponse = {
  products: readonly ListedProduct[];
  pagination: Pagination;
};

export type GetProductRequest = {
  id: string;
};

export type GetProductBySlugRequest = {
  slug: string;
};

export type GetSpecificationsRequest = {
  id: string;
};

export type GetSpecificationsResponse = {
  specifications: readonly Specification[];
};

/** A variant as it is written inside a product. */
export type NewVariant = {
  /** One sent back keeps it. */
  variant_id?: string;
  /** One variant of the store has it: a second one is a conflict. */
  sku?: string | null;
  /** Null: no price yet, so it cannot be bought. */
  price?: number | null;
  /** At or above `price` it is kept and has no effect. */
  sale_price?: number | null;
  /** What is on hand; 0 where left out at first. */
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

export type CreateProductRequest = {
  name: string;
  description?: string;
  /** A top category. */
  category_id?: string | null;
  /** A child of `category_id`; alone it brings its parent along. */
  subcategory_id?: string | null;
  brand?: string | null;
  /** Null: the first image of `media`. */
  thumbnail_url?: string | null;
  /** Replaced as a whole, in the order in which it stands. */
  media?: readonly MediaItemInput[];
  seo_title?: string | null;
  seo_description?: string | null;
  seo_keywords?: readonly string[] | null;
  featured?: boolean;
  /** Display order of featured products, lowest first. */
  featured_order?: number;
  tags?: readonly string[] | null;
  google_product_category?: string | null;
  meta_product_category?: string | null;
  /** Replaced as a whole; at most 300 keys of 100 characters, 64 kB of JSON. */
  attributes?: Record<string, unknown> | null;
  shipping_info?: ShippingInfoInput | null;
  /** False hides it from publishable keys, feeds and counts; true where left out at first. */
  is_active?: boolean;
  /** Replaced as a whole; read at `/specifications`. */
  specifications?: readonly SpecificationInput[];
  /** Makes the product a multi-variant one; then no variant field may stand at the root. */
  variants?: readonly NewVariant[] | null;
  /**
   * What follows belongs to a simple product's only variant.
   * One variant of the store has it: a second one is a conflict.
   */
  sku?: string | null;
  /** Null: no price yet, so it cannot be bought. */
  price?: number | null;
  /** At or above `price` it is kept and has no effect. */
  sale_price?: number | null;
  /** What is on hand; 0 where left out at first. */
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
};

export type UpdateProductRequest = {
  id: string;
  name?: string;
  description?: string;
  /** A top category. */
  category_id?: string | null;
  /** A child of `category_id`; alone it brings its parent along. */
  subcategory_id?: string | null;
  brand?: string | null;
  /** Null: the first image of `media`. */
  thumbnail_url?: string | null;
  /** Replaced as a whole, in the order in which it stands. */
  media?: readonly MediaItemInput[];
  seo_title?: string | null;
  seo_description?: string | null;
  seo_keywords?: readonly string[] | null;
  featured?: boolean;
  /** Display order of featured products, lowest first. */
  featured_order?: number;
  tags?: readonly string[] | null;
  google_product_category?: string | null;
  meta_product_category?: string | null;
  /** Replaced as a whole; at most 300 keys of 100 characters, 64 kB of JSON. */
  attributes?: Record<string, unknown> | null;
  shipping_info?: ShippingInfoInput | null;
  /** False hides it from publishable keys, feeds and counts; true where left out at first. */
  is_active?: boolean;
  /** Replaced as a whole; read at `/specifications`. */
  specifications?: readonly SpecificationInput[];
  /** The whole set, recognised by `variant_id`, else by `sku`; who is left out is deleted. */
  variants?: readonly NewVariant[] | null;
  /**
   * What follows belongs to a simple product's only variant.
   * One variant of the store has it: a second one is a conflict.
   */
  sku?: string | null;
  /** Null: no price yet, so it cannot be bought. */
  price?: number | null;
  /** At or above `price` it is kept and has no effect. */
  sale_price?: number | null;
  /** What is on hand; 0 where left out at first. */
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
};

export type CreateVariantRequest = {
  id: string;
  /** One variant of the store has it: a second one is a conflict. */
  sku?: string | null;
  /** Null: no price yet, so it cannot be bought. */
  price?: number | null;
  /** At or above `price` it is kept and has no effect. */
  sale_price?: number | null;
  /** What is on hand; 0 where left out at first. */
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
  /** At or above `price` it is kept and has no effect. */
  sale_price?: number | null;
  /** What is on hand; 0 where left out at first. */
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

export type DeleteProductRequest = {
  id: string;
};

export type DeleteVariantRequest = {
  id: string;
  variant_id: string;
};

export type ProductSubcategory = {
  id: string;
  name: string;
  slug: string;
  product_count: number;
};

/** A category at the top. */
export type ProductCategory = {
  id: string;
  name: string;
  slug: string;
  description: string | null;
  /** Active products in it, its subcategories' too. */
  product_count: number;
  subcategories: readonly ProductSubcategory[];
};

export type ListCategoriesRequest = Record<never, never>;

export type ListCategoriesResponse = {
  categories: readonly ProductCategory[];
};

export type CreateCategoryRequest = {
  name: string;
  description?: string | null;
  /** A top category; null makes this one a top category. */
  parent_id?: string | null;
};

export type UpdateCategoryRequest = {
  id: string;
  name?: string;
  description?: string | null;
};

export type DeleteCategoryRequest = {
  id: string;
};

/** A category as a write answers it, at the top or below it. */
export type WrittenCategory = {
  id: string;
  name: string;
  slug: string;
  description: string | null;
  /** Null at the top. */
  parent_id: string | null;
  product_count: number;
  subcategories: readonly ProductSubcategory[];
};

export type CategoryResponse = {
  category: WrittenCategory;
};

/** A collection of products. */
export type ProductCollection = {
  id: string;
  name: string;
  slug: string;
  description: string;
  collection_type: "featured_collections" | "new_arrivals" | "best_selling" | "custom";
  is_active: boolean;
  show_on_homepage: boolean;
  /** Lowest first. */
  display_priority: number;
  image: string | null;
  image_mobile: string | null;
  /** A short video (MP4, H.264, AAC audio). */
  video: string | null;
  created_at: string;
  updated_at: string;
};

export type ListCollectionsRequest = {
  show_on_homepage?: boolean;
  limit?: number;
  cursor?: string;
};

export type ListCollectionsResponse = {
  collections: readonly ProductCollection[];
  pagination: Pagination;
};

export type GetCollectionRequest = {
  /** The collection's id or slug. */
  id: string;
};

export type CollectionResponse = {
  collection: ProductCollection;
};

export type CreateCollectionRequest = {
  name: string;
  /** Made from the name where left out; one that is taken is a conflict. */
  slug?: string;
  description?: string;
  /** `custom` where left out. */
  collection_type?: "featured_collections" | "new_arrivals" | "best_selling" | "custom";
  /** True where left out. */
  is_active?: boolean;
  show_on_homepage?: boolean;
  /** Lowest first; 0 where left out. */
  display_priority?: number;
  image?: string | null;
  image_mobile?: string | null;
  video?: string | null;
};

export type UpdateCollectionRequest = {
  id: string;
  name?: string;
  slug?: string;
  description?: string;
  collection_type?: "featured_collections" | "new_arrivals" | "best_selling" | "custom";
  is_active?: boolean;
  show_on_homepage?: boolean;
  display_priority?: number;
  image?: string | null;
  image_mobile?: string | null;
  video?: string | null;
};

export type DeleteCollectionRequest = {
  id: string;
};

export type SetCollectionProductsRequest = {
  id: string;
  product_ids: readonly string[];
};

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
  /** It prices baskets in this currency alone. */
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
};

export type DeletePriceListRequest = {
  id: string;
};
