// Generated from stoa/v1/promotion.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import type { Deleted, Pagination } from './shared.ts';

/** Targets of a promotion: an item of any of the three lists takes part. */
export type PromotionTargets = {
  product_ids: readonly string[];
  /** Subcategories too. */
  category_ids: readonly string[];
  collection_ids: readonly string[];
};

/** Targets of a promotion: an item of any of the three lists takes part. */
export type PromotionTargetsInput = {
  product_ids?: readonly string[];
  /** Subcategories too. */
  category_ids?: readonly string[];
  collection_ids?: readonly string[];
};

export type PromotionBuy = {
  quantity: number;
};

export type PromotionBuyInput = {
  quantity: number;
};

export type PromotionGet = {
  quantity: number;
  /** 100 (free) where left out. */
  discount_percent: number;
};

export type PromotionGetInput = {
  quantity: number;
  /** 100 (free) where left out. */
  discount_percent?: number;
};

/** Name of a promotion in another language. */
export type PromotionTranslation = {
  name?: string | null;
};

/** Name of a promotion in another language. */
export type PromotionTranslationInput = {
  name?: string | null;
};

/** A promotion of a store. Amounts are in major units of `currency`. */
export type StorePromotion = {
  id: string;
  name: string;
  /** Code in upper case; null when the promotion applies without a code. */
  code: string | null;
  type: "percentage" | "fixed_amount" | "free_shipping" | "buy_x_get_y";
  /** Percent (10 is 10 %) or an amount; null for the other types. */
  value: number | null;
  currency: string;
  /** All three empty: everything takes part. */
  applies_to: PromotionTargets;
  /** How many pieces must be bought at full price; buy_x_get_y alone. */
  buy: PromotionBuy | null;
  /** How many more pieces, the cheapest, are then discounted; buy_x_get_y alone. */
  get: PromotionGet | null;
  /** Least subtotal of the basket, before promotions. */
  minimum_subtotal: number | null;
  /** Orders that may use it, all together. */
  usage_limit: number | null;
  usage_limit_per_customer: number | null;
  times_used: number;
  /** Whether it goes together with other stackable ones. */
  stackable: boolean;
  /** Whether publishable keys can see it. */
  public: boolean;
  status: "draft" | "scheduled" | "active" | "paused" | "ended" | "expired";
  starts_at: string | null;
  ends_at: string | null;
  created_at: string;
  updated_at: string;
  /** Shown to a secret key that names no `language`, where there are any. */
  translations?: Record<string, PromotionTranslation>;
};

export type ListPromotionsRequest = {
  limit?: number;
  cursor?: string;
  /** Comma-separated names of a promotion's fields to return. */
  fields?: string;
  /** A part of the name, or the beginning of the code. Letter case is ignored. */
  search?: string;
  /** Status at this moment. */
  status?: "draft" | "scheduled" | "active" | "paused" | "ended" | "expired";
  /** Language of the texts, such as `de`; the store's nearest to it, else its default one. */
  language?: string;
};

export type ListPromotionsResponse = {
  promotions: readonly StorePromotion[];
  pagination: Pagination;
};

export type GetPromotionRequest = {
  id: string;
  /** Comma-separated names of the promotion's fields to return. */
  fields?: string;
  /** Language of the texts, such as `de`; the store's nearest to it, else its default one. */
  language?: string;
};

export type PromotionResponse = {
  promotion: StorePromotion;
};

export type CreatePromotionRequest = {
  name: string;
  /** Letter case does not count; one code is one promotion until that has ended. */
  code?: string | null;
  type: "percentage" | "fixed_amount" | "free_shipping" | "buy_x_get_y";
  /** Required for percentage and fixed_amount. */
  value?: number | null;
  /** Currency of amounts; the store's when left out. */
  currency?: string | null;
  applies_to?: PromotionTargetsInput | null;
  buy?: PromotionBuyInput | null;
  get?: PromotionGetInput | null;
  minimum_subtotal?: number | null;
  usage_limit?: number | null;
  usage_limit_per_customer?: number | null;
  /** False where left out. */
  stackable?: boolean;
  /** True where left out. */
  public?: boolean;
  /** When left out: `scheduled` if it starts in the future, else `active`. */
  status?: "draft" | "scheduled" | "active" | "paused" | "ended" | "expired";
  starts_at?: string | null;
  /** After `starts_at`; it ends just before. */
  ends_at?: string | null;
  /**
   * Translations by the tag of a language among the store's `languages`. A change merges them by language and by field; null
   * removes a language or a field. The bound is 256 kB of JSON.
   */
  translations?: Record<string, PromotionTranslationInput | null> | null;
};

export type UpdatePromotionRequest = {
  id: string;
  name?: string;
  code?: string | null;
  type?: "percentage" | "fixed_amount" | "free_shipping" | "buy_x_get_y";
  value?: number | null;
  currency?: string;
  /** Replaced as a whole; null: everything takes part. */
  applies_to?: PromotionTargetsInput | null;
  buy?: PromotionBuyInput | null;
  get?: PromotionGetInput | null;
  minimum_subtotal?: number | null;
  usage_limit?: number | null;
  usage_limit_per_customer?: number | null;
  stackable?: boolean;
  public?: boolean;
  status?: "draft" | "scheduled" | "active" | "paused" | "ended" | "expired";
  starts_at?: string | null;
  ends_at?: string | null;
  /** The `updated_at` that the change is based on. If the promotion has changed since then, the answer is 409 `conflict`. */
  version?: string;
  /**
   * Translations by the tag of a language among the store's `languages`. A change merges them by language and by field; null
   * removes a language or a field. The bound is 256 kB of JSON.
   */
  translations?: Record<string, PromotionTranslationInput | null> | null;
};

export type DeletePromotionRequest = {
  id: string;
};

/**
 * Promotions: discounts on a basket, their time and their customers.
 * @internal
 */
export interface PromotionRpcs {
  ListPromotions: { request: ListPromotionsRequest; response: ListPromotionsResponse };
  GetPromotion: { request: GetPromotionRequest; response: PromotionResponse };
  CreatePromotion: { request: CreatePromotionRequest; response: PromotionResponse };
  UpdatePromotion: { request: UpdatePromotionRequest; response: PromotionResponse };
  DeletePromotion: { request: DeletePromotionRequest; response: Deleted };
}
