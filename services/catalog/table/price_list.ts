// SQL of price lists.
import type { Tenant } from '#runtime/call/call.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import type { BoardList } from '#services/catalog/memory/price_board.ts';

export const findListPrices = async (
  sql: Sql,
  { store, environment }: Tenant,
  variantIds: readonly string[],
  currency: string,
  now: Date,
): Promise<Map<string, number>> => {
  if (variantIds.length === 0) return new Map();
  const rows = await sql<{ variant_id: string; price: number }[]>`
    select p.variant_id, min(p.price) as price
    from catalog.price_list_price p
    join catalog.price_list l on l.store = p.store and l.environment = p.environment and l.id = p.price_list_id
    where p.store = ${store} and p.environment = ${environment} and p.variant_id = any(${variantIds as string[]}::uuid[])
      and p.min_quantity = 1 and l.deleted_at is null and l.customer_group is null and l.currency = ${currency}
      and (l.starts_at is null or l.starts_at <= ${now}) and (l.ends_at is null or l.ends_at > ${now})
    group by p.variant_id`;
  return new Map(rows.map((row) => [row.variant_id, row.price]));
};

/** Returns the lists that have not ended, with the prices of the variants, or of all. */
export const currentLists = async (
  sql: Sql,
  { store, environment }: Tenant,
  now: Date,
  variantIds: readonly string[] | null = null,
): Promise<BoardList[]> => {
  const rows = await sql<
    { id: string; currency: string; group: string | null; startsAt: Date | null; endsAt: Date | null }[]
  >`
    select id, currency, customer_group as "group", starts_at as "startsAt", ends_at as "endsAt" from catalog.price_list
    where store = ${store} and environment = ${environment} and deleted_at is null
      and (ends_at is null or ends_at > ${now})
    order by created_at, id`;
  if (rows.length === 0) return [];
  const prices = await sql<(PriceRecord & { price_list_id: string })[]>`
    select price_list_id, variant_id, min_quantity, price from catalog.price_list_price
    where store = ${store} and environment = ${environment}
      and price_list_id = any(${rows.map((row) => row.id)}::uuid[])
      ${variantIds === null ? sql`` : sql`and variant_id = any(${variantIds as string[]}::uuid[])`}
    order by price_list_id, variant_id, min_quantity`;
  const lists = new Map(rows.map((row) => [row.id, [] as PriceRecord[]]));
  for (const { price_list_id, ...price } of prices) lists.get(price_list_id)!.push(price);
  return rows.map(({ id, currency, group, startsAt, endsAt }) => ({
    id,
    currency,
    group,
    startsAt: startsAt?.getTime() ?? null,
    endsAt: endsAt?.getTime() ?? null,
    prices: lists.get(id)!,
  }));
};

export interface PriceRecord {
  readonly variant_id: string;
  readonly min_quantity: number;
  readonly price: number;
}

export interface PriceListRecord {
  readonly id: string;
  readonly name: string;
  readonly currency: string;
  readonly customer_group: string | null;
  readonly starts_at: Date | null;
  readonly ends_at: Date | null;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly prices: readonly PriceRecord[];
}

type PriceListRow = Omit<PriceListRecord, 'prices'>;

const columns = (sql: Sql) => sql`id, name, currency, customer_group, starts_at, ends_at, created_at, updated_at`;

const withPrices = async (
  sql: Sql,
  { store, environment }: Tenant,
  rows: readonly PriceListRow[],
): Promise<PriceListRecord[]> => {
  const lists = new Map(rows.map((row) => [row.id, { ...row, prices: [] as PriceRecord[] }]));
  const prices = await sql<(PriceRecord & { price_list_id: string })[]>`
    select price_list_id, variant_id, min_quantity, price from catalog.price_list_price
    where store = ${store} and environment = ${environment} and price_list_id = any(${[...lists.keys()]}::uuid[])
    order by price_list_id, variant_id, min_quantity`;
  for (const { price_list_id, ...price } of prices) lists.get(price_list_id)!.prices.push(price);
  return [...lists.values()];
};

export const findPriceList = async (sql: Sql, tenant: Tenant, id: string): Promise<PriceListRecord | null> => {
  const rows = await sql<PriceListRow[]>`
    select ${columns(sql)} from catalog.price_list
    where store = ${tenant.store} and environment = ${tenant.environment} and id = ${id} and deleted_at is null`;
  const [list] = await withPrices(sql, tenant, rows);
  return list ?? null;
};

