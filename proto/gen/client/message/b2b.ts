// Generated from stoa/v1/b2b.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import type { Address, AddressInput, Pagination } from './shared.ts';

export type RfqItem = {
  variant_id: string;
  /** Pieces. */
  quantity: number;
  /** What the buyer hopes to pay for a piece. */
  target_unit_price: number | null;
};

export type RfqItemInput = {
  variant_id: string;
  /** Pieces. */
  quantity: number;
  /** What the buyer hopes to pay for a piece. */
  target_unit_price?: number | null;
};

/** A request for a quote. */
export type Rfq = {
  id: string;
  /** Counts up from `RFQ-1001` in each store and environment. */
  rfq_number: string;
  /** `quoted` once the store has sent a quote, `closed` once one was accepted. */
  status: "submitted" | "quoted" | "closed" | "cancelled";
  customer_id: string;
  items: readonly RfqItem[];
  note: string | null;
  created_at: string;
};

export type CreateRfqRequest = {
  /** At most 500; a variant named twice at one price is one item. */
  items: readonly RfqItemInput[];
  note?: string | null;
};

export type RfqResponse = {
  data: Rfq;
};

export type ListRfqsRequest = {
  status?: "submitted" | "quoted" | "closed" | "cancelled";
  /** Those of this customer; a buyer sees their own in any case. */
  customer_id?: string;
  limit?: number;
  cursor?: string;
};

export type ListRfqsResponse = {
  data: readonly Rfq[];
  pagination: Pagination;
};

export type GetRfqRequest = {
  id: string;
};

export type CancelRfqRequest = {
  id: string;
};

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
  /** `expired` once `valid_until` is over. */
  status: "sent" | "accepted" | "rejected" | "expired";
  currency: string;
  items: readonly AgreedItem[];
  subtotal: number;
  /** Where the store's prices include tax, what of them is tax. */
  tax_amount: number;
  total: number;
  payment_terms: "due_on_receipt" | "net_7" | "net_15" | "net_30" | "net_60" | "net_90";
  valid_until: string;
  /** Where it is taxed; null: in the store's country. */
  shipping_address: Address | null;
  note: string | null;
  /** What the buyer said to it. */
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
  /** At most 500; a variant named twice at one price is one item, at two prices: 400. */
  items: readonly QuotedItemRequest[];
  /** When invoices of it are due, counted from their issue. */
  payment_terms?: "due_on_receipt" | "net_7" | "net_15" | "net_30" | "net_60" | "net_90" | null;
  /** In the future; 30 days from now where left out. */
  valid_until?: string | null;
  /** Where it is taxed; the store's country where left out. */
  shipping_address?: AddressInput | null;
  note?: string | null;
};

export type WholesaleQuoteResponse = {
  data: WholesaleQuote;
};

export type ListWholesaleQuotesRequest = {
  status?: "sent" | "accepted" | "rejected" | "expired";
  /** Those of this customer; a buyer sees their own in any case. */
  customer_id?: string;
  limit?: number;
  cursor?: string;
};

export type ListWholesaleQuotesResponse = {
  data: readonly WholesaleQuote[];
  pagination: Pagination;
};

export type GetWholesaleQuoteRequest = {
  id: string;
};

export type AnswerWholesaleQuoteRequest = {
  id: string;
  reason?: string | null;
};

/** A purchase order. */
export type PurchaseOrder = {
  id: string;
  quote_id: string;
  /** The buyer's own. */
  po_number: string;
  /** `cancelled` when its order is, too. */
  status: "issued" | "confirmed" | "fulfilled" | "cancelled";
  currency: string;
  subtotal: number;
  /** As it was quoted, to any address. */
  tax_amount: number;
  total: number;
  payment_terms: "due_on_receipt" | "net_7" | "net_15" | "net_30" | "net_60" | "net_90";
  created_at: string;
  customer_id: string;
  items: readonly AgreedItem[];
  shipping_address: Address;
  billing_address: Address | null;
  /** Once it is confirmed. */
  order_id: string | null;
  /** In the order of their issue, void ones among them. */
  invoice_ids: readonly string[];
};

export type CreatePurchaseOrderRequest = {
  /** Accepted, and not ordered before: 409. */
  quote_id: string;
  /** One that the buyer has used before: 409. */
  po_number: string;
  shipping_address: AddressInput;
  /** That of the goods where left out. */
  billing_address?: AddressInput | null;
};

export type PurchaseOrderResponse = {
  data: PurchaseOrder;
};

export type ListPurchaseOrdersRequest = {
  status?: "issued" | "confirmed" | "fulfilled" | "cancelled";
  /** Those of this customer; a buyer sees their own in any case. */
  customer_id?: string;
  limit?: number;
  cursor?: string;
};

export type ListPurchaseOrdersResponse = {
  data: readonly PurchaseOrder[];
  pagination: Pagination;
};

export type GetPurchaseOrderRequest = {
  id: string;
};

export type ConfirmPurchaseOrderRequest = {
  id: string;
};

export type FulfillPurchaseOrderRequest = {
  id: string;
  carrier?: string | null;
  tracking_number?: string | null;
  tracking_url?: string | null;
};

export type CancelPurchaseOrderRequest = {
  id: string;
};

/** Pieces of a purchase order's item. */
export type InvoicedItem = {
  id: string;
  /** The purchase order's. */
  item_id: string;
  variant_id: string;
  quantity: number;
  unit_price: number;
  /** Pieces times price. */
  total: number;
};

/** An invoice. */
export type Invoice = {
  id: string;
  /** Counts up from `INV-1001` in each store and environment, without a gap. */
  invoice_number: string;
  purchase_order_id: string;
  customer_id: string;
  /** `overdue` once `due_at` is over; of one due on receipt a day later. */
  status: "issued" | "paid" | "overdue" | "void";
  currency: string;
  subtotal: number;
  tax_amount: number;
  total: number;
  /** 0 once it is paid or void. */
  amount_due: number;
  issued_at: string;
  due_at: string;
  paid_at: string | null;
  /** How it was paid, as the store noted it. */
  reference: string | null;
  items: readonly InvoicedItem[];
};

export type InvoicedItemRequest = {
  item_id: string;
  quantity: number;
};

export type CreateInvoiceRequest = {
  purchase_order_id: string;
  /** Left out: all that is on no invoice yet. */
  items?: readonly InvoicedItemRequest[] | null;
};

export type InvoiceResponse = {
  data: Invoice;
};

export type ListInvoicesRequest = {
  status?: "issued" | "paid" | "overdue" | "void";
  /** Those of this customer; a buyer sees their own in any case. */
  customer_id?: string;
  limit?: number;
  cursor?: string;
};

export type ListInvoicesResponse = {
  data: readonly Invoice[];
  pagination: Pagination;
};

export type GetInvoiceRequest = {
  id: string;
};

export type PrintInvoiceRequest = {
  id: string;
};

export type PrintInvoiceResponse = Record<never, never>;

export type PayInvoiceRequest = {
  id: string;
  /** The amount due. */
  amount: number;
  /** How it was paid, for the books: a transfer's number, for example. */
  reference?: string | null;
};

export type VoidInvoiceRequest = {
  id: string;
};
