// Generated from stoa/v1/purchase_order.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import type { Address, AddressInput, Pagination } from './shared.ts';
import type { AgreedItem } from './wholesale_quote.ts';

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
  /** Tax as quoted; it does not depend on the address. */
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
  /** Only purchase orders of this customer. A buyer sees their own in any case. */
  customer_id?: string;
  limit?: number;
  cursor?: string;
  fields?: string;
};

export type ListPurchaseOrdersResponse = {
  data: readonly PurchaseOrder[];
  pagination: Pagination;
};

export type GetPurchaseOrderRequest = {
  id: string;
  fields?: string;
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
