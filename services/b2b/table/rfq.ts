// Requests for quotes in Postgres.
import type { Tenant } from '#runtime/call/call.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import type { DealCursor, DealFilter } from '#services/b2b/page.ts';
import type { RfqRecord } from '#services/b2b/rfq.ts';
import { beforeCursor, type DealOwner, jsonValue, ofOwner, ofTenant } from './clause.ts';

const columns = (sql: Sql) => sql`t.id, t.number, t.customer_id, t.status, t.items, t.currency, t.note, t.created_at`;

export const insertRfq = async (sql: Sql, { store, environment }: Tenant, rfq: RfqRecord): Promise<void> => {
  await sql`
    insert into b2b.rfq (store, environment, id, number, customer_id, status, items, currency, note, created_at)
    values (${store}, ${environment}, ${rfq.id}, ${rfq.number}, ${rfq.customer_id}, ${rfq.status},
      ${jsonValue(sql, rfq.items)}, ${rfq.currency}, ${rfq.note}, ${rfq.created_at})`;
};

export const findRfq = async (sql: Sql, tenant: Tenant, owner: DealOwner, id: string): Promise<RfqRecord | null> => {
  const [rfq] = await sql<RfqRecord[]>`
    select ${columns(sql)} from b2b.rfq t where ${ofTenant(sql, tenant)} and t.id = ${id} ${ofOwner(sql, owner)}`;
  return rfq ?? null;
};

export const lockRfq = async (sql: Sql, tenant: Tenant, owner: DealOwner, id: string): Promise<RfqRecord | null> => {
  const [rfq] = await sql<RfqRecord[]>`
    select ${columns(sql)} from b2b.rfq t where ${ofTenant(sql, tenant)} and t.id = ${id} ${ofOwner(sql, owner)}
    for no key update`;
  return rfq ?? null;
};

export const setRfqStatus = async (
  sql: Sql,
  { store, environment }: Tenant,
  id: string,
  status: RfqRecord['status'],
): Promise<void> => {
  await sql`
    update b2b.rfq set status = ${status} where store = ${store} and environment = ${environment} and id = ${id}`;
};

export const listRfqs = (
  sql: Sql,
  tenant: Tenant,
  { owner, status }: DealFilter<RfqRecord['status']>,
  before: DealCursor | null,
  limit: number,
): Promise<readonly RfqRecord[]> => sql<RfqRecord[]>`
  select ${columns(sql)} from b2b.rfq t
  where ${ofTenant(sql, tenant)} ${ofOwner(sql, owner)} ${status === null ? sql`` : sql`and t.status = ${status}`}
    ${beforeCursor(sql, before)}
  order by t.created_at desc, t.id desc limit ${limit}`;
