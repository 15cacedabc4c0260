// Connected providers in Postgres, with sealed credentials.
import type { Tenant } from '#runtime/call/call.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import type { Seal } from '#runtime/process/seal.ts';
import type { ProviderAccount } from '#services/payment/provider/provider.ts';

export interface PaymentProviderRecord {
  readonly id: string;
  readonly provider: string;
  readonly name: string;
  readonly custom: boolean;
  readonly credentials: Uint8Array;
  readonly initialize_url: string | null;
  readonly verify_url: string | null;
  readonly created_at: Date;
}

const columns = (sql: Sql) => sql`id, provider, name, custom, credentials, initialize_url, verify_url, created_at`;

export const credentialsContext = ({ store, environment }: Tenant, id: string): string =>
  `payment_provider/${store}/${environment}/${id}`;

export const sealCredentials = (
  seal: Seal,
  tenant: Tenant,
  id: string,
  credentials: ProviderAccount['credentials'],
): Uint8Array => seal.close(JSON.stringify(credentials), credentialsContext(tenant, id));

export const accountOf = (seal: Seal, tenant: Tenant, record: PaymentProviderRecord): ProviderAccount => ({
  environment: tenant.environment,
  credentials: JSON.parse(seal.open(record.credentials, credentialsContext(tenant, record.id))),
  initializeUrl: record.initialize_url,
  verifyUrl: record.verify_url,
});

export const listProviders = (sql: Sql, { store, environment }: Tenant) => sql<PaymentProviderRecord[]>`
  select ${columns(sql)} from payment.provider
  where store = ${store} and environment = ${environment} and disconnected_at is null order by created_at, provider`;

export const pageOfProviders = (
  sql: Sql,
  { store, environment }: Tenant,
  [time, id]: readonly [number, string] | readonly [],
  limit: number,
) => sql<PaymentProviderRecord[]>`
  select ${columns(sql)} from payment.provider
  where store = ${store} and environment = ${environment} and disconnected_at is null
    ${time === undefined ? sql`` : sql`and (created_at, id) > (${new Date(time)}, ${id!})`}
  order by created_at, id limit ${limit}`;

export const findConnected = async (
  sql: Sql,
  tenant: Tenant,
  provider: string,
): Promise<PaymentProviderRecord | null> => {
  const [row] = await sql<PaymentProviderRecord[]>`
    select ${columns(sql)} from payment.provider
    where store = ${tenant.store} and environment = ${tenant.environment} and provider = ${provider}
      and disconnected_at is null`;
  return row ?? null;
};

/** Finds disconnected accounts, too, since their payments may still be open. */
export const findAccount = async (sql: Sql, tenant: Tenant, id: string): Promise<PaymentProviderRecord | null> => {
  const [row] = await sql<PaymentProviderRecord[]>`
    select ${columns(sql)} from payment.provider
    where store = ${tenant.store} and environment = ${tenant.environment} and id = ${id}`;
  return row ?? null;
};

const ACCOUNTS_TRIED_MAX = 5;

export const accountsNamed = (sql: Sql, { store, environment }: Tenant, provider: string) => sql<
  PaymentProviderRecord[]
>`
  select ${columns(sql)} from payment.provider
  where store = ${store} and environment = ${environment} and provider = ${provider}
  order by disconnected_at nulls first, created_at desc limit ${ACCOUNTS_TRIED_MAX}`;

export const connectProvider = async (
  sql: Sql,
  tenant: Tenant,
  record: PaymentProviderRecord,
  replaced: string | null,
): Promise<boolean> => {
  if (replaced !== null) await disconnectProvider(sql, tenant, replaced, record.created_at);
  const { count } = await sql`
    insert into payment.provider (store, environment, ${columns(sql)})
    values (${tenant.store}, ${tenant.environment}, ${record.id}, ${record.provider}, ${record.name}, ${record.custom},
      ${record.credentials}, ${record.initialize_url}, ${record.verify_url}, ${record.created_at})
    on conflict (store, environment, provider) where disconnected_at is null do nothing`;
  return count === 1;
};

export const disconnectProvider = async (
  sql: Sql,
  { store, environment }: Tenant,
  id: string,
  at: Date,
): Promise<boolean> => {
  const { count } = await sql`
    update payment.provider set disconnected_at = ${at}
    where store = ${store} and environment = ${environment} and disconnected_at is null and id = ${id}`;
  return count > 0;
};
