// SQL of payments.
import type { Tenant } from '#runtime/call/call.ts';
import { type DueItem, type DueQuery, type DueRow, dueItemOf } from '#runtime/domain/due.ts';
import type { JobRow, JobTable } from '#runtime/job/job.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import type { PaymentRecord } from '#services/payment/payment.ts';
import type { OpenedSession, PaymentName } from '#services/payment/provider/provider.ts';

const columns = (sql: Sql) => sql`
  id, reference, provider, account, type, status, currency, amount, refunded, capture, authorized, authorized_at,
  ending, ending_amount, ending_by, order_id, order_number, phone, metadata,
  success_url, cancel_url, session_id, charge_id, checkout_url, expires_at, paid_at, failure, needs_review, surplus,
  checkout_group_id, shares, whole_operator, whole_payment, delegated, books, order_notified, created_at`;

/**
 * Selects payments whose provider's answer is not written yet. A report may arrive before the answer and change their
 * status.
 */
const isOpening = (sql: Sql) => sql`session_id is null and status <> 'refused'`;

export type NewPayment = Omit<
  PaymentRecord,
  | 'status'
  | 'refunded'
  | 'authorized'
  | 'authorized_at'
  | 'ending'
  | 'ending_amount'
  | 'ending_by'
  | 'session_id'
  | 'charge_id'
  | 'checkout_url'
  | 'expires_at'
  | 'paid_at'
  | 'failure'
  | 'needs_review'
  | 'surplus'
  | 'whole_operator'
  | 'whole_payment'
  | 'delegated'
  | 'order_notified'
>;

export const insertPayment = async (
  sql: Sql,
  { store, environment }: Tenant,
  made: NewPayment,
  claimedUntil: Date,
): Promise<PaymentRecord | null> => {
  const [row] = await sql<PaymentRecord[]>`
    insert into payment.payment (store, environment, id, reference, provider, account, type, status, currency, amount,
      capture, order_id, order_number, phone, metadata, success_url, cancel_url, checkout_group_id, shares,
      books, claimed_until, created_at)
    values (${store}, ${environment}, ${made.id}, ${made.reference}, ${made.provider}, ${made.account}, ${made.type},
      'opening', ${made.currency}, ${made.amount}, ${made.capture}, ${made.order_id}, ${made.order_number}, ${made.phone},
      ${sql.json(made.metadata)}, ${made.success_url}, ${made.cancel_url}, ${made.checkout_group_id},
      ${made.shares === null ? null : sql.json(made.shares.map((share) => ({ ...share })))},
      ${made.books === null ? null : sql.json({ ...made.books })}, ${claimedUntil}, ${made.created_at})
    on conflict (store, environment, id) do nothing
    returning ${columns(sql)}`;
  return row ?? null;
};

/**
 * Claims a payment whose opening was interrupted. Returns null while another process is opening it; returns an opened
 * payment unclaimed.
 */
export const claimPayment = async (
  sql: Sql,
  { store, environment }: Tenant,
  id: string,
  now: Date,
  until: Date,
): Promise<PaymentRecord | null> => {
  const [claimed] = await sql<PaymentRecord[]>`
    update payment.payment set claimed_until = ${until}
    where store = ${store} and environment = ${environment} and id = ${id} and ${isOpening(sql)}
      and claimed_until <= ${now}
    returning ${columns(sql)}`;
  if (claimed) return claimed;
  const [payment] = await sql<PaymentRecord[]>`
    select ${columns(sql)} from payment.payment
    where store = ${store} and environment = ${environment} and id = ${id} and not (${isOpening(sql)})`;
  return payment ?? null;
};

export const openPayment = async (
  sql: Sql,
  { store, environment }: Tenant,
  id: string,
  opened: OpenedSession,
  nextLookAt: Date,
): Promise<PaymentRecord | null> => {
  const [row] = await sql<PaymentRecord[]>`
    update payment.payment set status = case when status = 'opening' then 'pending' else status end,
      session_id = ${opened.sessionId}, checkout_url = ${opened.checkoutUrl}, 
      expires_at = case when status = 'authorized' then expires_at else ${opened.expiresAt} end,
      next_poll_at = case when account is not null and status in ('opening', 'authorized') then ${nextLookAt}::timestamptz end,
      claimed_until = null, changed_at = now()
    where store = ${store} and environment = ${environment} and id = ${id} and ${isOpening(sql)}
    returning ${columns(sql)}`;
  return row ?? null;
};

