// Records the consequences of a review's change: rating count, revision and event in the same transaction, and a notice
// to caches after commit.
import type { Tenant } from '#runtime/call/call.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import { RATING_JOB } from './rating_publisher.ts';
import { type ReviewRecord, reviewDocument } from './review.ts';
import { countRating } from './table/rating.ts';
import { raiseRevision } from './table/state.ts';

type RatedReview = Pick<ReviewRecord, 'product_id' | 'rating' | 'status'>;

/** Records a change from `before` (null for a new review) to `after` (null for a deleted one). */
export type RecordReviewChange = (
  tx: Transaction,
  tenant: Tenant,
  before: RatedReview | null,
  after: ReviewRecord | null,
) => Promise<void>;

const approvedCount = (review: RatedReview | null): 0 | 1 => (review?.status === 'approved' ? 1 : 0);

export const openReviewChanges =
  ({ notices, jobs }: Pick<Runtime, 'notices' | 'jobs'>): RecordReviewChange =>
  async (tx, tenant, before, after) => {
    const { product_id, rating } = (after ?? before)!;
    const by = (approvedCount(after) - approvedCount(before)) as 1 | 0 | -1;
    if (by !== 0) await countRating(tx.sql, tenant, product_id, rating, by);
    // Always includes the customer's id, because only the store receives events.
    if (by === 1)
      await tx.emit(tenant, [{ type: 'review.approved', object: reviewDocument(after!, { keyType: 'secret' }) }]);
    const revision = await raiseRevision(tx.sql, tenant, by);
    tx.afterCommit(() => {
      notices.publish({ kind: 'review', tenant, revision, ids: [product_id] });
      if (by !== 0) jobs.wake(RATING_JOB);
    });
  };
