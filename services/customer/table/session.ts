// SQL of sessions and their tokens.

import type { Tenant } from '#runtime/call/call.ts';
import { inSlices } from '#runtime/flow/slice.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import type { CustomerRecord } from '#services/customer/customer.ts';
import type { TokenPair } from '#services/customer/session.ts';
import { customerColumns } from './customer.ts';

export const insertSession = async (
  sql: Sql,
  tenant: Tenant,
  session: { readonly id: string; readonly customer: string; readonly device: string | null },
  tokens: TokenPair,
  at: Date,
): Promise<void> => {
  const { access, refresh } = tokens;
  await sql`
    with created as (
      insert into customer.session (store, environment, id, customer, user_agent, created_at, expires_at)
      values (${tenant.store}, ${tenant.environment}, ${session.id}, ${session.customer}, ${session.device}, ${at},
        ${refresh.expiresAt})
      returning store, environment, id
    )
    insert into customer.session_token (store, environment, hash, session, kind, expires_at)
    select created.store, created.environment, made.hash, created.id, made.kind, made.expires_at
    from created cross join (values (${access.hash}::bytea, ${access.kind}, ${access.expiresAt}::timestamptz),
      (${refresh.hash}::bytea, ${refresh.kind}, ${refresh.expiresAt}::timestamptz)) as made (hash, kind, expires_at)`;
};

export interface ResolvedSession {
  readonly session: string;
  readonly customer: string;
  readonly expires_at: Date;
}

export const findAccess = async (
  sql: Sql,
  tenant: Tenant,
  hash: Uint8Array,
  now: Date,
): Promise<ResolvedSession | null> => {
  const [found] = await sql<ResolvedSession[]>`
    select s.id as session, s.customer, t.expires_at
    from customer.session_token t
    join customer.session s on s.store = t.store and s.environment = t.environment and s.id = t.session
    where t.store = ${tenant.store} and t.environment = ${tenant.environment} and t.hash = ${hash}
      and t.kind = 'access' and t.expires_at > ${now}`;
  return found ?? null;
};

export type RefreshOutcome =
  | { readonly outcome: 'prolonged'; readonly customer: CustomerRecord }
  | { readonly outcome: 'reused'; readonly session: string };

/**
 * Marks a valid refresh token as used and inserts the next pair of tokens; reports reuse if another call has used the
 * token. One statement, so that a concurrent caller waits only for the commit. Locks the session before its tokens, as
 * all other statements do.
 */
export const useRefresh = async (
  sql: Sql,
  tenant: Tenant,
  hash: Uint8Array,
  { next, device }: { readonly next: TokenPair; readonly device: string | null },
  now: Date,
): Promise<RefreshOutcome | null> => {
  const { access, refresh } = next;
  const [row] = await sql<(CustomerRecord & { family: string; is_fresh: boolean; is_over: boolean })[]>`
    with token as (
      select * from customer.session_token
      where store = ${tenant.store} and environment = ${tenant.environment} and hash = ${hash} and kind = 'refresh'
    ), family as (
      select s.* from customer.session s
      where s.store = ${tenant.store} and s.environment = ${tenant.environment}
        and s.id = (select session from token)
      for update
    ), fresh as (
      update customer.session_token t set used_at = ${now} from family
      where t.store = family.store and t.environment = family.environment and t.hash = ${hash}
        and t.used_at is null and t.expires_at > ${now}
      returning t.session
    ), prolonged as (
      update customer.session s set expires_at = ${refresh.expiresAt}, user_agent = coalesce(${device}, s.user_agent)
      from fresh
      where s.store = ${tenant.store} and s.environment = ${tenant.environment} and s.id = fresh.session
    ), given as (
      insert into customer.session_token (store, environment, hash, session, kind, expires_at)
      select ${tenant.store}::uuid, ${tenant.environment}, made.hash, fresh.session, made.kind, made.expires_at
      from fresh cross join (values (${access.hash}::bytea, ${access.kind}, ${access.expiresAt}::timestamptz),
        (${refresh.hash}::bytea, ${refresh.kind}, ${refresh.expiresAt}::timestamptz)) as made (hash, kind, expires_at)
    )
    select family.id as family, exists (select from fresh) as is_fresh,
      token.used_at is null and token.expires_at <= ${now} as is_over, ${customerColumns(sql)}
    from family cross join token
    join customer.customer c on c.store = family.store and c.environment = family.environment and c.id = family.customer
      and c.deleted_at is null`;
  if (!row || row.is_over) return null;
  const { family, is_fresh, is_over: _, ...customer } = row;
  return is_fresh ? { outcome: 'prolonged', customer } : { outcome: 'reused', session: family };
};

export interface SignInRecord {
  readonly id: string;
  readonly user_agent: string | null;
  readonly created_at: Date;
  readonly expires_at: Date;
}

/** Returns the customer's sessions that have not expired, the newest first, behind `after`. */
export const pageOfSessions = (
  sql: Sql,
  { store, environment }: Tenant,
  customer: string,
  {
    now,
    after,
    limit,
  }: {
    readonly now: Date;
    readonly after: { readonly createdAt: Date; readonly id: string } | null;
    readonly limit: number;
  },
): Promise<readonly SignInRecord[]> =>
  sql<SignInRecord[]>`
    select id, user_agent, created_at, expires_at from customer.session
    where store = ${store} and environment = ${environment} and customer = ${customer} and expires_at > ${now}
      ${after === null ? sql`` : sql`and (created_at, id) < (${after.createdAt}, ${after.id}::uuid)`}
    order by created_at desc, id desc limit ${limit}`;

export const deleteSession = async (sql: Sql, tenant: Tenant, session: string): Promise<void> => {
  await sql`
    delete from customer.session
    where store = ${tenant.store} and environment = ${tenant.environment} and id = ${session}`;
};

/** Returns whether the customer had the session. */
export const deleteSessionOf = async (
  sql: Sql,
  { store, environment }: Tenant,
  customer: string,
  session: string,
): Promise<boolean> => {
  const gone = await sql`
    delete from customer.session
    where store = ${store} and environment = ${environment} and id = ${session} and customer = ${customer}`;
  return gone.count > 0;
};

export const deleteSessions = async (
  sql: Sql,
  tenant: Tenant,
  customer: string,
  except: string | null,
): Promise<string[]> => {
  const ended = await sql<{ id: string }[]>`
    delete from customer.session
    where store = ${tenant.store} and environment = ${tenant.environment} and customer = ${customer}
      and (${except}::uuid is null or id <> ${except})
    returning id`;
  return ended.map(({ id }) => id);
};

/** Deletes rows that have expired by the real clock; no sandbox's clock is behind it. */
export const deleteExpiredSessions = async (sql: Sql, real: Date): Promise<number> => {
  const tokens = await inSlices(async (limit) => {
    const gone = await sql`
      delete from customer.session_token where ctid = any(array(
        select ctid from customer.session_token where expires_at < ${real} limit ${limit}))`;
    return gone.count;
  });
  const sessions = await inSlices(async (limit) => {
    const gone = await sql`
      delete from customer.session where ctid = any(array(
        select ctid from customer.session where expires_at < ${real} limit ${limit}))`;
    return gone.count;
  });
  return tokens + sessions;
};
