// Generated from stoa/v1/invoice.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import type { Pagination } from './shared.ts';

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
  /** `overdue` once `due_at` has passed; an invoice due on receipt is overdue a day later. */
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
  /** Only invoices of this customer. A buyer sees their own in any case. */
  customer_id?: string;
  limit?: number;
  cursor?: string;
  fields?: string;
};

export type ListInvoicesResponse = {
  data: readonly Invoice[];
  pagination: Pagination;
};

export type GetInvoiceRequest = {
  id: string;
  fields?: string;
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
