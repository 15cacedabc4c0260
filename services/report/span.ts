// Covers a range of time with few sums: whole months, then days, then quarter-hours of UTC. Pure.

export type Span = 'quarter' | 'day' | 'month';

export const QUARTER_MS = 900_000;
const DAY_MS = 86_400_000;

export const SPANS: readonly Span[] = ['quarter', 'day', 'month'];

/** Part of a range that is read from the sums of one span; `until` is exclusive. */
export interface SpanPart {
  readonly span: Span;
  readonly from: number;
  readonly until: number;
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

const endOfSpan = (span: Span, moment: number): number => {
  const start = startOfSpan(span, moment);
  if (start === moment) return moment;
  if (span === 'month') return monthStart(moment, 1);
  return start + (span === 'day' ? DAY_MS : QUARTER_MS);
};

const coverWith = (spans: readonly Span[], from: number, until: number): SpanPart[] => {
  if (from >= until) return [];
  const [span, ...smaller] = spans;
  if (smaller.length === 0) return [{ span: span!, from, until }];
  const [first, last] = [endOfSpan(span!, from), startOfSpan(span!, until)];
  if (first >= last) return coverWith(smaller, from, until);
  return [
    ...coverWith(smaller, from, first),
    { span: span!, from: first, until: last },
    ...coverWith(smaller, last, until),
  ];
};

/** Both moments are whole quarter-hours. */
export const coverRange = (from: number, until: number): SpanPart[] =>
  coverWith(['month', 'day', 'quarter'], from, until);
