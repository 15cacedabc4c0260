// SQL of the orders with which buyers return: their sequence, and the rows that reports count returning customers by.
import type { Tenant } from '#runtime/call/call.ts';
import type { Sql } from '#runtime/postgres/sql.ts';

export interface ChangedBuyer {
  readonly buyer: string;
  readonly since: Date;
}

export interface ChangedReturn {
  readonly order_id: string;
  readonly placed_at: Date;
  readonly currency: string;
  readonly channel: string;
  readonly country: string;
  readonly repeats: number;
  readonly seconds: number;
}

/**
 * Renews `returned_before` of the buyers' orders: null for a first order, -infinity for a second one, then the time of
 * the order before. The two orders before `since` decide for the first ones behind it. `cancelled` orders get null.
 */
export const renewReturns = async (
  sql: Sql,
  { store, environment }: Tenant,
  buyers: readonly ChangedBuyer[],
  cancelled: readonly string[],
): Promise<readonly ChangedReturn[]> => {
  if (buyers.length === 0) return [];
  const own = sql`store = ${store} and environment = ${environment} and buyer = changed.buyer and is_live`;
  const changed = await sql<ChangedReturn[]>`
    with changed as (
      select * from unnest(${buyers.map(({ buyer }) => buyer)}::text[],
        ${buyers.map(({ since }) => since.toISOString())}::timestamptz[]) as changed (buyer, since)
    ), ranked as (
      select o.order_id, o.placed_at, o.returned_before as former, changed.since,
        row_number() over numbered as number, lag(o.placed_at) over numbered as before
      from changed, lateral (
        (select order_id, placed_at, returned_before from report.counted where ${own} and placed_at < changed.since
          order by placed_at desc, order_id desc limit 2)
        union all
        (select order_id, placed_at, returned_before from report.counted where ${own} and placed_at >= changed.since)
      ) as o
      window numbered as (partition by changed.buyer order by o.placed_at, o.order_id)
    ), renewed as (
      select order_id, former, case number when 1 then null when 2 then '-infinity' else before end as before
      from ranked where placed_at >= since
      union all
      select order_id, returned_before, null from report.counted
      where store = ${store} and environment = ${environment} and order_id = any(${[...cancelled]}::uuid[])
    )
    update report.counted as known set returned_before = renewed.before
    from renewed
    where known.store = ${store} and known.environment = ${environment} and known.order_id = renewed.order_id
      and renewed.former is distinct from renewed.before
    returning known.order_id, known.placed_at, known.currency, known.channel, known.country,
      (renewed.before is not null)::integer - (renewed.former is not null)::integer as repeats,
      (renewed.before is not distinct from '-infinity')::integer
        - (renewed.former is not distinct from '-infinity')::integer as seconds`;
  await saveReturns(
    sql,
    { store, environment },
    changed.map(({ order_id }) => order_id),
  );
  return changed;
};

const saveReturns = async (sql: Sql, { store, environment }: Tenant, orders: readonly string[]): Promise<void> => {
  if (orders.length === 0) return;
  await sql`
    delete from report.return
    where store = ${store} and environment = ${environment} and order_id = any(${[...orders]}::uuid[])`;
  await sql`
    insert into report.return (store, environment, order_id, currency, channel, country, placed_at, former_at, gap_hours)
    select store, environment, order_id, currency, channel, country, placed_at, returned_before,
      floor(extract(epoch from placed_at - returned_before) / 3600)::integer
    from report.counted
    where store = ${store} and environment = ${environment} and order_id = any(${[...orders]}::uuid[])
      and returned_before is not null and isfinite(returned_before)`;
};
