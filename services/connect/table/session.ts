// SQL of connect sessions.
import type { Environment, Tenant } from '#runtime/call/call.ts';
import type { Sql } from '#runtime/postgres/sql.ts';

export interface SessionRecord {
  readonly id: string;
  readonly ticket_hash: Uint8Array;
  readonly ticket: Uint8Array;
  readonly client: string;
  readonly client_name: string;
  readonly redirect_uri: string;
  readonly scopes: readonly string[];
  readonly status: 'pending' | 'authorized' | 'denied';
  readonly created_at: Date;
  readonly expires_at: Date;
}

export interface FoundSession extends SessionRecord {
  readonly store: string;
  readonly environment: Environment;
}

const columns = (sql: Sql) => sql`
  id, ticket_hash, ticket, client, client_name, redirect_uri, scopes, status, created_at, expires_at`;

export const insertSession = async (
  sql: Sql,
  { store, environment }: Tenant,
  { scopes, ...session }: SessionRecord,
): Promise<void> => {
  await sql`
    insert into connect.session ${sql({ store, environment, ...session, scopes: sql.json([...scopes]) })}`;
};

export const pageOfSessions = (
  sql: Sql,
  { store, environment }: Tenant,
  after: { readonly createdAt: Date; readonly id: string } | null,
  limit: number,
): Promise<SessionRecord[]> => sql<SessionRecord[]>`
  select ${columns(sql)} from connect.session
  where store = ${store} and environment = ${environment}
    and ${after === null ? sql`true` : sql`(created_at, id) < (${after.createdAt}, ${after.id}::uuid)`}
  order by created_at desc, id desc limit ${limit}`;

export const findSessionByTicket = async (
  sql: Sql,
  ticketHash: Uint8Array,
  lock = false,
): Promise<FoundSession | null> => {
  const [session] = await sql<FoundSession[]>`
    select store, environment, ${columns(sql)} from connect.session where ticket_hash = ${ticketHash}
    ${lock ? sql`for update` : sql``}`;
  return session ?? null;
};

export const pendingSessionsOf = (
  sql: Sql,
  client: string,
  redirectUri: string,
  after: Date,
  limit: number,
): Promise<FoundSession[]> => sql<FoundSession[]>`
  select store, environment, ${columns(sql)} from connect.session
  where client = ${client} and status = 'pending' and redirect_uri = ${redirectUri} and expires_at > ${after}
  order by created_at desc limit ${limit}`;

export const decideSession = async (
  sql: Sql,
  { store, environment, id }: Pick<FoundSession, 'store' | 'environment' | 'id'>,
  status: 'authorized' | 'denied',
): Promise<void> => {
  await sql`
    update connect.session set status = ${status}
    where store = ${store} and environment = ${environment} and id = ${id}`;
};

export const deleteExpiredSessions = async (sql: Sql, before: Date, max: number): Promise<number> => {
  const gone = await sql`
    delete from connect.session where ctid in (
      select ctid from connect.session where expires_at < ${before} limit ${max}
    )`;
  return gone.count;
};
