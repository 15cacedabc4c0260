// Generated from stoa/v1/report.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import type { Pagination } from './shared.ts';

export type GetSalesRequest = {
  /**
   * A day, or a moment with its offset, which counts from the quarter-hour that holds it. Left out: 29 days before the
   * day of `to`.
   */
  from?: string;
  /** The last day, or the moment of the end, which counts to the end of its quarter-hour. Left out: today. */
  to?: string;
  /** Length of an interval. A report has at most 1,000 intervals, and 100 where `by` is not `none`. */
  interval?: "hour" | "day" | "week" | "month";
  /** Splits the figures into rows. */
  by?: "none" | "channel" | "product" | "category" | "country";
  /** Currency of the orders to report. Left out: the store's. */
  currency?: string;
  /** Rows of a page, where `by` is not `none`. Rows times intervals are at most 2,000. */
  limit?: number;
  cursor?: string;
  fields?: string;
};

export type SalesFigures = {
  /** Orders that were placed and not cancelled; in a row, those with the row's channel, country or products. */
  orders: number;
  /** Units in these orders. */
  units: number;
  /** Cost of the units before discounts. */
  gross: number;
  /** Discounts by promotions. */
  discounts: number;
  /** Money refunded in the interval, whenever its order was placed, less refunds that a provider failed to pay out. */
  refunds: number;
  /** Tax on units and delivery, within the prices of a store whose prices include it. */
  tax: number;
  /** Cost of delivery to the buyers. */
  shipping: number;
  /** Cost of the orders: gross less discounts, plus shipping, plus tax that prices do not include. */
  total: number;
  /** The total less refunds. Negative where more went back than was sold. */
  net: number;
  /** The total divided by the orders, rounded half up; null without orders. */
  average_order: number | null;
  /**
   * Customers who placed an order in the interval that was not their first, each counted once. An e-mail address is the
   * customer of an order without an account. In a row, the first such order in the interval decides. Null for products
   * and categories, since an order may have several.
   */
  returning_customers: number | null;
};

export type SalesInterval = {
  from: string;
  /** End of the interval, which it does not hold. */
  to: string;
  figures: SalesFigures;
};

/**
 * Figures of one channel, product, category or country. Products and categories share amounts of a whole order, such as
 * shipping, in proportion to the cost of its lines. Amounts and units of all rows add up to the total.
 */
export type SalesRow = {
  /**
   * `storefront`, `assistant`, `marketplace` or `wholesale`; the id of a product or category; a country's code. Null: the
   * orders without a country, or products that had no category when they were sold.
   */
  value: string | null;
  /** Name of the product or category; null for channels and countries. */
  name: string | null;
  total: SalesFigures;
  /** Oldest first, those without sales left out. */
  intervals: readonly SalesInterval[];
};

export type SalesReport = {
  /** Start of the report. */
  from: string;
  /** End of the report, which it does not hold. */
  to: string;
  interval: "hour" | "day" | "week" | "month";
  by: "none" | "channel" | "product" | "category" | "country";
  timezone: string;
  /** Currency of all amounts. */
  currency: string;
  /** Currencies of the orders in the months of the report. Each currency is reported alone. */
  currencies: readonly string[];
  /** The newest change of an order that is counted; null before the first one. */
  as_of: string | null;
  total: SalesFigures;
  /** Oldest first, those without sales included. */
  intervals: readonly SalesInterval[];
  /** The highest total first; empty where `by` is `none`. */
  rows: readonly SalesRow[];
};

export type GetSalesResponse = {
  sales: SalesReport;
  /** Pages of `rows`. */
  pagination: Pagination;
};

export type GetFunnelRequest = {
  /** Start, as in the report of sales. */
  from?: string;
  /** End, as in the report of sales. */
  to?: string;
  /** Length of an interval. A report has at most 1,000 intervals. */
  interval?: "hour" | "day" | "week" | "month";
  fields?: string;
};

/** Each session and order counts once in each step, when it first reached the step. */
export type FunnelFigures = {
  /** Sessions with a storefront event. */
  sessions: number;
  /** Sessions that viewed a product. */
  product_views: number;
  /** Sessions that put a product into the cart. */
  added_to_cart: number;
  /** Checkout intents that were created, and orders that were placed without one. */
  checkouts_started: number;
  /** Orders that were placed, cancelled ones included. */
  orders_placed: number;
  /** Orders that were paid in full, at the time of their last payment. */
  orders_paid: number;
};

export type FunnelInterval = {
  from: string;
  /** End of the interval, which it does not hold. */
  to: string;
  figures: FunnelFigures;
};

export type FunnelReport = {
  /** Start of the report. */
  from: string;
  /** End of the report, which it does not hold. */
  to: string;
  interval: "hour" | "day" | "week" | "month";
  timezone: string;
  /** The newest change of an order that is counted; null before the first one. */
  as_of: string | null;
  total: FunnelFigures;
  /** Oldest first, empty ones included. */
  intervals: readonly FunnelInterval[];
};

export type GetFunnelResponse = {
  funnel: FunnelReport;
};

/**
 * Figures of a store, a second or two behind its orders.
 * @internal
 */
export interface ReportRpcs {
  GetSales: { request: GetSalesRequest; response: GetSalesResponse };
  GetFunnel: { request: GetFunnelRequest; response: GetFunnelResponse };
}
