// SQL of codes and tokens.
import type { Environment, Tenant } from '#runtime/call/call.ts';
import type { Sql } from '#runtime/postgres/sql.ts';

export type CredentialKind = 'code' | 'access' | 'refresh';

export interface CredentialRecord {
  readonly hash: Uint8Array;
  readonly kind: CredentialKind;
  readonly grant_id: string;
  readonly scopes: readonly string[];
  readonly redirect_uri: string | null;
  readonly challenge: string | null;
  readonly created_at: Date;
  readonly expires_at: Date;
  readonly ended_at: Date | null;
}

export interface FoundCredential extends CredentialRecord {
  readonly store: string;
  readonly environment: Environment;
  readonly client: string;
  readonly client_name: string;
  readonly grant_ended: boolean;
}

export const insertCredentials = async (
  sql: Sql,
  { store, environment }: Tenant,
  credentials: readonly CredentialRecord[],
): Promise<void> => {
  for (const { scopes, ...credential } of credentials)
    await sql`
      insert into connect.credential ${sql({ store, environment, ...credential, scopes: sql.json([...scopes]) })}`;
};

/**
 * Finds a credential and its grant; `lock` locks the grant until the transaction ends, so that concurrent uses run one
 * after the other.
 */
export const findCredential = async (
  sql: Sql,
  kind: CredentialKind,
  hash: Uint8Array,
  lock = false,
): Promise<FoundCredential | null> => {
  const [credential] = await sql<FoundCredential[]>`
    select c.store, c.environment, c.hash, c.kind, c.grant_id, c.scopes, c.redirect_uri, c.challenge, c.created_at,
      c.expires_at, c.ended_at, g.client, g.ended_at is not null as grant_ended,
      (select name from connect.client where client.id = g.client) as client_name
    from connect.credential as c
    join connect.grant as g on g.store = c.store and g.environment = c.environment and g.id = c.grant_id
    where c.hash = ${hash} and c.kind = ${kind}
    ${lock ? sql`for update` : sql``}`;
  return credential ?? null;
};

export const endCredential = async (sql: Sql, hash: Uint8Array, at: Date): Promise<void> => {
  await sql`update connect.credential set ended_at = ${at} where hash = ${hash} and ended_at is null`;
};

export const firstAccessTokenExpiry = async (
  sql: Sql,
  { store, environment }: Tenant,
  from: Date,
  until: Date,
): Promise<Date | null> => {
  const [found] = await sql<{ at: Date | null }[]>`
    select min(expires_at) as at from connect.credential
    where store = ${store} and environment = ${environment} and kind = 'access' and ended_at is null
      and expires_at > ${from} and expires_at <= ${until}`;
  return found?.at ?? null;
};

export const countAccessTokenExpiries = async (
  sql: Sql,
  { store, environment }: Tenant,
  from: Date,
  until: Date,
): Promise<number> => {
  const [found] = await sql<{ count: number }[]>`
    select count(*)::integer as count from connect.credential
    where store = ${store} and environment = ${environment} and kind = 'access' and ended_at is null
      and expires_at > ${from} and expires_at <= ${until}`;
  return found?.count ?? 0;
};

export const deleteExpiredCredentials = async (sql: Sql, before: Date, max: number): Promise<number> => {
  const gone = await sql`
    delete from connect.credential where ctid in (
      select ctid from connect.credential where expires_at < ${before} limit ${max}
    )`;
  return gone.count;
};
