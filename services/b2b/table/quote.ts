// Quotes in Postgres.
import type { WholesaleQuote } from '#proto/gen/wholesale_quote.ts';
import type { Tenant } from '#runtime/call/call.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import type { DealCursor, DealFilter } from '#services/b2b/page.ts';
import type { QuoteRecord } from '#services/b2b/quote.ts';
import { beforeCursor, type DealOwner, jsonValue, ofOwner, ofTenant } from './clause.ts';

const columns = (sql: Sql) => sql`
  t.id, t.number, t.rfq_id, t.customer_id, t.status, t.currency, t.tax_inclusive, t.items, t.subtotal, t.tax_amount,
  t.total, t.payment_terms, t.shipping_address, t.note, t.reason, t.valid_until, t.created_at`;

export const insertQuote = async (sql: Sql, { store, environment }: Tenant, quote: QuoteRecord): Promise<void> => {
  await sql`
    insert into b2b.quote (store, environment, id, number, rfq_id, customer_id, status, currency, tax_inclusive, items,
      subtotal, tax_amount, total, payment_terms, shipping_address, note, valid_until, created_at)
    values (${store}, ${environment}, ${quote.id}, ${quote.number}, ${quote.rfq_id}, ${quote.customer_id},
      ${quote.status}, ${quote.currency}, ${quote.tax_inclusive}, ${jsonValue(sql, quote.items)}, ${quote.subtotal},
      ${quote.tax_amount}, ${quote.total}, ${quote.payment_terms}, ${jsonValue(sql, quote.shipping_address)}, ${quote.note},
      ${quote.valid_until}, ${quote.created_at})`;
};

export const findQuote = async (
  sql: Sql,
  tenant: Tenant,
  owner: DealOwner,
  id: string,
): Promise<QuoteRecord | null> => {
  const [quote] = await sql<QuoteRecord[]>`
    select ${columns(sql)} from b2b.quote t where ${ofTenant(sql, tenant)} and t.id = ${id} ${ofOwner(sql, owner)}`;
  return quote ?? null;
};

export const lockQuote = async (
  sql: Sql,
  tenant: Tenant,
  owner: DealOwner,
  id: string,
): Promise<QuoteRecord | null> => {
  const [quote] = await sql<QuoteRecord[]>`
    select ${columns(sql)} from b2b.quote t where ${ofTenant(sql, tenant)} and t.id = ${id} ${ofOwner(sql, owner)}
    for no key update`;
  return quote ?? null;
};

export const saveDecision = async (
  sql: Sql,
  { store, environment }: Tenant,
  { id, status, reason }: Pick<QuoteRecord, 'id' | 'status' | 'reason'>,
): Promise<void> => {
  await sql`
    update b2b.quote set status = ${status}, reason = ${reason}
    where store = ${store} and environment = ${environment} and id = ${id}`;
};

/** Rejects the other open quotes of a request, oldest first. The caller must hold the request's lock. */
export const rejectOtherQuotes = async (
  sql: Sql,
  tenant: Tenant,
  { id, rfq_id }: Pick<QuoteRecord, 'id' | 'rfq_id'>,
  now: Date,
): Promise<readonly QuoteRecord[]> => {
  if (rfq_id === null) return [];
  const rejected = await sql<QuoteRecord[]>`
    update b2b.quote t set status = 'rejected'
    where ${ofTenant(sql, tenant)} and t.rfq_id = ${rfq_id} and t.id <> ${id} and t.status = 'sent'
      and t.valid_until > ${now}
    returning ${columns(sql)}`;
  return rejected.toSorted((a, b) => a.number - b.number);
};

const ofStatus = (sql: Sql, status: WholesaleQuote['status'] | null, now: Date) => {
  if (status === null) return sql``;
  if (status === 'sent') return sql`and t.status = 'sent' and t.valid_until > ${now}`;
  return status === 'expired' ? sql`and t.status = 'sent' and t.valid_until <= ${now}` : sql`and t.status = ${status}`;
};

export const listQuotes = (
  sql: Sql,
  tenant: Tenant,
  { owner, status }: DealFilter<WholesaleQuote['status']>,
  before: DealCursor | null,
  limit: number,
  now: Date,
): Promise<readonly QuoteRecord[]> => sql<QuoteRecord[]>`
  select ${columns(sql)} from b2b.quote t
  where ${ofTenant(sql, tenant)} ${ofOwner(sql, owner)} ${ofStatus(sql, status, now)} ${beforeCursor(sql, before)}
  order by t.created_at desc, t.id desc limit ${limit}`;

export interface QuoteExpiry {
  readonly ended: number;
  readonly first: Date | null;
}

export const findQuoteExpiry = async (
  sql: Sql,
  { store, environment }: Tenant,
  from: Date,
  until: Date,
): Promise<QuoteExpiry> => {
  const [row] = await sql<QuoteExpiry[]>`
    select count(*)::integer as ended, min(valid_until) as first from b2b.quote
    where store = ${store} and environment = ${environment} and status = 'sent' and valid_until > ${from}
      and valid_until <= ${until}`;
  return row!;
};
