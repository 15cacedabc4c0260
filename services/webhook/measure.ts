// Metrics of webhooks over all stores: backlog, lateness, attempts and dead letters.
import type { Sql } from '#runtime/postgres/sql.ts';
import { counter, gauge } from '#runtime/process/metric.ts';
import type { DeliveryOutcome } from './table/delivery.ts';

const COUNTED_MAX = 100_000;

const countBacklog = async (sql: Sql): Promise<{ waiting: number; lateS: number }> => {
  const [found] = await sql<[{ waiting: number; lateS: number }]>`
    select count(*)::int as waiting,
      greatest(0, coalesce(extract(epoch from now() - min(due_at)), 0))::float8 as "lateS"
    from (select due_at from webhook.delivery where due_at is not null limit ${COUNTED_MAX}) as waiting`;
  return found;
};

let last = { waiting: 0, lateS: 0 };

gauge('webhook_backlog', 'Deliveries that are to be made, 100,000 at most.', () => last.waiting);
gauge('webhook_late_seconds', 'For how long the delivery that is most overdue has been due.', () => last.lateS);
const attempts = counter('webhook_attempts_total', 'Attempts of deliveries, by what became of them.', ['outcome']);
const deadLetters = counter('webhook_dead_letters_total', 'Deliveries given up, since their last attempt failed.');

export const measureBacklog = async (sql: Sql): Promise<void> => {
  last = await countBacklog(sql);
};

export const hasBacklog = (): boolean => last.waiting > 0;

export const countAttempts = (outcomes: readonly DeliveryOutcome[]): void => {
  for (const { status } of outcomes) {
    attempts.inc({ outcome: status });
    if (status === 'dead_lettered') deadLetters.inc();
  }
};
