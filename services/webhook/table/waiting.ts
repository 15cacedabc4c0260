// How much waits to be delivered.
import type { Sql } from '#runtime/postgres/sql.ts';

const COUNTED_MAX = 100_000;

/** Of all stores; a delivery of a paused endpoint waits, too. */
export const countWaiting = async (sql: Sql): Promise<{ waiting: number; lateS: number }> => {
  const [found] = await sql<[{ waiting: number; lateS: number }]>`
    select count(*)::int as waiting,
      greatest(0, coalesce(extract(epoch from now() - min(due_at)), 0))::float8 as "lateS"
    from (select due_at from webhook.delivery where due_at is not null limit ${COUNTED_MAX}) as waiting`;
  return found;
};
