// SQL that every table of wholesale has in common: the tenant's rows, one buyer's of them, those behind a place.
import type { Tenant } from '#runtime/call/call.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import type { DealCursor } from '#services/b2b/page.ts';

const FIRST = 1_001;

/** The next one of its kind. Others wait until it is committed, so that none is left out. */
export const nextNumber = async (
  sql: Sql,
  { store, environment }: Tenant,
  kind: 'rfq' | 'quote' | 'invoice',
): Promise<number> => {
  const [row] = await sql<{ last: number }[]>`
    insert into b2b.number as number (store, environment, kind, last)
    values (${store}, ${environment}, ${kind}, ${FIRST})
    on conflict (store, environment, kind) do update set last = number.last + 1
    returning last`;
  return row!.last;
};

/** Whose rows a caller reaches: one customer's; null: all of the store's. */
export type DealOwner = string | null;

export const ofTenant = (sql: Sql, { store, environment }: Tenant) =>
  sql`t.store = ${store} and t.environment = ${environment}`;

export const ofOwner = (sql: Sql, owner: DealOwner) => (owner === null ? sql`` : sql`and t.customer_id = ${owner}`);

/** Newest first, from there on. */
export const behind = (sql: Sql, before: DealCursor | null) =>
  before === null ? sql`` : sql`and (t.created_at, t.id) < (${before.created_at}, ${before.id}::uuid)`;

/** As a column of type json takes it. */
export const json = (sql: Sql, value: unknown) => sql`${value === null ? null : JSON.stringify(value)}::text::json`;
