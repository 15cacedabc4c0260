// SQL of suppressed addresses: those that a mail provider reported, and those whose owners unsubscribed.
import type { Tenant } from '#runtime/call/call.ts';
import type { Sql } from '#runtime/postgres/sql.ts';

export type SuppressionReason = 'hard_bounce' | 'complaint' | 'unsubscribed';

export interface SuppressionRecord {
  readonly id: string;
  readonly email: string;
  readonly reason: SuppressionReason;
  readonly details: string | null;
  readonly created_at: Date;
}

/** Returns SQL that is true if mail to the address is suppressed. An unsubscription concerns marketing alone. */
export const isSuppressed = (
  sql: Sql,
  { store, environment }: Tenant,
  email: ReturnType<Sql>,
  isMarketing: boolean,
) => sql`
  exists (
    select from mail.suppression
    where store = ${store} and environment = ${environment} and email = lower(${email})
      and (reason <> 'unsubscribed' or ${isMarketing}::boolean))`;

/** Returns false if the address is already suppressed for that reason. */
export const insertSuppression = async (
  sql: Sql,
  { store, environment }: Tenant,
  { id, email, reason, details, created_at }: SuppressionRecord,
): Promise<boolean> => {
  const made = await sql`
    insert into mail.suppression (store, environment, id, email, reason, details, created_at)
    values (${store}, ${environment}, ${id}, lower(${email}), ${reason}, ${details}, ${created_at})
    on conflict (store, environment, email, reason) do nothing`;
  return made.count > 0;
};

export interface SuppressionFilter {
  readonly email: string | null;
  readonly before: { readonly createdAt: Date; readonly id: string } | null;
  readonly limit: number;
}

export const pageOfSuppressions = (
  sql: Sql,
  { store, environment }: Tenant,
  { email, before, limit }: SuppressionFilter,
) => sql<SuppressionRecord[]>`
  select id, email, reason, details, created_at from mail.suppression
  where store = ${store} and environment = ${environment}
    ${email === null ? sql`` : sql`and email = lower(${email})`}
    ${before === null ? sql`` : sql`and (created_at, id) < (${before.createdAt}, ${before.id})`}
  order by created_at desc, id desc limit ${limit}`;

export const isUnsubscribed = async (sql: Sql, { store, environment }: Tenant, email: string): Promise<boolean> => {
  const found = await sql`
    select from mail.suppression
    where store = ${store} and environment = ${environment} and email = lower(${email}) and reason = 'unsubscribed'`;
  return found.count > 0;
};

export const deleteSuppression = async (sql: Sql, { store, environment }: Tenant, id: string): Promise<boolean> => {
  const gone = await sql`
    delete from mail.suppression where store = ${store} and environment = ${environment} and id = ${id}`;
  return gone.count > 0;
};

/** Replaces the tenant's address for bounces, of which only a hash is stored. */
export const saveBounceAddress = async (
  sql: Sql,
  { store, environment }: Tenant,
  tokenHash: Uint8Array,
  now: Date,
): Promise<void> => {
  await sql`
    insert into mail.bounce_address (store, environment, token_hash, created_at)
    values (${store}, ${environment}, ${tokenHash}, ${now})
    on conflict (store, environment) do update set token_hash = excluded.token_hash, created_at = excluded.created_at`;
};

/** Returns the hash of the secret in the tenant's address for bounces; null if it has none. */
export const findBounceToken = async (sql: Sql, { store, environment }: Tenant): Promise<Uint8Array | null> => {
  const [found] = await sql<{ token_hash: Uint8Array }[]>`
    select token_hash from mail.bounce_address where store = ${store} and environment = ${environment}`;
  return found?.token_hash ?? null;
};
