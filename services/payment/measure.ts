// What operators watch of payments, of all stores: read from Postgres by the sweep, shown whenever it is asked for.

import type { Sql } from '#runtime/postgres/sql.ts';
import { gauge } from '#runtime/process/metric.ts';
import { measurePayments } from './table/payment.ts';

let last = { needsReview: 0, pendingAgeS: 0 };

gauge('payments_needs_review', 'Payments that a person has to look at.', () => last.needsReview);
gauge(
  'payments_pending_age_seconds',
  'For how long the oldest payment that is not settled has been open.',
  () => last.pendingAgeS,
);

export const measure = async (sql: Sql): Promise<void> => {
  last = await measurePayments(sql);
};
