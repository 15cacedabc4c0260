// SQL of returns, and of the units and money that open returns reserve.
import type { Tenant } from '#runtime/call/call.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import type { ClaimFilter } from '#services/order/claim_list.ts';
import type { ReturnRecord, ReturnStatus } from '#services/order/return/return.ts';

const columns = (sql: Sql) => sql`
  r.id, r.order_id, r.customer_id, r.status, r.reason_code, r.reason_detail, r.contact_phone, r.resolution, r.items,
  r.received, r.worth, r.refund_amount, r.offer_status, r.offer_amount, r.exchange_order_id, r.note, r.created_at,
  r.updated_at, o.currency`;

const joined = (sql: Sql) => sql`
  from orders.return r
  join orders.order o on o.store = r.store and o.environment = r.environment and o.id = r.order_id`;

export const findReturn = async (
  sql: Sql,
  { store, environment }: Tenant,
  id: string,
  customer: string | null,
): Promise<ReturnRecord | null> => {
  const [row] = await sql<ReturnRecord[]>`
    select ${columns(sql)} ${joined(sql)}
    where r.store = ${store} and r.environment = ${environment} and r.id = ${id}
      ${customer === null ? sql`` : sql`and r.customer_id = ${customer}`}`;
  return row ?? null;
};

export const pageOfReturns = (sql: Sql, { store, environment }: Tenant, filter: ClaimFilter<ReturnStatus>) => {
  const { customer, order, status, before, limit } = filter;
  return sql<ReturnRecord[]>`
    select ${columns(sql)} ${joined(sql)}
    where r.store = ${store} and r.environment = ${environment}
      ${customer === null ? sql`` : sql`and r.customer_id = ${customer}`}
      ${order === null ? sql`` : sql`and r.order_id = ${order}`}
      ${status === null ? sql`` : sql`and r.status = ${status}`}
      ${before === null ? sql`` : sql`and (r.created_at, r.id) < (${before.createdAt}, ${before.id})`}
    order by r.created_at desc, r.id desc limit ${limit}`;
};

export const saveReturn = async (
  sql: Sql,
  { store, environment }: Tenant,
  { currency: _currency, items, ...record }: ReturnRecord,
): Promise<void> => {
  const row = { store, environment, ...record, items: sql.json(items.map((item) => ({ ...item }))) };
  await sql`
    insert into orders.return ${sql(row)}
    on conflict (store, environment, id) do update set status = excluded.status, received = excluded.received,
      worth = excluded.worth, refund_amount = excluded.refund_amount, offer_status = excluded.offer_status,
      offer_amount = excluded.offer_amount, exchange_order_id = excluded.exchange_order_id, note = excluded.note,
      updated_at = excluded.updated_at`;
};

/** Units and money of an order reserved by returns: neither a refund by hand nor another return may use them. */
export interface Claims {
  /** Offered as store credit, in minor units. */
  readonly reserved: number;
  readonly units: ReadonlyMap<string, number>;
}

export const claimsOn = async (
  sql: Sql,
  { store, environment }: Tenant,
  order: string,
  but: string | null = null,
): Promise<Claims> => {
  const rows = await sql<Pick<ReturnRecord, 'items' | 'received' | 'offer_status' | 'offer_amount'>[]>`
    select items, received, offer_status, offer_amount from orders.return
    where store = ${store} and environment = ${environment} and order_id = ${order}
      and status not in ('rejected', 'cancelled') and id is distinct from ${but}::uuid`;
  const units = new Map<string, number>();
  let reserved = 0;
  for (const { items, received, offer_status, offer_amount } of rows) {
    if (offer_status === 'pending') reserved += offer_amount!;
    if (received) continue;
    for (const { order_item_id, quantity } of items)
      units.set(order_item_id, (units.get(order_item_id) ?? 0) + quantity);
  }
  return { reserved, units };
};
