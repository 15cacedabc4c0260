// SQL of the customers who were deleted, as far as reviews have to know.
import type { Tenant } from '#runtime/call/call.ts';
import type { Sql } from '#runtime/postgres/sql.ts';

/** Notes that these customers were deleted; whether any of them wrote a review that is still there. */
export const noteDeletedCustomers = async (
  sql: Sql,
  { store, environment }: Tenant,
  customers: readonly string[],
): Promise<boolean> => {
  await sql`
    insert into review.deleted_customer (store, environment, customer_id)
    select ${store}::uuid, ${environment}, id from unnest(${customers as string[]}::uuid[]) as id
    on conflict do nothing`;
  const [row] = await sql<{ wrote: boolean }[]>`
    select exists (
      select from review.review
      where store = ${store} and environment = ${environment} and customer_id = any(${customers as string[]}::uuid[])
        and deleted_at is null
    ) as wrote`;
  return row!.wrote;
};
