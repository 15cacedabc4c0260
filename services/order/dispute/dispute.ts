// The record of a dispute, its transitions, and its API document. Pure.
import type { OrderDispute, UpdateDisputeRequest } from '#proto/gen/dispute.ts';
import { invalid, type Refusal, refuse } from '#runtime/call/call.ts';
import { impossibleTransition } from '#services/commerce/shared_refusal.ts';
import { currencyOf } from '#values/currency.ts';
import { toMajor } from '#values/money.ts';

export type DisputeStatus = OrderDispute['status'];

export interface DisputeRecord {
  readonly id: string;
  readonly order_id: string;
  readonly customer_id: string;
  readonly status: DisputeStatus;
  readonly reason_code: OrderDispute['reason_code'];
  readonly description: string;
  readonly evidence_urls: readonly string[];
  readonly resolution: 'refund' | 'replacement' | 'store_credit' | 'none' | null;
  /** In the currency's smallest unit. */
  readonly amount: number | null;
  readonly note: string | null;
  readonly created_at: Date;
  readonly resolved_at: Date | null;
  readonly currency: string;
}

const MOVES: Readonly<Record<DisputeStatus, readonly DisputeStatus[]>> = {
  open: ['under_review', 'cancelled'],
  under_review: ['resolved', 'rejected'],
  resolved: [],
  rejected: [],
  cancelled: [],
};

export const disputeObstacle = (from: DisputeStatus, to: DisputeStatus, param?: string): Refusal | null =>
  MOVES[from].includes(to) ? null : impossibleTransition('A dispute', from, to, param);

export type DisputeDecision = Pick<DisputeRecord, 'status' | 'resolution' | 'amount'>;

export const otherResolution = (given: DisputeDecision, requested: DisputeDecision): Refusal | null => {
  const other = (['resolution', 'amount'] as const).find((field) => given[field] !== requested[field]);
  return given.status !== 'resolved' || requested.status !== 'resolved' || other === undefined
    ? null
    : refuse('conflict', `The dispute is already resolved with another \`${other}\`.`, { param: other });
};

const pays = (resolution: UpdateDisputeRequest['resolution']): boolean =>
  resolution === 'refund' || resolution === 'store_credit';

/**
 * Refuses a `resolution` unless the status is `resolved`, and an `amount` unless the resolution pays. Requires each in
 * that case.
 */
export const misplaced = ({ status, resolution, amount }: UpdateDisputeRequest): Refusal | null => {
  if (status === 'resolved' && resolution == null)
    return invalid('resolution', '`resolution` is required with the status `resolved`.');
  if (status !== 'resolved' && resolution != null)
    return invalid('resolution', '`resolution` goes with the status `resolved`.');
  if (pays(resolution) && amount == null)
    return invalid('amount', `The resolution \`${resolution}\` requires an \`amount\`.`);
  if (!pays(resolution) && amount != null)
    return invalid('amount', '`amount` goes with the resolutions `refund` and `store_credit`.');
  return null;
};

export const disputeDocument = (given: DisputeRecord): OrderDispute => ({
  id: given.id,
  order_id: given.order_id,
  customer_id: given.customer_id,
  status: given.status,
  reason_code: given.reason_code,
  description: given.description,
  evidence_urls: given.evidence_urls,
  resolution: given.resolution,
  amount: given.amount === null ? null : toMajor(given.amount, currencyOf(given.currency)),
  note: given.note,
  created_at: given.created_at.toISOString(),
  resolved_at: given.resolved_at?.toISOString() ?? null,
});
