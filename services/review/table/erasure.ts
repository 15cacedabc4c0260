// Erases the names of a person from reviews, whose own text stays.
import { ERASED_TEXT, type ErasureRule, erasure } from '#runtime/domain/personal_data.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { ANONYMOUS_NAME } from '#services/review/review.ts';
import { raiseRevision } from './state.ts';

export const reviewErasures = ({ notices }: Pick<Runtime, 'notices'>): readonly ErasureRule[] => [
  erasure('names in reviews', async (tx, { tenant, id }, limit) => {
    const rows = await tx.sql<{ id: string }[]>`
      update review.review set customer_name = ${ANONYMOUS_NAME},
        rejection_reason = case when rejection_reason is not null then ${ERASED_TEXT}::text end
      where ctid = any(array(
        select ctid from review.review
        where store = ${tenant.store} and environment = ${tenant.environment} and customer_id = ${id}
          and (customer_name <> ${ANONYMOUS_NAME} or rejection_reason <> ${ERASED_TEXT})
        limit ${limit}))
      returning id`;
    if (rows.length > 0) {
      const revision = await raiseRevision(tx.sql, tenant, 0);
      tx.afterCommit(() => notices.publish({ kind: 'review', tenant, revision, ids: null }));
    }
    return rows.map((row) => row.id);
  }),
];
