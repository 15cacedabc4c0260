// The record of a return and its transitions. Pure.
import type { ReturnReason } from '#proto/gen/order_return.ts';
import type { Refusal } from '#runtime/call/call.ts';
import { impossibleTransition } from '#services/commerce/shared_refusal.ts';

export type ReturnStatus = 'requested' | 'approved' | 'rejected' | 'received' | 'refunded' | 'credited' | 'cancelled';
export type OfferStatus = 'pending' | 'accepted' | 'withdrawn';

export interface ReturnedItem {
  readonly order_item_id: string;
  readonly quantity: number;
}

/** Amounts are in the currency's smallest unit. */
export interface ReturnRecord {
  readonly id: string;
  readonly order_id: string;
  readonly customer_id: string;
  readonly status: ReturnStatus;
  readonly reason_code: ReasonCode;
  readonly reason_detail: string | null;
  readonly contact_phone: string | null;
  readonly resolution: 'full_refund' | 'partial_refund' | 'exchange' | 'store_credit';
  readonly items: readonly ReturnedItem[];
  readonly received: boolean;
  /** Price that the shopper paid for the returned units; null until the return is received. */
  readonly worth: number | null;
  readonly refund_amount: number | null;
  readonly offer_status: OfferStatus | null;
  readonly offer_amount: number | null;
  readonly exchange_order_id: string | null;
  readonly note: string | null;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly currency: string;
}

export type ReasonCode = ReturnReason['code'];

export const REASONS: readonly ReturnReason[] = [
  { code: 'damaged', label: 'Arrived damaged', detail_required: false },
  { code: 'defective', label: 'Does not work', detail_required: false },
  { code: 'wrong_item', label: 'Wrong item sent', detail_required: false },
  { code: 'not_as_described', label: 'Not as described', detail_required: false },
  { code: 'wrong_size', label: 'Wrong size', detail_required: false },
  { code: 'no_longer_needed', label: 'No longer needed', detail_required: false },
  { code: 'arrived_late', label: 'Arrived too late', detail_required: false },
  { code: 'other', label: 'Another reason', detail_required: true },
];

export const needsDetail = (code: ReasonCode): boolean =>
  REASONS.some((reason) => reason.code === code && reason.detail_required);

const MOVES: Readonly<Record<ReturnStatus, readonly ReturnStatus[]>> = {
  requested: ['approved', 'rejected', 'cancelled'],
  approved: ['received'],
  received: ['refunded'],
  rejected: [],
  refunded: [],
  credited: [],
  cancelled: [],
};

export const isFinal = (status: ReturnStatus): boolean => MOVES[status].length === 0;

export const returnObstacle = (from: ReturnStatus, to: ReturnStatus, param?: string): Refusal | null =>
  MOVES[from].includes(to) ? null : impossibleTransition('A return', from, to, param);

export const withOfferWithdrawn = (given: ReturnRecord): ReturnRecord =>
  given.offer_status === 'pending' ? { ...given, offer_status: 'withdrawn' } : given;
