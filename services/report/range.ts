// The range of time of a report, and its intervals in the store's time zone.
import { isDate, isDateTime } from '#proto/format.ts';
import { invalid, quoted, Refusal } from '#runtime/call/call.ts';
import { localDate, startOfDate } from '#values/zone.ts';
import { boundariesOf, type IntervalName } from './calendar.ts';
import { QUARTER_MS } from './span.ts';

const DAY_MS = 86_400_000;
const DAYS_DEFAULT = 30;
/** Outside of these years a zone's offset may be no whole number of quarter-hours. */
const [TIME_MIN, TIME_MAX] = [Date.UTC(2000, 0), Date.UTC(3000, 0)];

export interface ReportRange {
  readonly interval: IntervalName;
  /** Starts of the intervals, then the end of the last, in ms since the epoch; whole quarter-hours. */
  readonly boundaries: readonly number[];
}

export interface RangeInput {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly interval?: IntervalName | undefined;
}

export const startOf = ({ boundaries }: ReportRange): number => boundaries[0]!;
export const endOf = ({ boundaries }: ReportRange): number => boundaries.at(-1)!;

const readMoment = (param: 'from' | 'to', text: string, zone: string): number | Refusal => {
  const isEnd = param === 'to';
  const [day, moment] = [isDate(text), isDateTime(text)];
  if (!day && !moment)
    return invalid(
      param,
      `\`${param}\` is ${quoted(text)}. Send a date such as 2026-01-31, or a moment such as 2026-01-31T12:00:00Z.`,
    );
  const at = Date.parse(text.toUpperCase());
  if (at < TIME_MIN || at >= TIME_MAX)
    return invalid(param, `\`${param}\` is ${quoted(text)}. Send a date from 2000-01-01 to 2999-12-31.`);
  if (day) return startOfDate(zone, isEnd ? at + DAY_MS : at);
  return (isEnd ? Math.ceil(at / QUARTER_MS) : Math.floor(at / QUARTER_MS)) * QUARTER_MS;
};

/** `now` tells which day is today; a range may have `most` intervals. */
export const readRange = (
  { from, to, interval = 'day' }: RangeInput,
  { now, zone, most }: { readonly now: Date; readonly zone: string; readonly most: number },
): ReportRange | Refusal => {
  const end =
    to === undefined ? startOfDate(zone, localDate(zone, now.getTime()) + DAY_MS) : readMoment('to', to, zone);
  if (end instanceof Refusal) return end;
  const start =
    from === undefined
      ? startOfDate(zone, localDate(zone, end - 1) - (DAYS_DEFAULT - 1) * DAY_MS)
      : readMoment('from', from, zone);
  if (start instanceof Refusal) return start;
  if (start >= end)
    return invalid(
      'from',
      `\`from\` (${new Date(start).toISOString()}) is not before the end of \`to\` (${new Date(end).toISOString()}). Send an earlier \`from\`.`,
    );
  const boundaries = boundariesOf(zone, interval, start, end, most);
  if (boundaries === null)
    return invalid(
      'from',
      `The report has more than ${most.toLocaleString('en')} intervals (\`${interval}\`). Send a later \`from\` or a longer \`interval\`.`,
    );
  return { interval, boundaries };
};
