// Tax rates in Postgres.
import type { Tenant } from '#runtime/call/call.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import type { TaxRateRecord } from '#services/pricing/tax_rate.ts';

const columns = (sql: Sql) => sql`
  id, name, country, state, postal_prefix, rate, category_id, applies_to_shipping, priority, compound, created_at,
  updated_at`;

export const findTaxRate = async (
  sql: Sql,
  { store, environment }: Tenant,
  id: string,
): Promise<TaxRateRecord | null> => {
  const [row] = await sql<TaxRateRecord[]>`
    select ${columns(sql)} from pricing.tax_rate
    where store = ${store} and environment = ${environment} and id = ${id} and deleted_at is null`;
  return row ?? null;
};

export const lockTaxRate = async (
  sql: Sql,
  { store, environment }: Tenant,
  id: string,
): Promise<TaxRateRecord | null> => {
  const [row] = await sql<TaxRateRecord[]>`
    select ${columns(sql)} from pricing.tax_rate
    where store = ${store} and environment = ${environment} and id = ${id} and deleted_at is null for update`;
  return row ?? null;
};

export const allTaxRates = async (sql: Sql, { store, environment }: Tenant): Promise<TaxRateRecord[]> =>
  sql<TaxRateRecord[]>`
    select ${columns(sql)} from pricing.tax_rate where store = ${store} and environment = ${environment} and deleted_at is null`;

export const listTaxRates = async (
  sql: Sql,
  { store, environment }: Tenant,
  after: { readonly createdAt: Date; readonly id: string } | null,
  limit: number,
): Promise<TaxRateRecord[]> => sql<TaxRateRecord[]>`
  select ${columns(sql)} from pricing.tax_rate
  where store = ${store} and environment = ${environment} and deleted_at is null
    and ${after === null ? sql`true` : sql`(created_at, id) < (${after.createdAt}, ${after.id}::uuid)`}
  order by created_at desc, id desc limit ${limit}`;

export const saveTaxRate = async (sql: Sql, { store, environment }: Tenant, record: TaxRateRecord): Promise<void> => {
  const { id, created_at, ...row } = record;
  await sql`
    insert into pricing.tax_rate ${sql({ store, environment, id, created_at, ...row } as never)}
    on conflict (store, environment, id) do update set ${sql(row as never)}`;
};

export const deleteTaxRate = async (sql: Sql, { store, environment }: Tenant, id: string): Promise<boolean> => {
  const gone = await sql`
    update pricing.tax_rate set deleted_at = now()
    where store = ${store} and environment = ${environment} and id = ${id} and deleted_at is null`;
  return gone.count > 0;
};
