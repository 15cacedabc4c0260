// Generated from stoa/v1/dispute.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import type { Pagination } from './shared.ts';

export type OrderDispute = {
  id: string;
  order_id: string;
  customer_id: string;
  status: "open" | "under_review" | "resolved" | "rejected" | "cancelled";
  reason_code: "item_not_received" | "not_as_described" | "damaged" | "wrong_item" | "refund_not_received" | "other";
  description: string;
  evidence_urls: readonly string[];
  resolution: "refund" | "replacement" | "store_credit" | "none" | null;
  /** Amount that the resolution paid; null when it paid nothing. */
  amount: number | null;
  /** The store's, for the shopper. */
  note: string | null;
  created_at: string;
  /** Null until it is resolved or rejected. */
  resolved_at: string | null;
};

export type DisputeResponse = {
  data: OrderDispute;
};

export type CreateDisputeRequest = {
  order_id: string;
  reason_code: "item_not_received" | "not_as_described" | "damaged" | "wrong_item" | "refund_not_received" | "other";
  description: string;
  evidence_urls?: readonly string[];
};

export type ListDisputesRequest = {
  status?: "open" | "under_review" | "resolved" | "rejected" | "cancelled";
  order_id?: string;
  /** With a secret key alone. */
  customer_id?: string;
  limit?: number;
  cursor?: string;
  fields?: string;
};

export type ListDisputesResponse = {
  data: readonly OrderDispute[];
  pagination: Pagination;
};

export type GetDisputeRequest = {
  id: string;
  fields?: string;
};

export type UpdateDisputeRequest = {
  id: string;
  status?: "under_review" | "resolved" | "rejected";
  /** Needed with `resolved`, and with it alone. */
  resolution?: "refund" | "replacement" | "store_credit" | "none" | null;
  /** Needed with `refund` and `store_credit`, and with them alone. */
  amount?: number | null;
  note?: string | null;
};

export type CancelDisputeRequest = {
  id: string;
};

/**
 * Disputes about orders.
 * @internal
 */
export interface DisputeRpcs {
  CreateDispute: { request: CreateDisputeRequest; response: DisputeResponse };
  ListDisputes: { request: ListDisputesRequest; response: ListDisputesResponse };
  GetDispute: { request: GetDisputeRequest; response: DisputeResponse };
  UpdateDispute: { request: UpdateDisputeRequest; response: DisputeResponse };
  CancelDispute: { request: CancelDisputeRequest; response: DisputeResponse };
}