export const releaseOpening = async (sql: Sql, tenant: Tenant, id: string, refused: boolean): Promise<void> => {
  await sql`
    update payment.payment set claimed_until = '-infinity', changed_at = now(),
      status = case when ${refused} and status = 'opening' then 'refused' else status end
    where store = ${tenant.store} and environment = ${tenant.environment} and id = ${id} and ${isOpening(sql)}`;
};

export const findPayment = async (
  sql: Sql,
  { store, environment }: Tenant,
  provider: string,
  reference: string,
): Promise<PaymentRecord | null> => {
  const [row] = await sql<PaymentRecord[]>`
    select ${columns(sql)} from payment.payment
    where store = ${store} and environment = ${environment} and provider = ${provider}
      and (reference = ${reference} or session_id = ${reference}) and session_id is not null
    order by created_at limit 1`;
  return row ?? null;
};

export const findPaymentById = async (sql: Sql, tenant: Tenant, id: string): Promise<PaymentRecord | null> => {
  const [row] = await sql<PaymentRecord[]>`
    select ${columns(sql)} from payment.payment
    where store = ${tenant.store} and environment = ${tenant.environment} and id = ${id}`;
  return row ?? null;
};

/** Finds opening payments, too, since a report may arrive before the provider's answer. */
export const findNamed = async (
  sql: Sql,
  { store, environment }: Tenant,
  provider: string,
  of: PaymentName,
): Promise<PaymentRecord | null> => {
  const named =
    'reference' in of
      ? sql`reference = ${of.reference}`
      : 'sessionId' in of
        ? sql`session_id = ${of.sessionId}`
        : sql`charge_id = ${of.chargeId}`;
  const [row] = await sql<PaymentRecord[]>`
    select ${columns(sql)} from payment.payment
    where store = ${store} and environment = ${environment} and provider = ${provider} and ${named}
      and status <> 'refused' limit 1`;
  return row ?? null;
};

export const findSimulated = async (
  sql: Sql,
  reference: string,
): Promise<{ readonly tenant: Tenant; readonly payment: PaymentRecord } | null> => {
  const [row] = await sql<(PaymentRecord & Tenant)[]>`
    select store, environment, ${columns(sql)} from payment.payment
    where reference = ${reference} and account is null and environment = 'sandbox'
      and session_id is not null`;
  return row ? { tenant: { store: row.store, environment: row.environment }, payment: row } : null;
};

export const insertShare = async (sql: Sql, { store, environment }: Tenant, share: PaymentRecord): Promise<void> => {
  // A share is of an order in its merchant's currency.
  const { metadata, shares: _none, books: _same, ...columns } = share;
  const row = { store, environment, ...columns, metadata: sql.json(metadata), order_notified: false };
  await sql`insert into payment.payment ${sql(row)}`;
};

export const findShares = (sql: Sql, whole: string) => sql<(PaymentRecord & Tenant)[]>`
  select store, environment, ${columns(sql)} from payment.payment where whole_payment = ${whole} order by store`;

export const lockPayment = async (sql: Sql, tenant: Tenant, id: string): Promise<PaymentRecord | null> => {
  const [row] = await sql<PaymentRecord[]>`
    select ${columns(sql)} from payment.payment
    where store = ${tenant.store} and environment = ${tenant.environment} and id = ${id} for no key update`;
  return row ?? null;
};

export const savePayment = async (sql: Sql, tenant: Tenant, payment: PaymentRecord): Promise<void> => {
  await sql`
    update payment.payment set status = ${payment.status}, amount = ${payment.amount}, refunded = ${payment.refunded},
      authorized = ${payment.authorized}, authorized_at = ${payment.authorized_at}, expires_at = ${payment.expires_at},
      ending = ${payment.ending}, ending_amount = ${payment.ending_amount}, ending_by = ${payment.ending_by},
      charge_id = ${payment.charge_id}, paid_at = ${payment.paid_at}, failure = ${payment.failure},
      needs_review = ${payment.needs_review}, surplus = ${payment.surplus},
      order_notified = ${payment.order_id === null && payment.shares === null}, changed_at = now(),
      next_poll_at = case when ${payment.status} in ('pending', 'authorized') then next_poll_at end
    where store = ${tenant.store} and environment = ${tenant.environment} and id = ${payment.id}`;
};

