// Covers a range of time with few sums of months, days and quarter-hours of UTC: it starts from the nearest whole month or day,
// and adds or takes away what lies between. Pure.

export type Span = 'quarter' | 'day' | 'month';

export const QUARTER_MS = 900_000;
const DAY_MS = 86_400_000;

export const SPANS: readonly Span[] = ['quarter', 'day', 'month'];

/** Time whose sums of one span a range adds, or takes away where `sign` is -1; `until` is exclusive. */
export interface SpanPart {
  readonly span: Span;
  readonly from: number;
  readonly until: number;
  readonly sign: 1 | -1;
}

const monthStart = (moment: number, later = 0): number => {
  const day = new Date(moment);
  return Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + later);
};

export const startOfSpan = (span: Span, moment: number): number => {
  if (span === 'month') return monthStart(moment);
  const length = span === 'day' ? DAY_MS : QUARTER_MS;
  return Math.floor(moment / length) * length;
};

const nearestStart = (span: 'day' | 'month', moment: number): number => {
  const start = startOfSpan(span, moment);
  const next = span === 'month' ? monthStart(moment, 1) : start + DAY_MS;
  return moment - start <= next - moment ? start : next;
};

const between = (span: Span, from: number, until: number): SpanPart[] => {
  if (from === until) return [];
  return from < until ? [{ span, from, until, sign: 1 }] : [{ span, from: until, until: from, sign: -1 }];
};

/** Covers shorter ranges by days, since the nearest months would differ from them by more days. */
const MONTHS_FROM_MS = 15 * DAY_MS;

const coverDays = (from: number, until: number): SpanPart[] => {
  if (until - from <= MONTHS_FROM_MS) return between('day', from, until);
  const [first, last] = [nearestStart('month', from), nearestStart('month', until)];
  return [...between('day', from, first), ...between('month', first, last), ...between('day', last, until)];
};

/**
 * Both moments are whole quarter-hours. Two ranges that meet at a moment have the part between it and the nearest day in
 * common: one adds it, the other one takes it away.
 */
export const coverRange = (from: number, until: number): SpanPart[] => {
  if (until - from < DAY_MS) return between('quarter', from, until);
  const [first, last] = [nearestStart('day', from), nearestStart('day', until)];
  return [...between('quarter', from, first), ...coverDays(first, last), ...between('quarter', last, until)];
};
