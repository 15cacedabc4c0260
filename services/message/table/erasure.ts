// Erases a person's conversations with the store, of both sides.
import { type ErasureRule, erasure } from '#runtime/domain/personal_data.ts';

export const messageErasures: readonly ErasureRule[] = [
  erasure('conversations', async ({ sql }, { tenant, id }, limit) => {
    const rows = await sql<{ id: string }[]>`
      with found as (
        select store, environment, id from message.thread
        where store = ${tenant.store} and environment = ${tenant.environment} and customer_id = ${id} limit ${limit}
      ), messages as (
        select m.id from message.message m join found on m.store = found.store and m.environment = found.environment
          and m.thread_id = found.id
      ), gone as (
        delete from message.thread t using found
        where t.store = found.store and t.environment = found.environment and t.id = found.id returning t.id
      )
      select id from gone union all select id from messages`;
    return rows.map((row) => row.id);
  }),
];
