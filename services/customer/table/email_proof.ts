// SQL of e-mail addresses that customers have proved.
import type { Tenant } from '#runtime/call/call.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import type { CustomerRecord } from '#services/customer/customer.ts';

type Addressed = Pick<CustomerRecord, 'id' | 'email'>;

/** Concurrent proofs of one customer wait here; only orders are written after it. */
export const insertProof = async (sql: Sql, tenant: Tenant, { id, email }: Addressed, at: Date): Promise<void> => {
  await sql`
    insert into customer.email_proof as known (store, environment, customer, email, proved_at)
    values (${tenant.store}, ${tenant.environment}, ${id}, ${email}, ${at})
    on conflict (store, environment, customer) do update set email = excluded.email, proved_at = excluded.proved_at
    where known.email <> excluded.email`;
};

export const emailIsProved = async (sql: Sql, tenant: Tenant, { id, email }: Addressed): Promise<boolean> => {
  const found = await sql`
    select 1 from customer.email_proof
    where store = ${tenant.store} and environment = ${tenant.environment} and customer = ${id} and email = ${email}`;
  return found.length > 0;
};
