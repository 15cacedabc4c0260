// Derives the share that an order has in the sums of sales and of steps. Pure; amounts are in minor units.
import { allocate } from '#values/money.ts';
import { QUARTER_MS } from './span.ts';

export type ReportDimension = 'all' | 'channel' | 'product' | 'category' | 'country';
export type StepName = 'session' | 'view' | 'cart' | 'checkout' | 'order' | 'paid';

export const FIGURES = [
  'orders',
  'units',
  'gross',
  'discounts',
  'refunds',
  'tax',
  'shipping',
  'total',
  /** Orders that were not their buyer's first one, and those that were the second. */
  'repeats',
  'seconds',
] as const;
export type SaleSums = Record<(typeof FIGURES)[number], number>;

export const NO_SALES: Readonly<SaleSums> = {
  orders: 0,
  units: 0,
  gross: 0,
  discounts: 0,
  refunds: 0,
  tax: 0,
  shipping: 0,
  total: 0,
  repeats: 0,
  seconds: 0,
};

export interface SoldLine {
  readonly id: string;
  readonly product: string;
  readonly quantity: number;
  readonly gross: number;
  readonly discount: number;
  readonly tax: number;
  readonly total: number;
}

/** Money that went back to the buyer, negative if a provider failed to return it; with the units that it was for. */
export interface SoldRefund {
  readonly at: number;
  readonly amount: number;
  readonly units: readonly { readonly line: string; readonly quantity: number }[];
}

export interface SoldOrder {
  readonly placedAt: number;
  readonly paidAt: number | null;
  readonly isCancelled: boolean;
  /** Whether a checkout intent, which counted as a checkout, became the order. */
  readonly hadCheckout: boolean;
  readonly channel: string;
  readonly country: string;
  readonly gross: number;
  readonly discounts: number;
  readonly tax: number;
  readonly shipping: number;
  readonly total: number;
  readonly lines: readonly SoldLine[];
  readonly refunds: readonly SoldRefund[];
}

export interface SaleShare {
  readonly dimension: ReportDimension;
  readonly value: string;
  /** Start of the quarter-hour, in ms since the epoch. */
  readonly quarter: number;
  readonly sums: SaleSums;
}

export interface StepShare {
  readonly step: StepName;
  readonly quarter: number;
  readonly count: number;
}

export const quarterOf = (moment: number): number => Math.floor(moment / QUARTER_MS) * QUARTER_MS;

export const addSums = (one: Readonly<SaleSums>, other: Readonly<SaleSums>, sign: 1 | -1 = 1): SaleSums => {
  const sums = { ...one };
  for (const figure of FIGURES) sums[figure] += sign * other[figure];
  return sums;
};

export const isNothing = (sums: Readonly<SaleSums>): boolean => FIGURES.every((figure) => sums[figure] === 0);

const mergeShares = (shares: readonly SaleShare[]): SaleShare[] => {
  const merged = new Map<string, SaleShare>();
  for (const share of shares) {
    const key = `${share.dimension}/${share.quarter}/${share.value}`;
    const known = merged.get(key);
    merged.set(key, known ? { ...known, sums: addSums(known.sums, share.sums) } : share);
  }
  return [...merged.values()].filter(({ sums }) => !isNothing(sums));
};

/**
 * Returns the share of each line. Amounts of the whole order, such as delivery, are split in proportion to the lines'
 * costs, so that the lines add up to the order.
 */
const lineSums = ({ lines, ...order }: SoldOrder): SaleSums[] => {
  const weights = lines.map(({ total }) => total);
  const restOf = (whole: number, own: (line: SoldLine) => number): number[] =>
    allocate(whole - lines.reduce((sum, line) => sum + own(line), 0), weights);
  const shipping = allocate(order.shipping, weights);
  const tax = restOf(order.tax, (line) => line.tax);
  const total = restOf(order.total - order.shipping, (line) => line.total);
  return lines.map((line, at) => ({
    ...NO_SALES,
    units: line.quantity,
    gross: line.gross,
    discounts: line.discount,
    tax: line.tax + tax[at]!,
    shipping: shipping[at]!,
    total: line.total + shipping[at]! + total[at]!,
  }));
};

/** Returns each line's part of a refund: by the units that it names, else by what the lines cost. */
const refundParts = ({ lines }: SoldOrder, { amount, units }: SoldRefund): number[] => {
  const quantities = new Map(units.map(({ line, quantity }) => [line, quantity]));
  const named = lines.some(({ id }) => quantities.has(id));
  return allocate(
    amount,
    lines.map(({ id, total, quantity }) =>
      named ? Math.floor((total * (quantities.get(id) ?? 0)) / quantity) : total,
    ),
  );
};

const lineShares = (
  quarter: number,
  dimension: ReportDimension,
  lines: readonly { readonly value: string; readonly sums: SaleSums }[],
): SaleShare[] => {
  const seen = new Set<string>();
  return lines.map(({ value, sums }) => {
    const share = { dimension, value, quarter, sums: seen.has(value) ? { ...sums, orders: 0 } : sums };
    seen.add(value);
    return share;
  });
};

export const salesOf = (order: SoldOrder, categoryOf: (product: string) => string): SaleShare[] => {
  if (order.isCancelled) return [];
  const sharesAt = (moment: number, sums: SaleSums, parts: readonly SaleSums[]): SaleShare[] => {
    const quarter = quarterOf(moment);
    const ofLines = (valueOfLine: (line: SoldLine) => string) =>
      order.lines.map((line, at) => ({ value: valueOfLine(line), sums: parts[at]! }));
    return [
      { dimension: 'all', value: '', quarter, sums },
      { dimension: 'channel', value: order.channel, quarter, sums },
      { dimension: 'country', value: order.country, quarter, sums },
      ...lineShares(
        quarter,
        'product',
        ofLines(({ product }) => product),
      ),
      ...lineShares(
        quarter,
        'category',
        ofLines(({ product }) => categoryOf(product)),
      ),
    ];
  };

  const { gross, discounts, tax, shipping, total } = order;
  const units = order.lines.reduce((sum, { quantity }) => sum + quantity, 0);
  const placed = sharesAt(
    order.placedAt,
    { ...NO_SALES, orders: 1, units, gross, discounts, tax, shipping, total },
    lineSums(order).map((sums) => ({ ...sums, orders: 1 })),
  );
  const refunded = order.refunds.flatMap((refund) =>
    sharesAt(
      refund.at,
      { ...NO_SALES, refunds: refund.amount },
      refundParts(order, refund).map((refunds) => ({ ...NO_SALES, refunds })),
    ),
  );
  return mergeShares([...placed, ...refunded]);
};

export const stepsOf = ({ placedAt, paidAt, hadCheckout }: SoldOrder): StepShare[] => {
  const placed = quarterOf(placedAt);
  return [
    { step: 'order', quarter: placed, count: 1 },
    ...(hadCheckout ? [] : [{ step: 'checkout' as const, quarter: placed, count: 1 }]),
    ...(paidAt === null ? [] : [{ step: 'paid' as const, quarter: quarterOf(paidAt), count: 1 }]),
  ];
};
