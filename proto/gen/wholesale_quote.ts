// Generated from stoa/v1/wholesale_quote.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import type { Address, AddressInput, Pagination } from './shared.ts';

/** A line at its agreed price. */
export type AgreedItem = {
  id: string;
  variant_id: string;
  quantity: number;
  unit_price: number;
  /** Pieces times price. */
  total: number;
};

/** A quote: what the store offers to one buyer, at prices that stand until it expires. */
export type WholesaleQuote = {
  id: string;
  /** Counts up from `Q-1001` in each store and environment. */
  quote_number: string;
  /** The request that it answers; null where none was made. */
  rfq_id: string | null;
  customer_id: string;
  /** `expired` once `valid_until` has passed. */
  status: "sent" | "accepted" | "rejected" | "expired";
  currency: string;
  items: readonly AgreedItem[];
  subtotal: number;
  /** Tax part of the prices, if the store's prices include tax. */
  tax_amount: number;
  total: number;
  payment_terms: "due_on_receipt" | "net_7" | "net_15" | "net_30" | "net_60" | "net_90";
  valid_until: string;
  /** Address by which tax is computed; null for the store's country. */
  shipping_address: Address | null;
  note: string | null;
  /** The buyer's reason. */
  reason: string | null;
  created_at: string;
};

export type QuotedItemRequest = {
  variant_id: string;
  quantity: number;
  /** May be 0. */
  unit_price: number;
};

export type CreateWholesaleQuoteRequest = {
  /** The request that it answers. One that is closed or cancelled: 409. */
  rfq_id?: string | null;
  /** The buyer; beside `rfq_id` the same one. */
  customer_id?: string | null;
  /** Up to 500 items. A variant named twice at one price is one item, at two prices it is 400. */
  items: readonly QuotedItemRequest[];
  /** When invoices of it are due, counted from their issue. */
  payment_terms?: "due_on_receipt" | "net_7" | "net_15" | "net_30" | "net_60" | "net_90" | null;
  /** In the future; 30 days from now where left out. */
  valid_until?: string | null;
  /** Address by which tax is computed; the store's country when left out. */
  shipping_address?: AddressInput | null;
  note?: string | null;
};

export type WholesaleQuoteResponse = {
  data: WholesaleQuote;
};

export type ListWholesaleQuotesRequest = {
  status?: "sent" | "accepted" | "rejected" | "expired";
  /** Only quotes of this customer. A buyer sees their own in any case. */
  customer_id?: string;
  limit?: number;
  cursor?: string;
  fields?: string;
};

export type ListWholesaleQuotesResponse = {
  data: readonly WholesaleQuote[];
  pagination: Pagination;
};

export type GetWholesaleQuoteRequest = {
  id: string;
  fields?: string;
};

export type AnswerWholesaleQuoteRequest = {
  id: string;
  reason?: string | null;
};
