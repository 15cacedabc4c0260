// SQL of shoppers who want a mail when a product can be bought again.
import type { Tenant } from '#runtime/call/call.ts';
import type { Sql } from '#runtime/postgres/sql.ts';

/** Stock of a variant; of any variant of the product if `variant_id` is null. */
export interface WatchedStock {
  readonly product_id: string;
  readonly variant_id: string | null;
}

export interface StockAlertRecord extends WatchedStock {
  readonly id: string;
  readonly email: string;
  /** One of the store's; null for its default one. */
  readonly language: string | null;
  readonly created_at: Date;
}

/** Inserts the alert unless the address waits for the same already. */
export const insertStockAlert = async (
  sql: Sql,
  { store, environment }: Tenant,
  { id, product_id, variant_id, email, language, created_at }: StockAlertRecord,
): Promise<void> => {
  await sql`
    insert into mail.stock_alert (store, environment, id, product_id, variant_id, email, language, created_at)
    values (${store}, ${environment}, ${id}, ${product_id}, ${variant_id}, lower(${email}), ${language}, ${created_at})
    on conflict do nothing`;
};

/** Returns what the tenant's alerts wait for, in order of the products, after the given one. */
export const pageOfWatchedStock = (
  sql: Sql,
  { store, environment }: Tenant,
  after: string | null,
  products: readonly string[] | null,
  limit: number,
) => sql<WatchedStock[]>`
  with page as (
    select distinct product_id from mail.stock_alert
    where store = ${store} and environment = ${environment}
      ${after === null ? sql`` : sql`and product_id > ${after}`}
      ${products === null ? sql`` : sql`and product_id = any(${products as string[]}::uuid[])`}
    order by product_id limit ${limit})
  select distinct product_id, variant_id from mail.stock_alert
  where store = ${store} and environment = ${environment} and product_id in (select product_id from page)
  order by product_id`;

/** Deletes alerts for the stock and returns them. Leaves out those that another transaction is deleting. */
export const takeStockAlerts = (
  sql: Sql,
  { store, environment }: Tenant,
  { product_id, variant_id }: WatchedStock,
  limit: number,
) => sql<StockAlertRecord[]>`
  delete from mail.stock_alert
  where (store, environment, id) in (
    select store, environment, id from mail.stock_alert
    where store = ${store} and environment = ${environment} and product_id = ${product_id}
      and variant_id is not distinct from ${variant_id}::uuid
    limit ${limit} for update skip locked)
  returning id, product_id, variant_id, email, language, created_at`;

export const tenantsWithStockAlerts = (sql: Sql) => sql<Tenant[]>`
  select distinct store, environment from mail.stock_alert`;

export const forgetStockAlerts = async (sql: Sql, before: Date, limit: number): Promise<number> => {
  const gone = await sql`
    delete from mail.stock_alert where ctid = any(array(
      select ctid from mail.stock_alert where created_at < ${before} limit ${limit}))`;
  return gone.count;
};
