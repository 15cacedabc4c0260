// Refunds of payments in Postgres.
import type { Tenant } from '#runtime/call/call.ts';
import type { JobRow, JobTable } from '#runtime/job/job.ts';
import type { Sql } from '#runtime/postgres/sql.ts';

export interface PaymentRefund {
  readonly id: string;
  readonly payment_id: string;
  readonly refund_id: string | null;
  readonly amount: number;
  readonly reason: string | null;
  readonly status: 'pending' | 'succeeded' | 'failed';
  readonly provider_refund: string | null;
  readonly attempts: number;
  /** Number of tries that may have reached the provider. */
  readonly reached: number;
}

const columns = (sql: Sql) =>
  sql`id, payment_id, refund_id, amount, reason, status, provider_refund, attempts, reached`;

export const insertRefund = async (
  sql: Sql,
  { store, environment }: Tenant,
  refund: PaymentRefund,
  nextAttemptAt: Date | null,
  now: Date,
): Promise<boolean> => {
  const { count } = await sql`
    insert into payment.refund (store, environment, ${columns(sql)}, next_attempt_at, created_at, updated_at)
    values (${store}, ${environment}, ${refund.id}, ${refund.payment_id}, ${refund.refund_id}, ${refund.amount},
      ${refund.reason}, ${refund.status}, ${refund.provider_refund}, ${refund.attempts}, ${refund.reached},
      ${nextAttemptAt}, ${now}, ${now})
    on conflict do nothing`;
  return count === 1;
};

export const lockRefund = async (sql: Sql, tenant: Tenant, id: string): Promise<PaymentRefund | null> => {
  const [row] = await sql<PaymentRefund[]>`
    select ${columns(sql)} from payment.refund
    where store = ${tenant.store} and environment = ${tenant.environment} and id = ${id} for no key update`;
  return row ?? null;
};

/**
 * Finds the refund that a report is about: by our id, by the provider's id, or as the oldest pending one of that
 * amount. Some providers report another id than they answered, or none.
 */
export const findReported = async (
  sql: Sql,
  { store, environment }: Tenant,
  payment: string,
  named: { readonly id: string | null; readonly providerRefund: string | null; readonly amount: number | null },
): Promise<PaymentRefund | null> => {
  const [row] = await sql<PaymentRefund[]>`
    select ${columns(sql)} from payment.refund
    where store = ${store} and environment = ${environment} and payment_id = ${payment}
      and (id::text = ${named.id ?? ''} or provider_refund = ${named.providerRefund ?? ''}
        or (${named.id === null} and status = 'pending' and amount = ${named.amount ?? 0}))
    order by (id::text = ${named.id ?? ''} or provider_refund = ${named.providerRefund ?? ''}) desc, created_at limit 1`;
  return row ?? null;
};

/** Finds the refunds of the shares of an operator's payment. A provider may report several of these as one refund. */
export const findReportedShares = async (
  sql: Sql,
  whole: string,
  named: { readonly id: string | null; readonly providerRefund: string | null; readonly amount: number | null },
): Promise<readonly (PaymentRefund & Tenant)[]> => {
  const found = await sql<(PaymentRefund & Tenant & { readonly named: boolean })[]>`
    select r.store, r.environment, r.id, r.payment_id, r.refund_id, r.amount, r.reason, r.status, r.provider_refund,
      r.attempts, r.reached,
      (r.id::text = ${named.id ?? ''} or coalesce(r.provider_refund = ${named.providerRefund ?? ''}, false)) as named
    from payment.payment share
    join payment.refund r on r.store = share.store and r.environment = share.environment and r.payment_id = share.id
    where share.whole_payment = ${whole}
      and (r.id::text = ${named.id ?? ''} or r.provider_refund = ${named.providerRefund ?? ''}
        or (${named.id === null} and r.status = 'pending' and r.amount = ${named.amount ?? 0}))
    order by r.created_at, r.id`;
  const byName = found.filter((refund) => refund.named);
  return (byName.length > 0 ? byName : found.slice(0, 1)).map(({ named: _, ...refund }) => refund);
};

export const partsOf = (sql: Sql, tenant: Tenant, refund: string) => sql<PaymentRefund[]>`
  select ${columns(sql)} from payment.refund
  where store = ${tenant.store} and environment = ${tenant.environment} and refund_id = ${refund}`;

export const endedRefunds = (sql: Sql, { store, environment }: Tenant, payment: string) => sql<
  { readonly refund_id: string; readonly succeeded: boolean }[]
>`
  select part.refund_id, bool_and(part.status = 'succeeded') as succeeded
  from payment.refund own
  join payment.refund part on part.store = own.store and part.environment = own.environment
    and part.refund_id = own.refund_id
  where own.store = ${store} and own.environment = ${environment} and own.payment_id = ${payment}
  group by part.refund_id having bool_and(part.status <> 'pending')
  order by part.refund_id`;

export const saveRefund = async (
  sql: Sql,
  { store, environment }: Tenant,
  refund: PaymentRefund,
  nextAttemptAt: Date | null,
  now: Date,
): Promise<void> => {
  await sql`
    update payment.refund set status = ${refund.status}, provider_refund = ${refund.provider_refund},
      attempts = ${refund.attempts}, reached = ${refund.reached}, next_attempt_at = ${nextAttemptAt}, updated_at = ${now}
    where store = ${store} and environment = ${environment} and id = ${refund.id}`;
};

export interface DueRefund extends PaymentRefund, JobRow {
  readonly id: string;
  readonly attempts: number;
}

/** Refunds whose provider has not answered. A claim counts as reaching it, until `uncountReached`. */
export const unansweredRefunds: JobTable = {
  table: 'payment.refund',
  due: 'next_attempt_at',
  lease: 'next_attempt_at',
  claimed: (sql) => sql`attempts = job.attempts + 1, reached = job.reached + 1`,
  columns,
};

export const uncountReached = async (sql: Sql, { store, environment }: Tenant, id: string): Promise<void> => {
  await sql`
    update payment.refund set reached = reached - 1
    where store = ${store} and environment = ${environment} and id = ${id} and status = 'pending'`;
};
