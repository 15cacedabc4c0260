// SQL of payment tokens and of the payments that reserve them.
import type { Tenant } from '#runtime/call/call.ts';
import type { Sql } from '#runtime/postgres/sql.ts';

export interface TokenClaim {
  readonly payment: string;
  readonly completion: string;
  readonly claimed_until: Date;
}

export interface TokenRecord {
  readonly id: string;
  readonly intent: string;
  readonly currency: string;
  readonly amount_max: number;
  readonly declines: boolean;
  readonly payment: string | null;
  readonly completion: string | null;
  readonly claimed_until: Date | null;
  readonly expires_at: Date;
}

export interface NewToken extends Omit<TokenRecord, keyof TokenClaim> {
  readonly hash: Buffer;
  readonly created_at: Date;
}

export const insertToken = async (sql: Sql, { store, environment }: Tenant, token: NewToken): Promise<void> => {
  await sql`insert into payment.token ${sql({ store, environment, ...token })}`;
};

export const lockToken = async (
  sql: Sql,
  { store, environment }: Tenant,
  hash: Buffer,
): Promise<TokenRecord | null> => {
  const [token] = await sql<TokenRecord[]>`
    select id, intent, currency, amount_max, declines, payment, completion, claimed_until, expires_at from payment.token
    where store = ${store} and environment = ${environment} and hash = ${hash} for update`;
  return token ?? null;
};

export const isTaken = async (sql: Sql, { store, environment }: Tenant, payment: string): Promise<boolean> => {
  const [row] = await sql`
    select from payment.payment
    where store = ${store} and environment = ${environment} and id = ${payment} and order_id is not null`;
  return row !== undefined;
};

export const claimToken = async (
  sql: Sql,
  { store, environment }: Tenant,
  id: string,
  { payment, completion, claimed_until }: TokenClaim,
): Promise<void> => {
  await sql`
    update payment.token set payment = ${payment}, completion = ${completion}, claimed_until = ${claimed_until}
    where store = ${store} and environment = ${environment} and id = ${id}`;
};

export interface DelegatedPayment {
  readonly id: string;
  readonly reference: string;
  readonly provider: string;
  readonly account: string | null;
  readonly currency: string;
  readonly amount: number;
  readonly created_at: Date;
}

/** Inserts a payment that reserves a token. Idempotent; reopens the payment if the token was released meanwhile. */
export const insertDelegated = async (
  sql: Sql,
  { store, environment }: Tenant,
  payment: DelegatedPayment,
): Promise<void> => {
  await sql`
    insert into payment.payment (store, environment, id, reference, provider, account, type, status, currency, amount,
      metadata, delegated, created_at)
    values (${store}, ${environment}, ${payment.id}, ${payment.reference}, ${payment.provider}, ${payment.account},
      'redirect', 'opening', ${payment.currency}, ${payment.amount}, ${sql.json({})}, true, ${payment.created_at})
    on conflict (store, environment, id) do update set status = 'opening', changed_at = now()
    where payment.delegated and payment.status = 'refused' and payment.order_id is null`;
};

export const releaseClaim = async (sql: Sql, { store, environment }: Tenant, payment: string): Promise<void> => {
  await sql`
    with released as (
      update payment.payment set status = 'refused', changed_at = now()
      where store = ${store} and environment = ${environment} and id = ${payment}
        and delegated and status = 'opening' and order_id is null
      returning id
    )
    update payment.token set payment = null, completion = null, claimed_until = null
    where store = ${store} and environment = ${environment} and payment = ${payment}
      and exists (select from released)`;
};

export const forgetTokens = async (sql: Sql, before: Date, limit: number): Promise<number> => {
  const gone = await sql`
    delete from payment.token where ctid = any(array(
      select ctid from payment.token where expires_at < ${before} limit ${limit}))`;
  return gone.count;
};

export const lockReservation = async (sql: Sql, { store, environment }: Tenant, payment: string): Promise<boolean> => {
  const rows = await sql`
    select from payment.payment
    where store = ${store} and environment = ${environment} and id = ${payment} and account is not null
    union all
    select from (
      select from payment.token
      where store = ${store} and environment = ${environment} and payment = ${payment} for update
    ) as reserved`;
  return rows.length > 0;
};

export const linkToOrder = async (
  sql: Sql,
  { store, environment }: Tenant,
  payment: string,
  order: { readonly id: string; readonly order_number: string },
): Promise<boolean> => {
  const { count } = await sql`
    update payment.payment
    set order_id = ${order.id}, order_number = ${order.order_number}, status = 'pending',
      session_id = coalesce(session_id, reference), claimed_until = null, next_poll_at = now(), changed_at = now()
    where store = ${store} and environment = ${environment} and id = ${payment}
      and delegated and status = 'opening' and order_id is null`;
  return count === 1;
};
