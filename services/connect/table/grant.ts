// SQL of grants.
import type { Tenant } from '#runtime/call/call.ts';
import type { Sql } from '#runtime/postgres/sql.ts';

export interface GrantRecord {
  readonly id: string;
  readonly client: string;
  readonly client_name: string;
  readonly scopes: readonly string[];
  readonly created_at: Date;
  readonly last_used_at: Date | null;
  readonly ended_at: Date | null;
}

const columns = (sql: Sql) => sql`id, client, client_name, scopes, created_at, last_used_at, ended_at`;

export const insertGrant = async (
  sql: Sql,
  { store, environment }: Tenant,
  { scopes, ...grant }: GrantRecord,
): Promise<void> => {
  await sql`insert into connect.grant ${sql({ store, environment, ...grant, scopes: sql.json([...scopes]) })}`;
};

export const findGrant = async (sql: Sql, { store, environment }: Tenant, id: string): Promise<GrantRecord | null> => {
  const [row] = await sql<GrantRecord[]>`
    select ${columns(sql)} from connect.grant
    where store = ${store} and environment = ${environment} and id = ${id} and ended_at is null`;
  return row ?? null;
};

export const pageOfGrants = (
  sql: Sql,
  { store, environment }: Tenant,
  after: { readonly createdAt: Date; readonly id: string } | null,
  limit: number,
  now: Date,
): Promise<GrantRecord[]> => sql<GrantRecord[]>`
  select ${columns(sql)} from connect.grant as g
  where store = ${store} and environment = ${environment} and ended_at is null
    and exists (
      select from connect.credential as c
      where c.store = g.store and c.environment = g.environment and c.grant_id = g.id and c.kind <> 'code'
        and c.ended_at is null and c.expires_at > ${now}
    )
    and ${after === null ? sql`true` : sql`(created_at, id) < (${after.createdAt}, ${after.id}::uuid)`}
  order by created_at desc, id desc limit ${limit}`;

export const endGrant = async (sql: Sql, { store, environment }: Tenant, id: string, at: Date): Promise<boolean> => {
  const ended = await sql`
    update connect.grant set ended_at = ${at}
    where store = ${store} and environment = ${environment} and id = ${id} and ended_at is null`;
  return ended.count > 0;
};

export const recordUse = async (sql: Sql, { store, environment }: Tenant, id: string, at: Date): Promise<void> => {
  await sql`
    update connect.grant set last_used_at = ${at}
    where store = ${store} and environment = ${environment} and id = ${id}
      and (last_used_at is null or last_used_at < ${at}::timestamptz)`;
};

export const deleteGrantsWithoutCredentials = async (sql: Sql, before: Date, max: number): Promise<number> => {
  const gone = await sql`
    delete from connect.grant where ctid in (
      select g.ctid from connect.grant as g
      where g.created_at < ${before} and not exists (
        select from connect.credential as c
        where c.store = g.store and c.environment = g.environment and c.grant_id = g.id
      )
      limit ${max}
    )`;
  return gone.count;
};
