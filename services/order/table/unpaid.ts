// SQL of orders that wait for their buyer's payment.
import type { Environment, Tenant } from '#runtime/call/call.ts';
import type { Sql } from '#runtime/postgres/sql.ts';

export interface UnpaidOrder {
  readonly store: string;
  readonly environment: Environment;
  readonly order_id: string;
  readonly due_at: Date;
}

export const insertUnpaid = async (
  sql: Sql,
  { store, environment }: Tenant,
  order: string,
  dueAt: Date,
): Promise<void> => {
  await sql`
    insert into orders.unpaid (store, environment, order_id, due_at) values (${store}, ${environment}, ${order}, ${dueAt})`;
};

/** Those whose time is over by then, the first ones first; `tenant` null: all. */
export const dueUnpaid = (
  sql: Sql,
  until: Date,
  tenant: Tenant | null,
  limit: number,
): Promise<readonly UnpaidOrder[]> => sql<UnpaidOrder[]>`
  select store, environment, order_id, due_at from orders.unpaid
  where due_at <= ${until}
    and ${tenant === null ? sql`true` : sql`store = ${tenant.store} and environment = ${tenant.environment}`}
  order by due_at, order_id limit ${limit}`;

/** Once; false where it waits no more. */
export const takeUnpaid = async (sql: Sql, { store, environment }: Tenant, order: string): Promise<boolean> => {
  const taken = await sql`
    delete from orders.unpaid where store = ${store} and environment = ${environment} and order_id = ${order}`;
  return taken.count === 1;
};
