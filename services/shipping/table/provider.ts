// Shipping providers in Postgres, with encrypted secrets.
import type { Tenant } from '#runtime/call/call.ts';
import type { Sql } from '#runtime/postgres/sql.ts';

export interface CarrierRecord {
  readonly id: string;
  readonly kind: 'carrier_account' | 'custom';
  readonly name: string;
  readonly url: string;
  readonly secret: Uint8Array;
  readonly created_at: Date;
}

export const secretContext = ({ store, environment }: Tenant, id: string): string =>
  `shipping.provider/${store}/${environment}/${id}`;

const isConnected = (sql: Sql, { store, environment }: Tenant) =>
  sql`store = ${store} and environment = ${environment} and deleted_at is null`;

export const insertProvider = async (sql: Sql, tenant: Tenant, provider: CarrierRecord): Promise<void> => {
  await sql`
    insert into shipping.provider (store, environment, id, kind, name, url, secret, created_at)
    values (${tenant.store}, ${tenant.environment}, ${provider.id}, ${provider.kind}, ${provider.name}, ${provider.url},
      ${provider.secret}, ${provider.created_at})`;
};

export const deleteProvider = async (sql: Sql, tenant: Tenant, id: string, now: Date): Promise<boolean> => {
  const { count } = await sql`
    update shipping.provider set deleted_at = ${now}, secret = ''::bytea where ${isConnected(sql, tenant)} and id = ${id}`;
  return count > 0;
};

export const countProviders = async (sql: Sql, tenant: Tenant): Promise<number> => {
  const [row] = await sql<{ providers: number }[]>`
    select count(*)::integer as providers from shipping.provider where ${isConnected(sql, tenant)}`;
  return row!.providers;
};

export const allProviders = (sql: Sql, tenant: Tenant): Promise<CarrierRecord[]> =>
  sql<CarrierRecord[]>`
    select id, kind, name, url, secret, created_at from shipping.provider where ${isConnected(sql, tenant)} order by sequence`;

export const listProviders = (
  sql: Sql,
  tenant: Tenant,
  before: number | null,
  limit: number,
): Promise<(CarrierRecord & { sequence: number })[]> =>
  sql<(CarrierRecord & { sequence: number })[]>`
    select id, sequence, kind, name, url, secret, created_at from shipping.provider
    where ${isConnected(sql, tenant)} ${before === null ? sql`` : sql`and sequence < ${before}`}
    order by sequence desc limit ${limit}`;
