// What follows a change of a review, within its transaction and after it: the rating, the revision, who is told.
import type { Tenant } from '#runtime/call/call.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import { type ReviewRecord, shown } from './review.ts';
import { countRating } from './table/rating.ts';
import { raiseRevision } from './table/standing.ts';
import type { ReviewTeller } from './teller.ts';

type Change = Pick<ReviewRecord, 'product_id' | 'rating' | 'status'>;

/** Null: it was not there before, or is not there any more. */
export type Follow = (
  tx: Transaction,
  tenant: Tenant,
  before: Change | null,
  after: ReviewRecord | null,
) => Promise<void>;

const counts = (review: Change | null): 0 | 1 => (review?.status === 'approved' ? 1 : 0);

export const openFollow =
  ({ notices }: Pick<Runtime, 'notices'>, teller: ReviewTeller): Follow =>
  async (tx, tenant, before, after) => {
    const { product_id, rating } = (after ?? before)!;
    const by = (counts(after) - counts(before)) as 1 | 0 | -1;
    if (by !== 0) await countRating(tx.sql, tenant, product_id, rating, by);
    // Events are the store's own: they name the customer.
    // "review passes moderation: becomes visible to publishable keys; event review.approved".
    if (by === 1) await tx.emit(tenant, [{ type: 'review.approved', object: shown(after!, { keyType: 'secret' }) }]);
    const revision = await raiseRevision(tx.sql, tenant, by);
    tx.afterCommit(() => {
      notices.publish({ kind: 'review', tenant, revision, ids: [product_id] });
      if (by !== 0) teller.soon(tenant);
    });
  };
