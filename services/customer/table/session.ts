// SQL of sessions and their tokens.
import type { Tenant } from '#runtime/call.ts';
import type { Sql } from '#runtime/postgres.ts';
import type { TokenPair } from '#services/customer/session.ts';

const insertTokens = async (sql: Sql, tenant: Tenant, session: string, tokens: TokenPair): Promise<void> => {
  const { access, refresh } = tokens;
  await sql`
    insert into customer.session_token (store, environment, hash, session, kind, expires_at)
    values
      (${tenant.store}, ${tenant.environment}, ${access.hash}, ${session}, ${access.kind}, ${access.expiresAt}),
      (${tenant.store}, ${tenant.environment}, ${refresh.hash}, ${session}, ${refresh.kind}, ${refresh.expiresAt})`;
};

export const insertSession = async (
  sql: Sql,
  tenant: Tenant,
  session: { readonly id: string; readonly customer: string },
  tokens: TokenPair,
  at: Date,
): Promise<void> => {
  await sql`
    insert into customer.session (store, environment, id, customer, created_at, expires_at)
    values (${tenant.store}, ${tenant.environment}, ${session.id}, ${session.customer}, ${at},
      ${tokens.refresh.expiresAt})`;
  await insertTokens(sql, tenant, session.id, tokens);
};

export interface ResolvedSession {
  readonly session: string;
  readonly customer: string;
  readonly expires_at: Date;
}

/** Whose an access token is that still lives. */
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

/** Marks a living refresh token as used, once, and answers its session; of many at once one is told so. */
export const useRefresh = async (sql: Sql, tenant: Tenant, hash: Uint8Array, now: Date): Promise<string | null> => {
  const [token] = await sql<{ session: string }[]>`
    update customer.session_token set used_at = ${now}
    where store = ${tenant.store} and environment = ${tenant.environment} and hash = ${hash}
      and kind = 'refresh' and used_at is null and expires_at > ${now}
    returning session`;
  return token?.session ?? null;
};

/** The session of a refresh token that was used before; null where there is none. */
export const findUsedRefresh = async (sql: Sql, tenant: Tenant, hash: Uint8Array): Promise<string | null> => {
  const [token] = await sql<{ session: string }[]>`
    select session from customer.session_token
    where store = ${tenant.store} and environment = ${tenant.environment} and hash = ${hash}
      and kind = 'refresh' and used_at is not null`;
  return token?.session ?? null;
};

/** Gives a session its next tokens and answers its customer; null where the session has ended. */
export const prolongSession = async (
  sql: Sql,
  tenant: Tenant,
  session: string,
  tokens: TokenPair,
): Promise<string | null> => {
  const [prolonged] = await sql<{ customer: string }[]>`
    update customer.session set expires_at = ${tokens.refresh.expiresAt}
    where store = ${tenant.store} and environment = ${tenant.environment} and id = ${session}
    returning customer`;
  if (!prolonged) return null;
  await insertTokens(sql, tenant, session, tokens);
  return prolonged.customer;
};

/** Tokens first, then the session, in the order in which a refresh takes their locks. */
export const deleteSession = async (sql: Sql, tenant: Tenant, session: string): Promise<void> => {
  await sql`
    delete from customer.session_token
    where store = ${tenant.store} and environment = ${tenant.environment} and session = ${session}`;
  await sql`
    delete from customer.session
    where store = ${tenant.store} and environment = ${tenant.environment} and id = ${session}`;
};

const SWEEP_MAX = 5_000;

/**
 * Deletes what is over for everybody (a sandbox's time is never behind the real one), at most a bounded batch; returns
 * how many rows.
 */
export const sweepSessions = async (sql: Sql, real: Date): Promise<number> => {
  const tokens = await sql`
    delete from customer.session_token where ctid = any(array(
      select ctid from customer.session_token where expires_at < ${real} limit ${SWEEP_MAX}))`;
  const sessions = await sql`
    delete from customer.session where ctid = any(array(
      select ctid from customer.session where expires_at < ${real} limit ${SWEEP_MAX}))`;
  return tokens.count + sessions.count;
};
