// Generated from stoa/v1/order_return.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import type { Pagination } from './shared.ts';

export type ReturnReason = {
  code: "damaged" | "defective" | "wrong_item" | "not_as_described" | "wrong_size" | "no_longer_needed" | "arrived_late" | "other";
  /** For people. */
  label: string;
  /** Whether `reason_detail` is needed with it. */
  detail_required: boolean;
};

export type ListReturnReasonsRequest = {
  fields?: string;
};

export type ListReturnReasonsResponse = {
  data: readonly ReturnReason[];
};

export type ReturnedItem = {
  order_item_id: string;
  quantity: number;
};

export type ReturnedItemInput = {
  order_item_id: string;
  quantity: number;
};

/** Store credit instead of the money. */
export type CreditOffer = {
  status: "pending" | "accepted" | "withdrawn";
  amount: number;
};

export type OrderReturn = {
  id: string;
  order_id: string;
  customer_id: string;
  status: "requested" | "approved" | "rejected" | "received" | "refunded" | "credited" | "cancelled";
  reason_code: "damaged" | "defective" | "wrong_item" | "not_as_described" | "wrong_size" | "no_longer_needed" | "arrived_late" | "other";
  reason_detail: string | null;
  contact_phone: string | null;
  /** The resolution that the shopper wants. */
  resolution: "full_refund" | "partial_refund" | "exchange" | "store_credit";
  items: readonly ReturnedItem[];
  /** Null until it is refunded. */
  refund_amount: number | null;
  currency: string;
  /** Null where none was ever made. */
  credit_offer: CreditOffer | null;
  /** The order that was sent instead. */
  exchange_order_id: string | null;
  /** The store's, for the shopper. */
  note: string | null;
  created_at: string;
  updated_at: string;
};

export type ReturnResponse = {
  data: OrderReturn;
};

export type CreateReturnRequest = {
  /** Id of the order. */
  id: string;
  reason_code: "damaged" | "defective" | "wrong_item" | "not_as_described" | "wrong_size" | "no_longer_needed" | "arrived_late" | "other";
  /** Needed where the reason is `other`. */
  reason_detail?: string | null;
  resolution?: "full_refund" | "partial_refund" | "exchange" | "store_credit";
  /** Left out: every item in full. */
  items?: readonly ReturnedItemInput[];
  contact_phone?: string | null;
};

export type ListReturnsRequest = {
  status?: "requested" | "approved" | "rejected" | "received" | "refunded" | "credited" | "cancelled";
  order_id?: string;
  /** With a secret key alone. */
  customer_id?: string;
  limit?: number;
  cursor?: string;
  fields?: string;
};

export type ListReturnsResponse = {
  data: readonly OrderReturn[];
  pagination: Pagination;
};

export type GetReturnRequest = {
  id: string;
  fields?: string;
};

export type WantedCreditOffer = {
  amount: number;
};

export type UpdateReturnRequest = {
  id: string;
  /**
   * `approved`, `rejected`, `received` or `refunded`. The one that the return has already changes nothing; the others are not the
   * store's to set: 409.
   */
  status?: "requested" | "approved" | "rejected" | "received" | "refunded" | "credited" | "cancelled";
  /**
   * With `refunded`. Left out: what the items cost the shopper. 0 only with an `exchange_order_id`, or where nothing is left
   * to refund.
   */
  refund_amount?: number | null;
  /** With `received`: whether the pieces can be sold again. */
  restock?: boolean | null;
  /** The order that is sent instead. */
  exchange_order_id?: string | null;
  /** Offers store credit instead of the money, in place of an offer before; null withdraws it. */
  credit_offer?: WantedCreditOffer | null;
  note?: string | null;
};

export type CancelReturnRequest = {
  id: string;
};

export type AcceptCreditRequest = {
  id: string;
};

export type GrantedCredit = {
  store_credit_id: string;
  amount: number;
};

export type AcceptCreditResponse = {
  data: GrantedCredit;
};

/**
 * Returns of orders.
 * @internal
 */
export interface ReturnRpcs {
  ListReturnReasons: { request: ListReturnReasonsRequest; response: ListReturnReasonsResponse };
  CreateReturn: { request: CreateReturnRequest; response: ReturnResponse };
  ListReturns: { request: ListReturnsRequest; response: ListReturnsResponse };
  GetReturn: { request: GetReturnRequest; response: ReturnResponse };
  UpdateReturn: { request: UpdateReturnRequest; response: ReturnResponse };
  CancelReturn: { request: CancelReturnRequest; response: ReturnResponse };
  AcceptCredit: { request: AcceptCreditRequest; response: AcceptCreditResponse };
}
