// SQL that adds to the sums of sales and steps, in every span.
import type { Tenant } from '#runtime/call/call.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import { addSums, isNothing, type SaleShare, type SaleSums, type StepShare } from '#services/report/sale.ts';
import { SPANS, startOfSpan } from '#services/report/span.ts';

export interface CurrencyShare extends SaleShare {
  readonly currency: string;
}

interface SaleRow extends Omit<CurrencyShare, 'quarter' | 'sums'>, SaleSums {
  readonly span: string;
  readonly starts_at: string;
}

const keyOf = (row: Omit<SaleRow, keyof SaleSums>): string =>
  `${row.dimension}/${row.span}/${row.currency}/${row.starts_at}/${row.value}`;

/** Returns the rows in the sequence of their keys, so that index pages are written one after the other. */
const saleRows = (shares: readonly CurrencyShare[]): SaleRow[] => {
  const rows = new Map<string, SaleRow>();
  for (const { quarter, sums, dimension, value, currency } of shares)
    for (const span of SPANS) {
      const named = { dimension, value, currency, span, starts_at: new Date(startOfSpan(span, quarter)).toISOString() };
      const known = rows.get(keyOf(named));
      rows.set(keyOf(named), { ...named, ...(known ? addSums(known, sums) : sums) });
    }
  return [...rows.entries()]
    .filter(([, row]) => !isNothing(row))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, row]) => row);
};

export const addSales = async (
  sql: Sql,
  { store, environment }: Tenant,
  shares: readonly CurrencyShare[],
): Promise<void> => {
  const rows = saleRows(shares);
  if (rows.length === 0) return;
  await sql`
    insert into report.sale as known (store, environment, dimension, span, currency, starts_at, value, orders, units,
      gross, discounts, refunds, tax, shipping, total, repeats, seconds)
    select ${store}, ${environment}, added.*
    from json_to_recordset(${JSON.stringify(rows)}::text::json) as added (dimension text, span text,
      currency text, starts_at timestamptz, value text, orders bigint, units bigint, gross bigint, discounts bigint,
      refunds bigint, tax bigint, shipping bigint, total bigint, repeats bigint, seconds bigint)
    on conflict (store, environment, dimension, span, currency, starts_at, value) do update set
      orders = known.orders + excluded.orders, units = known.units + excluded.units,
      gross = known.gross + excluded.gross, discounts = known.discounts + excluded.discounts,
      refunds = known.refunds + excluded.refunds, tax = known.tax + excluded.tax,
      shipping = known.shipping + excluded.shipping, total = known.total + excluded.total,
      repeats = known.repeats + excluded.repeats, seconds = known.seconds + excluded.seconds`;
};

interface StepRow {
  readonly step: string;
  readonly span: string;
  readonly starts_at: string;
  readonly count: number;
}

export const addSteps = async (
  sql: Sql,
  { store, environment }: Tenant,
  shares: readonly StepShare[],
): Promise<void> => {
  const rows = new Map<string, StepRow>();
  for (const { step, quarter, count } of shares)
    for (const span of SPANS) {
      const starts_at = new Date(startOfSpan(span, quarter)).toISOString();
      const key = `${step}/${span}/${starts_at}`;
      rows.set(key, { step, span, starts_at, count: (rows.get(key)?.count ?? 0) + count });
    }
  const changed = [...rows.values()].filter(({ count }) => count !== 0);
  if (changed.length === 0) return;
  await sql`
    insert into report.step as known (store, environment, step, span, starts_at, count)
    select ${store}, ${environment}, added.*
    from json_to_recordset(${JSON.stringify(changed)}::text::json)
      as added (step text, span text, starts_at timestamptz, count bigint)
    on conflict (store, environment, step, span, starts_at) do update set count = known.count + excluded.count`;
};
