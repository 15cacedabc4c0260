// SQL that adds up sums for a report. Ranges share parts, each of sums of one span, which are read once.
import type { Tenant } from '#runtime/call/call.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import type { ReportRange } from '#services/report/range.ts';
import { FIGURES, isNothing, type ReportDimension, type SaleSums, type StepName } from '#services/report/sale.ts';
import { coverRange, type SpanPart, startOfSpan } from '#services/report/span.ts';

const dateOf = (moment: number): string => new Date(moment).toISOString();

interface Cover {
  /** Each part that ranges use, once. */
  readonly parts: readonly SpanPart[];
  /** `part` counts from 1; `at` is the number of the range that adds it, or takes it away. */
  readonly uses: readonly { readonly at: number; readonly part: number; readonly sign: number }[];
}

const coverOf = (boundaries: readonly number[]): Cover => {
  const parts: SpanPart[] = [];
  const known = new Map<string, number>();
  const uses = boundaries.slice(0, -1).flatMap((from, at) =>
    coverRange(from, boundaries[at + 1]!).map((part) => {
      const key = `${part.span}/${part.from}/${part.until}`;
      const number = known.get(key) ?? parts.push(part);
      known.set(key, number);
      return { at, part: number, sign: part.sign };
    }),
  );
  return { parts, uses };
};

const partRows = (sql: Sql, { parts }: Cover) => sql`
  unnest(${parts.map(({ span }) => span)}::text[], ${parts.map(({ from }) => dateOf(from))}::timestamptz[],
    ${parts.map(({ until }) => dateOf(until))}::timestamptz[]) with ordinality as part (span, first, until, number)`;

const useRows = (sql: Sql, { uses }: Cover) => sql`
  unnest(${uses.map(({ at }) => at)}::integer[], ${uses.map(({ part }) => part)}::integer[],
    ${uses.map(({ sign }) => sign)}::integer[]) as used (at, part, sign)`;

const sumsIn = (sql: Sql) =>
  sql.unsafe(FIGURES.map((figure) => `coalesce(sum(${figure}), 0)::bigint as ${figure}`).join(', '));

const sumsOfUses = (sql: Sql) =>
  sql.unsafe(FIGURES.map((figure) => `sum(used.sign * summed.${figure})::bigint as ${figure}`).join(', '));

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
): Promise<readonly IntervalSums[]> => {
  const cover = coverOf(boundaries);
  return sql<IntervalSums[]>`
    with summed as materialized (
      select part.number, own.* from ${partRows(sql, cover)}
      cross join lateral (
        select ${sumsIn(sql)} from report.sale
        where store = ${store} and environment = ${environment} and dimension = 'all' and span = part.span
          and currency = ${currency} and starts_at >= part.first and starts_at < part.until
      ) as own
    )
    select used.at, ${sumsOfUses(sql)} from ${useRows(sql, cover)} join summed on summed.number = used.part
    group by used.at order by used.at`;
};

export type ValueSums = SaleSums & { readonly value: string };

export const sumsOfValues = (
  sql: Sql,
  { store, environment }: Tenant,
  { currency, dimension }: SaleQuestion,
  range: readonly [number, number],
  after: { readonly total: number; readonly value: string } | null,
  limit: number,
): Promise<readonly ValueSums[]> => {
  const cover = coverOf(range);
  return sql<ValueSums[]>`
    with summed as materialized (
      select part.number, own.* from ${partRows(sql, cover)}
      cross join lateral (
        select value, ${sumsIn(sql)} from report.sale
        where store = ${store} and environment = ${environment} and dimension = ${dimension} and span = part.span
          and currency = ${currency} and starts_at >= part.first and starts_at < part.until
        group by value
      ) as own
    )
    select * from (
      select summed.value, ${sumsOfUses(sql)} from ${useRows(sql, cover)} join summed on summed.number = used.part
      group by summed.value
    ) as sums
    where (orders <> 0 or refunds <> 0)
      and ${after === null ? sql`true` : sql`(-total, value) > (${-after.total}::bigint, ${after.value})`}
    order by total desc, value limit ${limit}`;
};

export type ValueIntervalSums = ValueSums & { readonly at: number };

/** Adds up within the join, so that the database looks up each value in each part and never reads the whole table. */
export const sumsOfValueIntervals = async (
  sql: Sql,
  { store, environment }: Tenant,
  { currency, dimension }: SaleQuestion,
  boundaries: readonly number[],
  values: readonly string[],
): Promise<readonly ValueIntervalSums[]> => {
  const cover = coverOf(boundaries);
  const rows = await sql<ValueIntervalSums[]>`
    with summed as materialized (
      select part.number, named.value, own.* from ${partRows(sql, cover)}
      cross join unnest(${[...values]}::text[]) as named (value)
      cross join lateral (
        select ${sumsIn(sql)} from report.sale
        where store = ${store} and environment = ${environment} and dimension = ${dimension} and dimension <> 'all'
          and span = part.span and currency = ${currency} and value = named.value
          and starts_at >= part.first and starts_at < part.until
        having count(*) > 0
      ) as own
    )
    select used.at, summed.value, ${sumsOfUses(sql)} from ${useRows(sql, cover)} join summed on summed.number = used.part
    group by used.at, summed.value order by used.at`;
  return rows.filter((row) => !isNothing(row));
};

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
): Promise<readonly StepSum[]> => {
  const cover = coverOf(boundaries);
  return sql<StepSum[]>`
    with summed as materialized (
      select part.number, named.step, own.count from ${partRows(sql, cover)}
      cross join unnest(array['session', 'view', 'cart', 'checkout', 'order', 'paid']) as named (step)
      cross join lateral (
        select sum(count) as count from report.step
        where store = ${store} and environment = ${environment} and step = named.step and span = part.span
          and starts_at >= part.first and starts_at < part.until
      ) as own
      where own.count is not null
    )
    select used.at, summed.step, sum(used.sign * summed.count)::bigint as count
    from ${useRows(sql, cover)} join summed on summed.number = used.part
    group by used.at, summed.step order by used.at`;
};
