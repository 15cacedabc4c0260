// SQL of webhook endpoints.
import type { Environment, Tenant } from '#runtime/call/call.ts';
import type { Sql, SqlFragment } from '#runtime/postgres/sql.ts';

export type EndpointFormat = 'stoa' | 'acp' | 'ucp';

export interface EndpointRecord {
  readonly id: string;
  readonly url: string;
  readonly description: string | null;
  readonly events: readonly string[];
  readonly enabled: boolean;
  readonly format: EndpointFormat;
  /** URL at which a platform found the store's profile; null for an endpoint that a merchant created. */
  readonly found_at: string | null;
  /** Sealed, like the previous secret; empty if messages are signed with the store's own key. */
  readonly secret: Uint8Array;
  readonly previous_secret: Uint8Array | null;
  /** Time of the tenant's clock until which the previous secret signs too. */
  readonly previous_until: Date | null;
  readonly created_at: Date;
  readonly updated_at: Date;
}

export const secretContext = (store: string, environment: Environment, id: string): string =>
  `webhook.endpoint/${store}/${environment}/${id}`;

const columns = (sql: Sql) => sql`
  id, url, description, events, enabled, format, found_at, secret, previous_secret, previous_until, created_at,
  updated_at`;

const live = (sql: Sql, { store, environment }: Tenant) =>
  sql`store = ${store} and environment = ${environment} and deleted_at is null`;

/** Returns false if the platform already has an endpoint. */
export const insertEndpoint = async (
  sql: Sql,
  { store, environment }: Tenant,
  it: EndpointRecord,
): Promise<boolean> => {
  const { count } = await sql`
    insert into webhook.endpoint
      (store, environment, id, url, description, events, enabled, format, found_at, secret, created_at, updated_at)
    values (${store}, ${environment}, ${it.id}, ${it.url}, ${it.description}, ${it.events as string[]}, ${it.enabled},
      ${it.format}, ${it.found_at}, ${it.secret}, ${it.created_at}, ${it.updated_at})
    on conflict (store, environment, url, found_at) where found_at is not null and deleted_at is null do nothing`;
  return count > 0;
};

export const findPlatformEndpoint = async (
  sql: Sql,
  tenant: Tenant,
  url: string,
  foundAt: string,
): Promise<string | null> => {
  const [row] = await sql<{ id: string }[]>`
    select id from webhook.endpoint where ${live(sql, tenant)} and url = ${url} and found_at = ${foundAt}`;
  return row?.id ?? null;
};

export const saveEndpoint = async (sql: Sql, tenant: Tenant, it: EndpointRecord): Promise<void> => {
  await sql`
    update webhook.endpoint set url = ${it.url}, description = ${it.description}, events = ${it.events as string[]},
      enabled = ${it.enabled}, secret = ${it.secret}, previous_secret = ${it.previous_secret},
      previous_until = ${it.previous_until}, updated_at = ${it.updated_at}
    where ${live(sql, tenant)} and id = ${it.id}`;
};

/** Erases the secrets. The row stays, because the log refers to it. */
export const deleteEndpoint = async (sql: Sql, tenant: Tenant, id: string, now: Date): Promise<boolean> => {
  const { count } = await sql`
    update webhook.endpoint set deleted_at = ${now}, enabled = false, secret = ''::bytea, previous_secret = null
    where ${live(sql, tenant)} and id = ${id}`;
  return count > 0;
};

export const findEndpoint = async (sql: Sql, tenant: Tenant, id: string): Promise<EndpointRecord | null> => {
  const [row] = await sql<EndpointRecord[]>`
    select ${columns(sql)} from webhook.endpoint where ${live(sql, tenant)} and id = ${id}`;
  return row ?? null;
};

export const lockEndpoint = async (sql: Sql, tenant: Tenant, id: string): Promise<EndpointRecord | null> => {
  const [row] = await sql<EndpointRecord[]>`
    select ${columns(sql)} from webhook.endpoint where ${live(sql, tenant)} and id = ${id} for update`;
  return row ?? null;
};

export const countEndpoints = async (sql: Sql, tenant: Tenant, by: 'merchant' | 'platform'): Promise<number> => {
  const [row] = await sql<{ endpoints: number }[]>`
    select count(*)::integer as endpoints from webhook.endpoint
    where ${live(sql, tenant)} and (found_at is not null) = ${by === 'platform'}`;
  return row!.endpoints;
};

export const pageOfEndpoints = (
  sql: Sql,
  tenant: Tenant,
  before: number | null,
  limit: number,
): Promise<(EndpointRecord & { sequence: number })[]> =>
  sql<(EndpointRecord & { sequence: number })[]>`
    select ${columns(sql)}, sequence from webhook.endpoint
    where ${live(sql, tenant)} ${before === null ? sql`` : sql`and sequence < ${before}`}
    order by sequence desc limit ${limit}`;

export const hasEndpoints = async (sql: Sql, tenant: Tenant): Promise<boolean> => {
  const [row] = await sql`select 1 from webhook.endpoint where ${live(sql, tenant)} limit 1`;
  return row !== undefined;
};

export const isFollowed = (sql: Sql, row: SqlFragment): SqlFragment => sql`
  exists (
    select from webhook.endpoint as own
    where own.store = ${row}.store and own.environment = ${row}.environment and own.deleted_at is null and own.enabled)`;