export const pageOfPriceLists = async (
  sql: Sql,
  tenant: Tenant,
  after: { readonly createdAt: Date; readonly id: string } | null,
  limit: number,
): Promise<PriceListRecord[]> => {
  const rows = await sql<PriceListRow[]>`
    select ${columns(sql)} from catalog.price_list
    where store = ${tenant.store} and environment = ${tenant.environment} and deleted_at is null
      and ${after === null ? sql`true` : sql`(created_at, id) < (${after.createdAt}, ${after.id}::uuid)`}
    order by created_at desc, id desc limit ${limit}`;
  return withPrices(sql, tenant, rows);
};

export const savePriceList = async (
  sql: Sql,
  { store, environment }: Tenant,
  revision: number,
  list: PriceListRecord,
  withItsPrices: boolean,
): Promise<void> => {
  await sql`
    insert into catalog.price_list (store, environment, revision, ${columns(sql)})
    values (${store}, ${environment}, ${revision}, ${list.id}, ${list.name}, ${list.currency}, ${list.customer_group},
      ${list.starts_at}, ${list.ends_at}, ${list.created_at}, ${list.updated_at})
    on conflict (store, environment, id) do update set revision = excluded.revision, name = excluded.name,
      currency = excluded.currency, customer_group = excluded.customer_group, starts_at = excluded.starts_at,
      ends_at = excluded.ends_at, updated_at = excluded.updated_at`;
  if (!withItsPrices) return;
  await sql`
    delete from catalog.price_list_price
    where store = ${store} and environment = ${environment} and price_list_id = ${list.id}`;
  await sql`
    insert into catalog.price_list_price (store, environment, price_list_id, variant_id, min_quantity, price)
    select ${store}, ${environment}, ${list.id}, variant_id, min_quantity, price
    from json_to_recordset(${JSON.stringify(list.prices)}::text::json)
      as row (variant_id uuid, min_quantity integer, price bigint)`;
};

export const deletePriceList = async (
  sql: Sql,
  { store, environment }: Tenant,
  revision: number,
  id: string,
): Promise<boolean> => {
  const rows = await sql`
    update catalog.price_list set deleted_at = now(), revision = ${revision}
    where store = ${store} and environment = ${environment} and id = ${id} and deleted_at is null returning id`;
  return rows.length > 0;
};

/**
 * Returns the earliest start or end of a price list for all customers within the window and after the last repricing;
 * null if there is none.
 */
export const firstBoundary = async (
  sql: Sql,
  { store, environment }: Tenant,
  since: Date,
  until: Date,
): Promise<Date | null> => {
  const [row] = await sql<{ at: Date | null }[]>`
    select min(boundary.at) as at
    from catalog.price_list list
    join catalog.revision known on known.store = list.store and known.environment = list.environment
    cross join lateral unnest(array[list.starts_at, list.ends_at]) as boundary (at)
    where list.store = ${store} and list.environment = ${environment} and list.deleted_at is null
      and (list.starts_at is not null or list.ends_at is not null) and list.customer_group is null
      and boundary.at > greatest(${since}, known.repriced_at) and boundary.at <= ${until}`;
  return row?.at ?? null;
};

export interface Boundary {
  readonly tenant: Tenant;
  readonly at: Date;
}

export interface TenantWindow {
  readonly tenant: Tenant;
  readonly since: Date;
  readonly until: Date;
}

const boundaryOf = ({ at, ...tenant }: Tenant & { readonly at: Date }): Boundary => ({ tenant, at });

export const nearBoundaries = async (sql: Sql, since: Date, until: Date): Promise<Boundary[]> => {
  const near = (moment: 'starts_at' | 'ends_at') => sql`
    select store, environment, ${sql(moment)} as at from catalog.price_list
    where deleted_at is null and customer_group is null and ${sql(moment)} > ${since} and ${sql(moment)} <= ${until}`;
  const rows = await sql<(Tenant & { at: Date })[]>`${near('starts_at')} union ${near('ends_at')}`;
  return rows.map(boundaryOf);
};

export const boundariesOf = async (sql: Sql, windows: readonly TenantWindow[]): Promise<Boundary[]> => {
  if (windows.length === 0) return [];
  const rows = await sql<(Tenant & { at: Date })[]>`
    select distinct list.store, list.environment, boundary.at
    from unnest(${windows.map(({ tenant }) => tenant.store)}::uuid[],
      ${windows.map(({ tenant }) => tenant.environment)}::text[], ${windows.map(({ since }) => since.toISOString())}::text[],
      ${windows.map(({ until }) => until.toISOString())}::text[]) as asked (store, environment, since, until)
    join catalog.price_list list on list.store = asked.store and list.environment = asked.environment
    cross join lateral unnest(array[list.starts_at, list.ends_at]) as boundary (at)
    where list.deleted_at is null and (list.starts_at is not null or list.ends_at is not null)
      and list.customer_group is null
      and boundary.at > asked.since::timestamptz and boundary.at <= asked.until::timestamptz`;
  return rows.map(boundaryOf);
};