export const setNeedsReview = async (sql: Sql, tenant: Tenant, id: string): Promise<void> => {
  await sql`
    update payment.payment set needs_review = true
    where store = ${tenant.store} and environment = ${tenant.environment} and id = ${id}`;
};

export const otherOpenPayments = (
  sql: Sql,
  tenant: Tenant,
  { id, order_id, checkout_group_id }: Pick<PaymentRecord, 'id' | 'order_id' | 'checkout_group_id'>,
) => sql<PaymentRecord[]>`
  select ${columns(sql)} from payment.payment
  where store = ${tenant.store} and environment = ${tenant.environment} and id <> ${id}
    and ${order_id === null ? sql`checkout_group_id = ${checkout_group_id}` : sql`order_id = ${order_id}`}
    and status = 'pending' and session_id is not null and not delegated
  order by id`;

export const openPaymentsOf = (sql: Sql, { store, environment }: Tenant, order: string) => sql<PaymentRecord[]>`
  select ${columns(sql)} from payment.payment
  where store = ${store} and environment = ${environment} and order_id = ${order}
    and status = 'pending' and session_id is not null and not delegated
  order by id`;

/** Returns the payment that an order is authorised by; null if there is none. */
export const findAuthorized = async (
  sql: Sql,
  { store, environment }: Tenant,
  order: string,
): Promise<PaymentRecord | null> => {
  const [row] = await sql<PaymentRecord[]>`
    select ${columns(sql)} from payment.payment
    where store = ${store} and environment = ${environment} and order_id = ${order} and status = 'authorized'
    order by (ending is not distinct from 'void'), id limit 1`;
  return row ?? null;
};

export const authorizedPaymentsOf = (sql: Sql, { store, environment }: Tenant, order: string) => sql<PaymentRecord[]>`
  select ${columns(sql)} from payment.payment
  where store = ${store} and environment = ${environment} and order_id = ${order} and status = 'authorized'
  order by id`;

/** Returns the authorised amounts of the order's payments less their captures, in minor units. */
export const releasedAmountOf = async (sql: Sql, { store, environment }: Tenant, order: string): Promise<number> => {
  const [row] = await sql<{ released: number }[]>`
    select coalesce(sum(authorized - amount), 0)::bigint as released from payment.payment
    where store = ${store} and environment = ${environment} and order_id = ${order} and authorized is not null
      and paid_at is not null and not surplus`;
  return row!.released;
};

export const findByReference = async (
  sql: Sql,
  { store, environment }: Tenant,
  reference: string,
): Promise<PaymentRecord | null> => {
  const [row] = await sql<PaymentRecord[]>`
    select ${columns(sql)} from payment.payment
    where store = ${store} and environment = ${environment} and reference = ${reference}
      and status not in ('opening', 'refused')`;
  return row ?? null;
};

/** Saves the decision to capture or void, or its withdrawal, with the time of the next try. */
export const saveEnding = async (
  sql: Sql,
  { store, environment }: Tenant,
  { id, ending, ending_amount, ending_by }: Pick<PaymentRecord, 'id' | 'ending' | 'ending_amount' | 'ending_by'>,
  nextTryAt: Date,
): Promise<void> => {
  await sql`
    update payment.payment set ending = ${ending}, ending_amount = ${ending_amount}, ending_by = ${ending_by},
      next_poll_at = ${nextTryAt}, polls = 0, changed_at = now()
    where store = ${store} and environment = ${environment} and id = ${id}`;
};

export interface PaymentFilter {
  readonly needsReview: boolean | null;
  readonly status: string | null;
  readonly order: string | null;
  readonly group: string | null;
  readonly before: { readonly createdAt: Date; readonly id: string } | null;
  readonly limit: number;
}

