// SQL shared by all wholesale tables: conditions on tenant, owner and cursor, and consecutive numbers.
import type { Tenant } from '#runtime/call/call.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import type { DealCursor } from '#services/b2b/page.ts';

const FIRST_NUMBER = 1_001;

/** Returns the next number. Concurrent callers wait for the transaction's end, so that numbers have no gaps. */
export const nextNumber = async (
  sql: Sql,
  { store, environment }: Tenant,
  kind: 'rfq' | 'quote' | 'invoice',
): Promise<number> => {
  const [row] = await sql<{ last: number }[]>`
    insert into b2b.number as number (store, environment, kind, last)
    values (${store}, ${environment}, ${kind}, ${FIRST_NUMBER})
    on conflict (store, environment, kind) do update set last = number.last + 1
    returning last`;
  return row!.last;
};

export type DealOwner = string | null;

export const ofTenant = (sql: Sql, { store, environment }: Tenant) =>
  sql`t.store = ${store} and t.environment = ${environment}`;

export const ofOwner = (sql: Sql, owner: DealOwner) => (owner === null ? sql`` : sql`and t.customer_id = ${owner}`);

export const beforeCursor = (sql: Sql, before: DealCursor | null) =>
  before === null ? sql`` : sql`and (t.created_at, t.id) < (${before.created_at}, ${before.id}::uuid)`;

export const jsonValue = (sql: Sql, value: unknown) =>
  sql`${value === null ? null : JSON.stringify(value)}::text::json`;
