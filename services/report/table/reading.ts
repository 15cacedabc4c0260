// SQL that adds up sums for a report. A range is given as parts, each of sums of one span.
import type { Tenant } from '#runtime/call/call.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import type { ReportRange } from '#services/report/range.ts';
import { FIGURES, type ReportDimension, type SaleSums, type StepName } from '#services/report/sale.ts';
import { coverRange, startOfSpan } from '#services/report/span.ts';

const dateOf = (moment: number): string => new Date(moment).toISOString();

const partRows = (sql: Sql, boundaries: readonly number[]) => {
  const parts = boundaries
    .slice(0, -1)
    .flatMap((from, at) => coverRange(from, boundaries[at + 1]!).map((part) => ({ ...part, at })));
  return sql`
    unnest(${parts.map(({ at }) => at)}::integer[], ${parts.map(({ span }) => span)}::text[],
      ${parts.map(({ from }) => dateOf(from))}::timestamptz[], ${parts.map(({ until }) => dateOf(until))}::timestamptz[]
    ) as part (at, span, first, until)`;
};

const sumsIn = (sql: Sql) =>
  sql.unsafe(FIGURES.map((figure) => `coalesce(sum(${figure}), 0)::bigint as ${figure}`).join(', '));

export interface SaleQuestion {
  readonly currency: string;
  readonly dimension: ReportDimension;
}

export type IntervalSums = SaleSums & { readonly at: number };

export const sumsOfIntervals = (
  sql: Sql,
  { store, environment }: Tenant,
  currency: string,
  boundaries: readonly number[],
): Promise<readonly IntervalSums[]> => sql<IntervalSums[]>`
  select part.at, ${sumsIn(sql)}
  from ${partRows(sql, boundaries)}
  cross join lateral (
    select ${sumsIn(sql)} from report.sale
    where store = ${store} and environment = ${environment} and dimension = 'all' and span = part.span
      and currency = ${currency} and starts_at >= part.first and starts_at < part.until
  ) as added
  group by part.at order by part.at`;

export type ValueSums = SaleSums & { readonly value: string };

export const sumsOfValues = (
  sql: Sql,
  { store, environment }: Tenant,
  { currency, dimension }: SaleQuestion,
  range: readonly [number, number],
  after: { readonly total: number; readonly value: string } | null,
  limit: number,
): Promise<readonly ValueSums[]> => sql<ValueSums[]>`
  select * from (
    select added.value, ${sumsIn(sql)}
    from ${partRows(sql, range)}
    cross join lateral (
      select value, ${sumsIn(sql)} from report.sale
      where store = ${store} and environment = ${environment} and dimension = ${dimension} and span = part.span
        and currency = ${currency} and starts_at >= part.first and starts_at < part.until
      group by value
    ) as added
    group by added.value
  ) as sums
  where (orders <> 0 or refunds <> 0)
    and ${after === null ? sql`true` : sql`(-total, value) > (${-after.total}::bigint, ${after.value})`}
  order by total desc, value limit ${limit}`;

export type ValueIntervalSums = ValueSums & { readonly at: number };

/** Adds up within the join, so that the database looks up each value in each part and never reads the whole table. */
export const sumsOfValueIntervals = (
  sql: Sql,
  { store, environment }: Tenant,
  { currency, dimension }: SaleQuestion,
  boundaries: readonly number[],
  values: readonly string[],
): Promise<readonly ValueIntervalSums[]> => sql<ValueIntervalSums[]>`
  select part.at, named.value, ${sumsIn(sql)}
  from ${partRows(sql, boundaries)}
  cross join unnest(${[...values]}::text[]) as named (value)
  cross join lateral (
    select ${sumsIn(sql)} from report.sale
    where store = ${store} and environment = ${environment} and dimension = ${dimension} and dimension <> 'all'
      and span = part.span and currency = ${currency} and value = named.value
      and starts_at >= part.first and starts_at < part.until
    having count(*) > 0
  ) as added
  group by part.at, named.value order by part.at`;

export const currenciesIn = async (
  sql: Sql,
  { store, environment }: Tenant,
  from: number,
  until: number,
): Promise<string[]> => {
  const rows = await sql<{ currency: string }[]>`
    select distinct currency from report.sale
    where store = ${store} and environment = ${environment} and dimension = 'all' and span = 'month'
      and starts_at >= ${dateOf(startOfSpan('month', from))} and starts_at < ${dateOf(until)}
      and (orders <> 0 or refunds <> 0)
    order by currency`;
  return rows.map(({ currency }) => currency);
};

export interface ReturnCount {
  readonly value: string;
  readonly count: number;
}

export type IntervalReturnCount = ReturnCount & { readonly at: number };

export interface ReturnQuestion {
  readonly currency: string;
  /** Null: the count has no values and is about all orders. */
  readonly by: 'channel' | 'country' | null;
}

/** Longer than an interval, on a day with a changed clock, too: the index of such gaps is small. */
const GAP_HOURS = { hour: 25, day: 25, week: 170, month: 746 } as const;

const valueIn = (sql: Sql, { by }: ReturnQuestion) => (by === null ? sql`''` : sql(by));

/** Counts the orders of each interval behind another one of their buyer's there that was not the first. */
export const returnsWithin = (
  sql: Sql,
  { store, environment }: Tenant,
  question: ReturnQuestion,
  { interval, boundaries }: ReportRange,
): Promise<readonly IntervalReturnCount[]> => sql<IntervalReturnCount[]>`
  select (part.at - 1)::integer as at, own.value, own.count
  from unnest(${boundaries.slice(0, -1).map(dateOf)}::timestamptz[], ${boundaries.slice(1).map(dateOf)}::timestamptz[])
    with ordinality as part (first, until, at)
  cross join lateral (
    select ${valueIn(sql, question)} as value, count(*) as count from report.return
    where store = ${store} and environment = ${environment} and currency = ${question.currency}
      and placed_at >= part.first and placed_at < part.until and former_at >= part.first
      and gap_hours < ${sql.unsafe(String(GAP_HOURS[interval]))}
    group by 1
  ) as own`;

/** Counts the buyers with a third or later order in the range whose former one was placed before it. */
export const returnsAcross = (
  sql: Sql,
  { store, environment }: Tenant,
  question: ReturnQuestion,
  from: number,
  until: number,
): Promise<readonly ReturnCount[]> => sql<ReturnCount[]>`
  select ${valueIn(sql, question)} as value, count(*) as count from report.return
  where store = ${store} and environment = ${environment} and currency = ${question.currency}
    and placed_at >= ${dateOf(from)} and placed_at < ${dateOf(until)} and former_at < ${dateOf(from)}
  group by 1`;

export interface StepSum {
  readonly at: number;
  readonly step: StepName;
  readonly count: number;
}

export const sumsOfSteps = (
  sql: Sql,
  { store, environment }: Tenant,
  boundaries: readonly number[],
): Promise<readonly StepSum[]> => sql<StepSum[]>`
  select part.at, named.step, sum(added.count)::bigint as count
  from ${partRows(sql, boundaries)}
  cross join unnest(array['session', 'view', 'cart', 'checkout', 'order', 'paid']) as named (step)
  cross join lateral (
    select sum(count) as count from report.step
    where store = ${store} and environment = ${environment} and step = named.step and span = part.span
      and starts_at >= part.first and starts_at < part.until
  ) as added
  where added.count is not null
  group by part.at, named.step order by part.at`;
