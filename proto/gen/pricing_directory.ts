// Generated from stoa/v1/pricing_directory.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import type { TaxAddress, TaxShare } from './pricing.ts';
import type { AppliedPromotion } from './shared.ts';

/**
 * A line of a basket, with its promised price if it has one.
 * @internal
 */
export type BasketItem = {
  variant_id: string;
  /** Pieces. */
  quantity: number;
  /** Price of one unit before promotions; the present price when left out. */
  unit_price?: number;
};

/** @internal */
export type PriceBasketRequest = {
  items: readonly BasketItem[];
  /** The store's where null. */
  currency?: string | null;
  /** Customer whose group and promotion uses count. */
  customer_id?: string | null;
  /** Instead of the customer's own. */
  customer_group?: string | null;
  promotion_codes?: readonly string[];
  /** Null: not known yet. */
  shipping_fee?: number | null;
  /** Null: no taxes are asked for. */
  address?: TaxAddress | null;
  /** Leaves a line without a price out of the answer instead of refusing the whole basket. */
  leave_out_unpriced?: boolean;
  /** The shopper's address, whose uses count where no customer is named. */
  email?: string | null;
  /** Language of the promotions' titles; the store's default one when left out. */
  language?: string;
};

/** @internal */
export type BasketLine = {
  variant_id: string;
  quantity: number;
  unit_price: number;
  subtotal: number;
  discount: number;
  tax_amount: number;
  /** With tax, whether prices include it or not. */
  total: number;
  price_list_id: string | null;
};

/**
 * A promotion code that does not apply, and why.
 * @internal
 */
export type BasketCode = {
  code: string;
  /** For people. */
  reason: string;
  cause: "unknown" | "inactive" | "expired" | "used_up" | "used_by_customer" | "minimum_not_met" | "not_applicable" | "not_combinable";
};

/**
 * An exchange rate as it was when something was priced.
 * @internal
 */
export type PinnedRate = {
  base_currency: string;
  /** Exact decimal: major units of the basket's currency for one of `base_currency`. */
  rate: string;
};

/**
 * An exchange rate as it was when something was priced.
 * @internal
 */
export type PinnedRateInput = {
  base_currency: string;
  /** Exact decimal: major units of the basket's currency for one of `base_currency`. */
  rate: string;
};

/** @internal */
export type PriceBasketResponse = {
  currency: string;
  tax_inclusive: boolean;
  lines: readonly BasketLine[];
  subtotal: number;
  discount_total: number;
  /** Fee after discounts; 0 when none is known. */
  shipping_total: number;
  shipping_tax: number;
  /** Tax of the lines and of shipping. */
  tax_total: number;
  /** All of it; where prices include tax, tax does not add to it. */
  total: number;
  applied_promotions: readonly AppliedPromotion[];
  rejected_codes: readonly BasketCode[];
  /** Codes of promotions that have ended. */
  expired_codes: readonly string[];
  /** Codes, as entered, of promotions that no basket can use now: ended, disabled, or used up. */
  unusable_codes: readonly string[];
  /** The rate between the store's currency and the basket's; absent if they are the same. */
  exchange?: PinnedRate;
};

/** @internal */
export type PriceLaddersRequest = {
  variant_ids: readonly string[];
  /** Customer whose group counts. */
  customer_id?: string | null;
  /** The store's where null. */
  currency?: string | null;
};

/** @internal */
export type PriceRung = {
  from_quantity: number;
  unit_price: number;
};

/** @internal */
export type PriceLadder = {
  variant_id: string;
  /** Rungs by quantity, the smallest first. */
  rungs: readonly PriceRung[];
};

/** @internal */
export type PriceLaddersResponse = {
  ladders: readonly PriceLadder[];
  currency: string;
};

/** @internal */
export type FrozenLine = {
  variant_id?: string;
  /** After promotions. */
  total?: number;
};

/** @internal */
export type TaxLinesRequest = {
  lines?: readonly FrozenLine[];
  /** Fee after discounts. */
  shipping_fee?: number;
  /** Null: no taxes are known yet. */
  address?: TaxAddress | null;
  /** Currency of the lines and the fee; the store's where null. */
  currency?: string | null;
};

/** @internal */
export type TaxedLine = {
  variant_id: string;
  tax_amount: number;
  /** With tax, whether prices include it or not. */
  total: number;
  /** Shares of the tax by rate. */
  rates: readonly TaxShare[];
};

/** @internal */
export type TaxLinesResponse = {
  tax_inclusive: boolean;
  /** In the order of the request's lines. */
  lines: readonly TaxedLine[];
  shipping_tax: number;
  tax_total: number;
  /** Lines, shipping and what tax adds. */
  total: number;
};

/**
 * Prices, as other domains read them.
 * @internal
 */
export interface PricingDirectoryRpcs {
  PriceBasket: { request: PriceBasketRequest; response: PriceBasketResponse };
  TaxLines: { request: TaxLinesRequest; response: TaxLinesResponse };
  PriceLadders: { request: PriceLaddersRequest; response: PriceLaddersResponse };
}
