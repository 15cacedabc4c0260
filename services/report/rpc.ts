// The handlers of reports.
import type {
  FunnelFigures,
  GetFunnelRequest,
  GetSalesRequest,
  ReportRpcs,
  SalesFigures,
  SalesInterval,
  SalesReport,
  SalesRow,
} from '#proto/gen/report.ts';
import { type Call, foreignCursor, invalid, quoted, Refusal, type Tenant, tenantKey } from '#runtime/call/call.ts';
import { type Handlers, query } from '#runtime/domain/rpc.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import type { Clock } from '#runtime/process/clock.ts';
import { namesOfCategories, namesOfProducts } from '#services/catalog/transaction.ts';
import type { StoreProfiles } from '#services/commerce/store_profile.ts';
import { type Currency, parseCurrency } from '#values/currency.ts';
import { decodeCursor, encodeCursor } from '#values/cursor.ts';
import { toMajor } from '#values/money.ts';
import { endOf, type ReportRange, readRange, startOf } from './range.ts';
import { addSums, NO_SALES, type ReportDimension, type SaleSums, type StepName } from './sale.ts';
import { lastCounted } from './table/progress.ts';
import {
  currenciesIn,
  type IntervalSums,
  type ReturnCount,
  type ReturnQuestion,
  returnsAcross,
  returnsWithin,
  type SaleQuestion,
  sumsOfIntervals,
  sumsOfSteps,
  sumsOfValueIntervals,
  sumsOfValues,
} from './table/reading.ts';

const average = (total: number, count: number): number => Math.floor((2 * total + count) / (2 * count));

const figuresOf = (sums: Readonly<SaleSums>, currency: Currency, returningCustomers: number | null): SalesFigures => {
  const { orders, units, gross, discounts, refunds, tax, shipping, total } = sums;
  const major = (amount: number): number => toMajor(amount, currency);
  return {
    orders,
    units,
    gross: major(gross),
    discounts: major(discounts),
    refunds: major(refunds),
    tax: major(tax),
    shipping: major(shipping),
    total: major(total),
    net: major(total - refunds),
    average_order: orders > 0 ? major(average(total, orders)) : null,
    returning_customers: returningCustomers,
  };
};

export interface ReportedStore {
  readonly zone: string;
  readonly currency: string;
}

const INTERVALS_MAX = 1_000;
const ROW_INTERVALS_MAX = 100;
/** Rows times intervals. */
const ROW_FIGURES_MAX = 2_000;
const LIMIT_DEFAULT = 20;

const textOf = (moment: number): string => new Date(moment).toISOString();

interface Asked {
  readonly tenant: Tenant;
  readonly range: ReportRange;
  readonly currency: Currency;
}

const spanOf = ({ boundaries }: ReportRange, at: number) => ({
  from: textOf(boundaries[at]!),
  to: textOf(boundaries[at + 1]!),
});

const asOf = async (sql: Sql, tenant: Tenant): Promise<string | null> =>
  (await lastCounted(sql, tenant))?.toISOString() ?? null;

interface ReturningCustomers {
  /** `value` is null for the whole interval or range. */
  inInterval(at: number, value: string | null, sums: SaleSums): number;
  inRange(value: string | null, sums: SaleSums): number;
}

const sumOf = (counts: readonly ReturnCount[], value: string | null): number =>
  counts.reduce((sum, each) => (value === null || each.value === value ? sum + each.count : sum), 0);

/**
 * Reads who returned. In an interval these are the orders that were not first ones, less those behind another such order
 * of their buyer's there. In the range they are the second orders, and the buyers who returned before it and again in it.
 */
