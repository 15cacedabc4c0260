// Generated from stoa/v1/pricing.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import type { AppliedPromotion, Pagination, RejectedCode } from './shared.ts';

/** What a basket line asks for. */
export type PricedItem = {
  variant_id: string;
  /** Pieces. */
  quantity: number;
};

export type QueryPricesRequest = {
  items: readonly PricedItem[];
  /** The store's where left out. In another one price lists in that currency alone have prices. */
  currency?: string | null;
  /** Whose basket it is: needs that customer's session, or a secret key. */
  customer_id?: string | null;
  /** Whose price lists apply; counts with a secret key. */
  customer_group?: string | null;
  promotion_codes?: readonly string[];
};

export type PriceStep = {
  step: "base" | "sale" | "price_list";
  /** The unit price after it. */
  amount: number;
};

export type PriceLine = {
  variant_id: string;
  quantity: number;
  /** The base price; null where it has none in this currency. */
  price: number | null;
  sale_price: number | null;
  /** What one piece costs before promotions. */
  unit_price: number;
  subtotal: number;
  /** What promotions take off. */
  discount: number;
  total: number;
  /** The list whose price `unit_price` is. */
  price_list_id: string | null;
  /** How the unit price came about: each step that lowered it. */
  trace: readonly PriceStep[];
};

export type QueryPricesResponse = {
  currency: string;
  /** In the order of the request's items. */
  lines: readonly PriceLine[];
  subtotal: number;
  discount_total: number;
  total: number;
  applied_promotions: readonly AppliedPromotion[];
  rejected_codes: readonly RejectedCode[];
};

/** Where a basket is sent, as far as taxes want to know. */
export type TaxAddress = {
  /** ISO 3166-1 alpha-2, in any letter case. */
  country: string;
  /** ISO 3166-2's code or the English name: `TX`, `US-TX` and `Texas` are one. */
  state?: string | null;
  postal_code?: string | null;
};

export type PreviewTaxRequest = {
  items: readonly PricedItem[];
  /** Before free shipping; 0 where left out. */
  shipping_fee?: number | null;
  address: TaxAddress;
  promotion_codes?: readonly string[];
  /** Whose basket it is: needs that customer's session, or a secret key. */
  customer_id?: string | null;
  /** Whose price lists apply; counts with a secret key. */
  customer_group?: string | null;
};

/** What one rate comes to. */
export type TaxShare = {
  name: string;
  rate: number;
  amount: number;
};

export type TaxLine = {
  variant_id: string;
  taxable_amount: number;
  tax_amount: number;
  rates: readonly TaxShare[];
};

export type PreviewTaxResponse = {
  currency: string;
  /** Whether the store's prices include tax. */
  tax_inclusive: boolean;
  /** Of the lines, without tax. */
  taxable_amount: number;
  /** Of the lines. */
  tax_amount: number;
  /** Of the shipping fee. */
  shipping_tax: number;
  /** In the order of the request's items. */
  lines: readonly TaxLine[];
};

/** What takes part in a promotion: whatever stands in one of the three. */
export type PromotionTargets = {
  product_ids: readonly string[];
  /** Subcategories too. */
  category_ids: readonly string[];
  collection_ids: readonly string[];
};

/** What takes part in a promotion: whatever stands in one of the three. */
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

/** A promotion of a store. Amounts are in major units of `currency`. */
export type StorePromotion = {
  id: string;
  name: string;
  /** In upper case; null: it applies by itself. */
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
  /** Of the basket, before promotions. */
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
};

export type ListPromotionsRequest = {
  limit?: number;
  cursor?: string;
};

export type ListPromotionsResponse = {
  promotions: readonly StorePromotion[];
  pagination: Pagination;
};

export type GetPromotionRequest = {
  id: string;
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
  /** Of amounts; the store's where left out. */
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
  /** Where left out: scheduled if it starts in the future, else active. */
  status?: "draft" | "scheduled" | "active" | "paused" | "ended" | "expired";
  starts_at?: string | null;
  /** After `starts_at`; it ends just before. */
  ends_at?: string | null;
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
};

/** A tax rate of a store. */
export type StoreTaxRate = {
  id: string;
  name: string;
  /** ISO 3166-1 alpha-2, upper case. */
  country: string;
  /** Null: all of the country. */
  state: string | null;
  /** Null: every postcode. */
  postal_prefix: string | null;
  /** 0.16 is 16 %. */
  rate: number;
  /** Null: everything. */
  category_id: string | null;
  applies_to_shipping: boolean;
  /** Lower ones are taken first. */
  priority: number;
  /** Whether it is taken on top of the taxes before it. */
  compound: boolean;
  created_at: string;
  updated_at: string;
};

export type ListTaxRatesRequest = {
  limit?: number;
  cursor?: string;
};

export type ListTaxRatesResponse = {
  tax_rates: readonly StoreTaxRate[];
  pagination: Pagination;
};

export type TaxRateResponse = {
  tax_rate: StoreTaxRate;
};

export type CreateTaxRateRequest = {
  name: string;
  country: string;
  /** ISO 3166-2's code or the English name: `TX`, `US-TX` and `Texas` are one. */
  state?: string | null;
  postal_prefix?: string | null;
  /** At most six decimals. */
  rate: number;
  category_id?: string | null;
  /** False where left out. */
  applies_to_shipping?: boolean;
  /** 0 where left out. */
  priority?: number;
  /** False where left out. */
  compound?: boolean;
};

export type UpdateTaxRateRequest = {
  id: string;
  name?: string;
  country?: string;
  /** ISO 3166-2's code or the English name: `TX`, `US-TX` and `Texas` are one. */
  state?: string | null;
  postal_prefix?: string | null;
  rate?: number;
  category_id?: string | null;
  applies_to_shipping?: boolean;
  priority?: number;
  compound?: boolean;
};

export type DeleteTaxRateRequest = {
  id: string;
};
