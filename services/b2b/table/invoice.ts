// Invoices in Postgres.
import type { Invoice } from '#proto/gen/invoice.ts';
import type { Tenant } from '#runtime/call/call.ts';
import { type DueItem, type DueQuery, type DueRow, dueItemOf } from '#runtime/domain/due.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import type { InvoiceRecord } from '#services/b2b/invoice.ts';
import type { DealCursor, DealFilter } from '#services/b2b/page.ts';
import { beforeCursor, type DealOwner, jsonValue, ofOwner, ofTenant } from './clause.ts';

const columns = (sql: Sql) => sql`
  t.id, t.number, t.purchase_order_id, t.order_id, t.customer_id, t.status, t.currency, t.tax_inclusive, t.items,
  t.subtotal, t.tax_amount, t.total, t.payment_terms, t.due_at, t.overdue_at, t.paid_at, t.reference, t.created_at`;

export const insertInvoice = async (
  sql: Sql,
  { store, environment }: Tenant,
  invoice: InvoiceRecord,
): Promise<void> => {
  await sql`
    insert into b2b.invoice (store, environment, id, number, purchase_order_id, order_id, customer_id, status, currency,
      tax_inclusive, items, subtotal, tax_amount, total, payment_terms, due_at, overdue_at, created_at)
    values (${store}, ${environment}, ${invoice.id}, ${invoice.number}, ${invoice.purchase_order_id},
      ${invoice.order_id}, ${invoice.customer_id}, ${invoice.status}, ${invoice.currency}, ${invoice.tax_inclusive},
      ${jsonValue(sql, invoice.items)}, ${invoice.subtotal}, ${invoice.tax_amount}, ${invoice.total},
      ${invoice.payment_terms}, ${invoice.due_at}, ${invoice.overdue_at}, ${invoice.created_at})`;
};

export const findInvoice = async (
  sql: Sql,
  tenant: Tenant,
  owner: DealOwner,
  id: string,
): Promise<InvoiceRecord | null> => {
  const [invoice] = await sql<InvoiceRecord[]>`
    select ${columns(sql)} from b2b.invoice t where ${ofTenant(sql, tenant)} and t.id = ${id} ${ofOwner(sql, owner)}`;
  return invoice ?? null;
};

export const lockInvoice = async (sql: Sql, tenant: Tenant, id: string): Promise<InvoiceRecord | null> => {
  const [invoice] = await sql<InvoiceRecord[]>`
    select ${columns(sql)} from b2b.invoice t where ${ofTenant(sql, tenant)} and t.id = ${id} for no key update`;
  return invoice ?? null;
};

export const closeInvoice = async (
  sql: Sql,
  { store, environment }: Tenant,
  { id, status, paid_at, reference }: Pick<InvoiceRecord, 'id' | 'status' | 'paid_at' | 'reference'>,
): Promise<void> => {
  await sql`
    update b2b.invoice set status = ${status}, paid_at = ${paid_at}, reference = ${reference}
    where store = ${store} and environment = ${environment} and id = ${id}`;
};

const ofStatus = (sql: Sql, status: Invoice['status'] | null, now: Date) => {
  if (status === null) return sql``;
  if (status === 'issued') return sql`and t.status = 'issued' and t.overdue_at > ${now}`;
  return status === 'overdue' ? sql`and t.status = 'issued' and t.overdue_at <= ${now}` : sql`and t.status = ${status}`;
};

export const listInvoices = (
  sql: Sql,
  tenant: Tenant,
  { owner, status }: DealFilter<Invoice['status']>,
  before: DealCursor | null,
  limit: number,
  now: Date,
): Promise<readonly InvoiceRecord[]> => sql<InvoiceRecord[]>`
  select ${columns(sql)} from b2b.invoice t
  where ${ofTenant(sql, tenant)} ${ofOwner(sql, owner)} ${ofStatus(sql, status, now)} ${beforeCursor(sql, before)}
  order by t.created_at desc, t.id desc limit ${limit}`;

/** Returns overdue invoices whose event is not published yet. */
export const overdueInvoices = async (sql: Sql, { tenant, until, max }: DueQuery): Promise<readonly DueItem[]> => {
  const rows = await sql<DueRow[]>`
    select t.store, t.environment, t.id, t.overdue_at as due_at from b2b.invoice t
    where t.status = 'issued' and not t.overdue_published and t.overdue_at <= ${until}
      and ${tenant === null ? sql`true` : ofTenant(sql, tenant)}
    order by t.overdue_at, t.id limit ${max}`;
  return rows.map(dueItemOf);
};

export const markOverduePublished = async (sql: Sql, tenant: Tenant, id: string): Promise<InvoiceRecord | null> => {
  const [invoice] = await sql<InvoiceRecord[]>`
    update b2b.invoice t set overdue_published = true
    where ${ofTenant(sql, tenant)} and t.id = ${id} and t.status = 'issued' and not t.overdue_published
    returning ${columns(sql)}`;
  return invoice ?? null;
};
