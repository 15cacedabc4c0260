// SQL that finds one shopper at several stores, by a token or an address.
import type { Environment } from '#runtime/call/call.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import type { CustomerRecord } from '#services/customer/customer.ts';
import { customerColumns } from './customer.ts';

export interface FoundAccess {
  readonly store: string;
  readonly customer: string;
  readonly expires_at: Date;
}

export const findAccessAmong = async (
  sql: Sql,
  environment: Environment,
  stores: readonly string[],
  hash: Uint8Array,
): Promise<FoundAccess | null> => {
  const [found] = await sql<FoundAccess[]>`
    select t.store, s.customer, t.expires_at
    from customer.session_token t
    join customer.session s on s.store = t.store and s.environment = t.environment and s.id = t.session
    where t.store = any(${stores as string[]}::uuid[]) and t.environment = ${environment} and t.hash = ${hash}
      and t.kind = 'access'`;
  return found ?? null;
};

export const provedCustomers = (sql: Sql, environment: Environment, stores: readonly string[], email: string) => sql<
  (CustomerRecord & { readonly store: string })[]
>`
  select c.store, ${customerColumns(sql)}
  from customer.customer c
  join customer.email_proof p on p.store = c.store and p.environment = c.environment and p.customer = c.id
    and p.email = c.email
  where c.store = any(${stores as string[]}::uuid[]) and c.environment = ${environment} and c.email = ${email}
    and c.deleted_at is null
  order by c.store`;