const readReturning = async (
  sql: Sql,
  { tenant, range, currency }: Asked,
  by: ReturnQuestion['by'],
): Promise<ReturningCustomers> => {
  const question = { currency: currency.code, by };
  const [within, across] = await Promise.all([
    returnsWithin(sql, tenant, question, range),
    returnsAcross(sql, tenant, question, startOf(range), endOf(range)),
  ]);
  const ofInterval = Map.groupBy(within, ({ at }) => at);
  return {
    inInterval: (at, value, { repeats }) => repeats - sumOf(ofInterval.get(at) ?? [], value),
    inRange: (value, { seconds }) => seconds + sumOf(across, value),
  };
};

const wholeReport = (
  { range, currency }: Asked,
  sums: readonly IntervalSums[],
  returning: ReturningCustomers,
): Pick<SalesReport, 'total' | 'intervals'> => {
  const total = sums.reduce((all, own) => addSums(all, own), NO_SALES);
  return {
    total: figuresOf(total, currency, returning.inRange(null, total)),
    intervals: sums.map(
      ({ at, ...own }): SalesInterval => ({
        ...spanOf(range, at),
        figures: figuresOf(own, currency, returning.inInterval(at, null, own)),
      }),
    ),
  };
};

const namesOf = async (
  sql: Sql,
  tenant: Tenant,
  dimension: ReportDimension,
  values: readonly string[],
): Promise<ReadonlyMap<string, string>> => {
  const ids = values.filter((value) => value !== '');
  if (dimension === 'product') return namesOfProducts(sql, tenant, ids);
  return dimension === 'category' ? namesOfCategories(sql, tenant, ids) : new Map();
};

const rowsOf = async (
  sql: Sql,
  { tenant, range, currency }: Asked,
  dimension: Exclude<ReportDimension, 'all'>,
  values: readonly string[],
  returning: ReturningCustomers | null,
): Promise<SalesRow[]> => {
  if (values.length === 0) return [];
  const question: SaleQuestion = { currency: currency.code, dimension };
  const [sums, names] = await Promise.all([
    sumsOfValueIntervals(sql, tenant, question, range.boundaries, values),
    namesOf(sql, tenant, dimension, values),
  ]);
  const ofValue = Map.groupBy(sums, ({ value }) => value);
  return values.map((value) => {
    const own = ofValue.get(value) ?? [];
    // Added up from the intervals, so that the row equals their sum also while orders come in.
    const total = own.reduce((all, each) => addSums(all, each), NO_SALES);
    return {
      value: value === '' ? null : value,
      name: names.get(value) ?? null,
      total: figuresOf(total, currency, returning?.inRange(value, total) ?? null),
      intervals: own.map(({ at, ...each }) => ({
        ...spanOf(range, at),
        figures: figuresOf(each, currency, returning?.inInterval(at, value, each) ?? null),
      })),
    };
  });
};

const limitObstacle = ({ boundaries }: ReportRange, limit: number): Refusal | null => {
  const intervals = boundaries.length - 1;
  if (limit * intervals <= ROW_FIGURES_MAX) return null;
  const most = Math.floor(ROW_FIGURES_MAX / intervals);
  return invalid(
    'limit',
    `A report of ${intervals} intervals has at most ${most} rows a page. Send a lower \`limit\`.`,
  );
};

const readCurrency = (input: GetSalesRequest, store: ReportedStore): Currency | Refusal => {
  const text = input.currency ?? store.currency;
  return parseCurrency(text) ?? invalid('currency', `${quoted(text)} is no currency. Send a code such as USD.`);
};

const readAfter = (scope: string, cursor: string | undefined): { total: number; value: string } | null | Refusal => {
  if (cursor === undefined) return null;
  const [total, value] = decodeCursor(scope, cursor) ?? [];
  if (!Number.isSafeInteger(total) || typeof value !== 'string') return foreignCursor(cursor);
  return { total: total as number, value };
};

