// SQL of disputes.
import type { Tenant } from '#runtime/call/call.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import type { ClaimFilter } from '#services/order/claim_list.ts';
import type { DisputeRecord, DisputeStatus } from '#services/order/dispute/dispute.ts';

const columns = (sql: Sql) => sql`
  d.id, d.order_id, d.customer_id, d.status, d.reason_code, d.description, d.evidence_urls, d.resolution, d.amount,
  d.note, d.created_at, d.resolved_at, o.currency`;

const joined = (sql: Sql) => sql`
  from orders.dispute d
  join orders.order o on o.store = d.store and o.environment = d.environment and o.id = d.order_id`;

/** Of this customer alone where one is named. */
export const findDispute = async (
  sql: Sql,
  { store, environment }: Tenant,
  id: string,
  customer: string | null,
): Promise<DisputeRecord | null> => {
  const [row] = await sql<DisputeRecord[]>`
    select ${columns(sql)} ${joined(sql)}
    where d.store = ${store} and d.environment = ${environment} and d.id = ${id}
      ${customer === null ? sql`` : sql`and d.customer_id = ${customer}`}`;
  return row ?? null;
};

/** Newest first. */
export const pageOfDisputes = (sql: Sql, { store, environment }: Tenant, filter: ClaimFilter<DisputeStatus>) => {
  const { customer, order, status, before, limit } = filter;
  return sql<DisputeRecord[]>`
    select ${columns(sql)} ${joined(sql)}
    where d.store = ${store} and d.environment = ${environment}
      ${customer === null ? sql`` : sql`and d.customer_id = ${customer}`}
      ${order === null ? sql`` : sql`and d.order_id = ${order}`}
      ${status === null ? sql`` : sql`and d.status = ${status}`}
      ${before === null ? sql`` : sql`and (d.created_at, d.id) < (${before.createdAt}, ${before.id})`}
    order by d.created_at desc, d.id desc limit ${limit}`;
};

/** Whether the order has a dispute that is not decided. */
export const isDisputed = async (sql: Sql, { store, environment }: Tenant, order: string): Promise<boolean> => {
  const rows = await sql`
    select 1 from orders.dispute
    where store = ${store} and environment = ${environment} and order_id = ${order}
      and status in ('open', 'under_review')`;
  return rows.length > 0;
};

/** New, or as it is now. */
export const saveDispute = async (
  sql: Sql,
  { store, environment }: Tenant,
  { currency: _currency, evidence_urls, ...record }: DisputeRecord,
): Promise<void> => {
  const row = { store, environment, ...record, evidence_urls: sql.json([...evidence_urls]) };
  await sql`
    insert into orders.dispute ${sql(row)}
    on conflict (store, environment, id) do update set status = excluded.status, resolution = excluded.resolution,
      amount = excluded.amount, note = excluded.note, resolved_at = excluded.resolved_at`;
};