export const pageOfPayments = (
  sql: Sql,
  { store, environment }: Tenant,
  { needsReview, status, order, group, before, limit }: PaymentFilter,
) => sql<PaymentRecord[]>`
  select ${columns(sql)} from payment.payment
  where store = ${store} and environment = ${environment} and status not in ('opening', 'refused')
    ${needsReview === null ? sql`` : sql`and needs_review = ${needsReview}`}
    ${status === null ? sql`` : sql`and status = ${status}`}
    ${order === null ? sql`` : sql`and order_id = ${order}`}
    ${group === null ? sql`` : sql`and checkout_group_id = ${group}`}
    ${before === null ? sql`` : sql`and (created_at, id) < (${before.createdAt}, ${before.id}::uuid)`}
  order by created_at desc, id desc limit ${limit}`;

/**
 * Counts payments across all stores. `pendingAgeS` is the age of the oldest pending payment in seconds, 0 if none is
 * pending.
 */
export const measurePayments = async (
  sql: Sql,
): Promise<{ readonly needsReview: number; readonly pendingAgeS: number }> => {
  const [row] = await sql<{ reviewed: number; age: number }[]>`
    select (select count(*) from payment.payment where needs_review)::int as reviewed,
      coalesce(extract(epoch from now() - (select min(changed_at) from payment.payment where status = 'pending')), 0)::float8
        as age`;
  return { needsReview: row!.reviewed, pendingAgeS: Math.max(0, row!.age) };
};

export const markOrderNotified = async (sql: Sql, tenant: Tenant, payment: PaymentRecord): Promise<void> => {
  await sql`
    update payment.payment set order_notified = true
    where store = ${tenant.store} and environment = ${tenant.environment} and id = ${payment.id}
      and status = ${payment.status} and refunded = ${payment.refunded}`;
};

/** Whether a payment is to be measured or its order notified. */
export const isSweepDue = async (sql: Sql): Promise<boolean> => {
  const [row] = await sql<{ due: boolean }[]>`
    select exists (select from payment.payment where status = 'pending')
      or exists (select from payment.payment where not order_notified) as due`;
  return row!.due;
};

const UNNOTIFIED_S = 2;

export const findUnnotifiedPayments = (sql: Sql, limit: number) => sql<(PaymentRecord & Tenant)[]>`
  select store, environment, ${columns(sql)} from payment.payment
  where not order_notified and changed_at < now() - make_interval(secs => ${UNNOTIFIED_S})
  order by changed_at limit ${limit}`;

export interface PolledPayment extends PaymentRecord, JobRow {
  readonly id: string;
}

/** Payments whose provider has not reported the outcome. */
export const unreportedPayments: JobTable = {
  table: 'payment.payment',
  due: 'next_poll_at',
  lease: 'next_poll_at',
  claimed: (sql) => sql`polls = job.polls + 1`,
  columns: (sql) => sql`polls as attempts, ${columns(sql)}`,
};

export const endPolls = async (sql: Sql, { store, environment }: Tenant, id: string): Promise<void> => {
  await sql`
    update payment.payment set next_poll_at = null
    where store = ${store} and environment = ${environment} and id = ${id}`;
};

const UNOPENED_RETENTION_DAYS = 2;

export const deleteUnopened = async (sql: Sql, limit: number): Promise<void> => {
  await sql`
    delete from payment.payment where ctid in (
      select ctid from payment.payment
      where status in ('opening', 'refused') and changed_at < now() - make_interval(days => ${UNOPENED_RETENTION_DAYS})
      limit ${limit}
    )`;
};

export const findExpiredSimulated = async (sql: Sql, { tenant, until, max }: DueQuery): Promise<readonly DueItem[]> => {
  const rows = await sql<DueRow[]>`
    select store, environment, id, expires_at as due_at from payment.payment
    where status in ('pending', 'authorized') and account is null and ending is null and expires_at <= ${until}
      and ${tenant === null ? sql`true` : sql`store = ${tenant.store} and environment = ${tenant.environment}`}
    order by expires_at, id limit ${max}`;
  return rows.map(dueItemOf);
};