const salesReport = async (
  sql: Sql,
  { tenant }: Call,
  input: GetSalesRequest,
  { store, now }: { readonly store: ReportedStore; readonly now: Date },
) => {
  const { by = 'none', limit = LIMIT_DEFAULT } = input;
  const most = by === 'none' ? INTERVALS_MAX : ROW_INTERVALS_MAX;
  const range = readRange(input, { now, zone: store.zone, most });
  if (range instanceof Refusal) return range;
  const tooMany = by === 'none' ? null : limitObstacle(range, limit);
  if (tooMany) return tooMany;
  const currency = readCurrency(input, store);
  if (currency instanceof Refusal) return currency;
  const [from, until] = [startOf(range), endOf(range)];
  const scope = JSON.stringify(['sales', tenantKey(tenant), by, from, until, range.interval, currency.code]);
  const after = readAfter(scope, input.cursor);
  if (after instanceof Refusal) return after;

  const asked: Asked = { tenant, range, currency };
  const as_of = await asOf(sql, tenant);
  const dimension = by === 'none' ? null : by;
  // An order has one channel and one country, so the counts of these add up to those of the report.
  const divided = by === 'channel' || by === 'country' ? by : null;
  const [sums, returning, currencies, found] = await Promise.all([
    sumsOfIntervals(sql, tenant, currency.code, range.boundaries),
    readReturning(sql, asked, divided),
    currenciesIn(sql, tenant, from, until),
    dimension === null
      ? []
      : sumsOfValues(sql, tenant, { currency: currency.code, dimension }, [from, until], after, limit + 1),
  ]);
  const shown = found.slice(0, limit);
  const last = found.length > limit ? shown.at(-1)! : null;
  const next = last && encodeCursor(scope, [last.total, last.value]);
  const rows =
    dimension === null
      ? []
      : await rowsOf(
          sql,
          asked,
          dimension,
          shown.map(({ value }) => value),
          divided && returning,
        );
  return {
    sales: {
      from: textOf(from),
      to: textOf(until),
      interval: range.interval,
      by,
      timezone: store.zone,
      currency: currency.code,
      currencies,
      as_of,
      ...wholeReport(asked, sums, returning),
      rows,
    },
    pagination: { limit, has_more: next !== null, next_cursor: next },
  };
};

const STEP_FIELDS: Readonly<Record<StepName, keyof FunnelFigures>> = {
  session: 'sessions',
  view: 'product_views',
  cart: 'added_to_cart',
  checkout: 'checkouts_started',
  order: 'orders_placed',
  paid: 'orders_paid',
};

const NO_STEPS: FunnelFigures = {
  sessions: 0,
  product_views: 0,
  added_to_cart: 0,
  checkouts_started: 0,
  orders_placed: 0,
  orders_paid: 0,
};

const funnelReport = async (
  sql: Sql,
  { tenant }: Call,
  input: GetFunnelRequest,
  { store, now }: { readonly store: ReportedStore; readonly now: Date },
) => {
  const range = readRange(input, { now, zone: store.zone, most: INTERVALS_MAX });
  if (range instanceof Refusal) return range;
  const as_of = await asOf(sql, tenant);
  const total = { ...NO_STEPS };
  const figures = range.boundaries.slice(1).map(() => ({ ...NO_STEPS }));
  for (const { at, step, count } of await sumsOfSteps(sql, tenant, range.boundaries)) {
    figures[at]![STEP_FIELDS[step]] += count;
    total[STEP_FIELDS[step]] += count;
  }
  return {
    funnel: {
      from: textOf(startOf(range)),
      to: textOf(endOf(range)),
      interval: range.interval,
      timezone: store.zone,
      as_of,
      total,
      intervals: figures.map((own, at) => ({ ...spanOf(range, at), figures: own })),
    },
  };
};

export const reportHandlers = (clock: Clock, stores: StoreProfiles<ReportedStore>): Handlers<ReportRpcs> => ({
  GetSales: query(async (sql, call, input) =>
    salesReport(sql, call, input, { store: await stores.get(call.tenant), now: clock.now(call.tenant) }),
  ),

  GetFunnel: query(async (sql, call, input) =>
    funnelReport(sql, call, input, { store: await stores.get(call.tenant), now: clock.now(call.tenant) }),
  ),
});
