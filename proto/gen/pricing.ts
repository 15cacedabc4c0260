// Generated from stoa/v1/pricing.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import type { AppliedPromotion, RejectedCode } from './shared.ts';

/** A line of the basket to price. */
export type PricedItem = {
  variant_id: string;
  /** Pieces. */
  quantity: number;
};

export type QueryPricesRequest = {
  items: readonly PricedItem[];
  /** The store's where left out. In another one price lists in that currency alone have prices. */
  currency?: string | null;
  /** The basket's customer. Needs that customer's session, or a secret key. */
  customer_id?: string | null;
  /** Customer group whose price lists apply. Counts with a secret key only. */
  customer_group?: string | null;
  promotion_codes?: readonly string[];
  /** Language of the texts, such as `de`; the store's nearest to it, else its default one. */
  language?: string;
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
  /** Price of one unit before promotions. */
  unit_price: number;
  subtotal: number;
  /** Discount by promotions. */
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

/** The parts of the delivery address that taxes depend on. */
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
  /** The basket's customer. Needs that customer's session, or a secret key. */
  customer_id?: string | null;
  /** Customer group whose price lists apply. Counts with a secret key only. */
  customer_group?: string | null;
};

/** Tax of one rate. */
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
  /** Sum of the lines without tax. */
  taxable_amount: number;
  /** Tax of the lines. */
  tax_amount: number;
  /** Tax of the shipping fee. */
  shipping_tax: number;
  /** In the order of the request's items. */
  lines: readonly TaxLine[];
};

/**
 * Prices of baskets. One engine prices carts, checkout intents and orders: the same basket has the same total
 * everywhere.
 * @internal
 */
export interface PricingRpcs {
  QueryPrices: { request: QueryPricesRequest; response: QueryPricesResponse };
  PreviewTax: { request: PreviewTaxRequest; response: PreviewTaxResponse };
}
