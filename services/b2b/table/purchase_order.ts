// Purchase orders in Postgres.
import type { Tenant } from '#runtime/call/call.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import type { DealCursor, DealFilter } from '#services/b2b/page.ts';
import type { PurchaseOrderRecord } from '#services/b2b/purchase_order.ts';
import { nameKey } from '#values/text.ts';
import { beforeCursor, type DealOwner, jsonValue, ofOwner, ofTenant } from './clause.ts';

const columns = (sql: Sql) => sql`
  t.id, t.quote_id, t.customer_id, t.email, t.buyer_name, t.po_number, t.status, t.currency, t.tax_inclusive, t.items,
  t.subtotal, t.tax_amount, t.total, t.payment_terms, t.shipping_address, t.billing_address, t.order_id, t.confirmed_by,
  t.confirmed_at, t.fulfilled_by, t.fulfilled_at, t.invoiced, t.created_at, array(
    select i.id from b2b.invoice i
    where i.store = t.store and i.environment = t.environment and i.purchase_order_id = t.id order by i.number
  ) as invoice_ids`;

/** Returns the unique field whose value already exists; null on success. */
export const insertPurchaseOrder = async (
  sql: Sql,
  { store, environment }: Tenant,
  order: PurchaseOrderRecord,
): Promise<'quote_id' | 'po_number' | null> => {
  const written = await sql`
    insert into b2b.purchase_order (store, environment, id, quote_id, customer_id, email, buyer_name, po_number, po_key, status,
      currency, tax_inclusive, items, subtotal, tax_amount, total, payment_terms, shipping_address, billing_address,
      created_at)
    values (${store}, ${environment}, ${order.id}, ${order.quote_id}, ${order.customer_id}, ${order.email},
      ${order.buyer_name}, ${order.po_number}, ${nameKey(order.po_number)}, ${order.status}, ${order.currency}, ${order.tax_inclusive},
      ${jsonValue(sql, order.items)}, ${order.subtotal}, ${order.tax_amount}, ${order.total}, ${order.payment_terms},
      ${jsonValue(sql, order.shipping_address)}, ${jsonValue(sql, order.billing_address)}, ${order.created_at})
    on conflict do nothing`;
  if (written.count === 1) return null;
  const [same] = await sql`
    select 1 from b2b.purchase_order
    where store = ${store} and environment = ${environment} and quote_id = ${order.quote_id}`;
  return same ? 'quote_id' : 'po_number';
};

export const findPurchaseOrder = async (
  sql: Sql,
  tenant: Tenant,
  owner: DealOwner,
  id: string,
): Promise<PurchaseOrderRecord | null> => {
  const [order] = await sql<PurchaseOrderRecord[]>`
    select ${columns(sql)} from b2b.purchase_order t
    where ${ofTenant(sql, tenant)} and t.id = ${id} ${ofOwner(sql, owner)}`;
  return order ?? null;
};

export const lockPurchaseOrder = async (
  sql: Sql,
  tenant: Tenant,
  owner: DealOwner,
  id: string,
): Promise<PurchaseOrderRecord | null> => {
  const held = await sql`
    select 1 from b2b.purchase_order t
    where ${ofTenant(sql, tenant)} and t.id = ${id} ${ofOwner(sql, owner)} for no key update`;
  // Read by a second statement, whose snapshot is taken after the lock was granted.
  return held.length === 0 ? null : findPurchaseOrder(sql, tenant, owner, id);
};

export const setPurchaseOrderStatus = async (
  sql: Sql,
  { store, environment }: Tenant,
  id: string,
  status: PurchaseOrderRecord['status'],
): Promise<void> => {
  await sql`
    update b2b.purchase_order set status = ${status}
    where store = ${store} and environment = ${environment} and id = ${id}`;
};

export const setInvoiced = async (
  sql: Sql,
  { store, environment }: Tenant,
  { id, invoiced }: Pick<PurchaseOrderRecord, 'id' | 'invoiced'>,
): Promise<void> => {
  await sql`
    update b2b.purchase_order set invoiced = ${jsonValue(sql, invoiced)}
    where store = ${store} and environment = ${environment} and id = ${id}`;
};

export const listPurchaseOrders = (
  sql: Sql,
  tenant: Tenant,
  { owner, status }: DealFilter<PurchaseOrderRecord['status']>,
  before: DealCursor | null,
  limit: number,
): Promise<readonly PurchaseOrderRecord[]> => sql<PurchaseOrderRecord[]>`
  select ${columns(sql)} from b2b.purchase_order t
  where ${ofTenant(sql, tenant)} ${ofOwner(sql, owner)} ${status === null ? sql`` : sql`and t.status = ${status}`}
    ${beforeCursor(sql, before)}
  order by t.created_at desc, t.id desc limit ${limit}`;

export interface PurchaseOrderTransition {
  readonly id: string;
  readonly order: string;
  readonly command: string;
}

export const markConfirmed = async (
  sql: Sql,
  { store, environment }: Tenant,
  { id, order, command }: PurchaseOrderTransition,
  now: Date,
): Promise<boolean> => {
  const { count } = await sql`
    update b2b.purchase_order
    set status = 'confirmed', order_id = ${order}, confirmed_by = ${command}, confirmed_at = ${now}
    where store = ${store} and environment = ${environment} and id = ${id} and status = 'issued'`;
  return count === 1;
};

export const markFulfilled = async (
  sql: Sql,
  { store, environment }: Tenant,
  { id, order, command }: PurchaseOrderTransition,
  now: Date,
): Promise<boolean> => {
  const { count } = await sql`
    update b2b.purchase_order set status = 'fulfilled', fulfilled_by = ${command}, fulfilled_at = ${now}
    where store = ${store} and environment = ${environment} and id = ${id} and order_id = ${order}
      and status = 'confirmed'`;
  return count === 1;
};

/**
 * Cancels the order's purchase order. Locks it before its invoices, in the same sequence as issuing and voiding, to
 * avoid deadlocks.
 */
export const cancelByOrder = async (sql: Sql, { store, environment }: Tenant, order: string): Promise<void> => {
  const [cancelled] = await sql<{ id: string }[]>`
    update b2b.purchase_order set status = 'cancelled'
    where store = ${store} and environment = ${environment} and order_id = ${order} and status <> 'cancelled'
    returning id`;
  if (!cancelled) return;
  await sql`
    update b2b.invoice set status = 'void'
    where store = ${store} and environment = ${environment} and purchase_order_id = ${cancelled.id}
      and status = 'issued'`;
};
