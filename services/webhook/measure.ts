// What operators watch of webhooks, of all stores: deliveries that wait, those that were given up, and attempts by their outcome.
import type { Sql } from '#runtime/postgres/sql.ts';
import { counter, gauge } from '#runtime/process/metric.ts';
import type { DeliveryOutcome } from './table/delivery.ts';
import { countWaiting } from './table/waiting.ts';

let last = { waiting: 0, lateS: 0 };

gauge('webhook_backlog', 'Deliveries that are to be made, 100,000 at most.', () => last.waiting);
gauge('webhook_late_seconds', 'For how long the delivery that is most overdue has been due.', () => last.lateS);
const attempts = counter('webhook_attempts_total', 'Attempts of deliveries, by what became of them.', ['outcome']);
const deadLetters = counter('webhook_dead_letters_total', 'Deliveries given up, since their last attempt failed.');

export const measureWaiting = async (sql: Sql): Promise<void> => {
  last = await countWaiting(sql);
};

/** Whether the last count found a delivery, whose lateness grows with time. */
export const anyWaits = (): boolean => last.waiting > 0;

/** Once they are saved. */
export const noteAttempts = (outcomes: readonly DeliveryOutcome[]): void => {
  for (const { status } of outcomes) {
    attempts.inc({ outcome: status });
    if (status === 'dead_lettered') deadLetters.inc();
  }
};
