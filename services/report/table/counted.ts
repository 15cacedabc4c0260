// SQL of orders as they were counted last, and of the orders with which buyers came back.
import type { Tenant } from '#runtime/call/call.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import { FIGURES, NO_SALES, type SaleShare, type SaleSums, type StepShare } from '#services/report/sale.ts';

export interface CountedOrder {
  readonly order_id: string;
  readonly buyer: string;
  readonly placed_at: Date;
  readonly is_live: boolean;
  readonly currency: string;
  readonly channel: string;
  readonly country: string;
  readonly categories: Readonly<Record<string, string>>;
  readonly sales: readonly SaleShare[];
  readonly steps: readonly StepShare[];
}

/** Shares as they are stored: without names, because every order has several. */
type StoredSale = readonly [SaleShare['dimension'], string, number, ...number[]];
type StoredStep = readonly [StepShare['step'], number, number];

interface CountedRow extends Omit<CountedOrder, 'sales' | 'steps'> {
  readonly sales: readonly StoredSale[];
  readonly steps: readonly StoredStep[];
}

const storedOf = ({ sales, steps, ...order }: CountedOrder): CountedRow => ({
  ...order,
  sales: sales.map(({ dimension, value, quarter, sums }) => [
    dimension,
    value,
    quarter,
    ...FIGURES.map((figure) => sums[figure]),
  ]),
  steps: steps.map(({ step, quarter, count }) => [step, quarter, count]),
});

const countedOf = ({ sales, steps, ...order }: CountedRow): CountedOrder => ({
  ...order,
  sales: sales.map(([dimension, value, quarter, ...sums]) => ({
    dimension,
    value,
    quarter,
    sums: Object.fromEntries(FIGURES.map((figure, at) => [figure, sums[at] ?? NO_SALES[figure]])) as SaleSums,
  })),
  steps: steps.map(([step, quarter, count]) => ({ step, quarter, count })),
});

export const findCounted = async (
  sql: Sql,
  { store, environment }: Tenant,
  orders: readonly string[],
): Promise<readonly CountedOrder[]> => {
  const rows = await sql<CountedRow[]>`
    select order_id, buyer, placed_at, is_live, currency, channel, country, categories, sales, steps
    from report.counted
    where store = ${store} and environment = ${environment} and order_id = any(${[...orders]}::uuid[])`;
  return rows.map(countedOf);
};

export const saveCounted = async (
  sql: Sql,
  { store, environment }: Tenant,
  orders: readonly CountedOrder[],
): Promise<void> => {
  if (orders.length === 0) return;
  await sql`
    insert into report.counted as known (store, environment, order_id, buyer, placed_at, is_live, currency, channel,
      country, categories, sales, steps)
    select ${store}, ${environment}, o.*
    from json_to_recordset(${JSON.stringify(orders.map(storedOf))}::text::json) as o (order_id uuid, buyer text,
      placed_at timestamptz, is_live boolean, currency text, channel text, country text, categories json, sales json,
      steps json)
    on conflict (store, environment, order_id) do update set buyer = excluded.buyer, is_live = excluded.is_live,
      sales = excluded.sales, steps = excluded.steps`;
};
