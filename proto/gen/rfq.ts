// Generated from stoa/v1/rfq.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import type { Pagination } from './shared.ts';

export type RfqItem = {
  variant_id: string;
  /** Pieces. */
  quantity: number;
  /** Unit price that the buyer hopes for. */
  target_unit_price: number | null;
};

export type RfqItemInput = {
  variant_id: string;
  /** Pieces. */
  quantity: number;
  /** Unit price that the buyer hopes for. */
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
  /** Up to 500 items. A variant named twice at one price is one item. */
  items: readonly RfqItemInput[];
  note?: string | null;
};

export type RfqResponse = {
  data: Rfq;
};

export type ListRfqsRequest = {
  status?: "submitted" | "quoted" | "closed" | "cancelled";
  /** Only requests of this customer. A buyer sees their own in any case. */
  customer_id?: string;
  limit?: number;
  cursor?: string;
  fields?: string;
};

export type ListRfqsResponse = {
  data: readonly Rfq[];
  pagination: Pagination;
};

export type GetRfqRequest = {
  id: string;
  fields?: string;
};

export type CancelRfqRequest = {
  id: string;
};
