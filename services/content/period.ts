// The days covered by an analytics query.
import { isDate, isDateTime } from '#proto/format.ts';
import { invalid, type Refusal } from '#runtime/call/call.ts';
import { dayIn } from '#values/zone.ts';

/** First and last day, inclusive, as 2026-01-31. */
export interface Period {
  readonly from: string;
  readonly to: string;
}

const DAY_MS = 86_400_000;
const DAYS_DEFAULT = 30;
const DAYS_MAX = 366;

const dayText = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

const readDay = (text: string, timezone: string): number | null => {
  if (isDate(text)) return Date.parse(text);
  return isDateTime(text) ? Date.parse(dayIn(timezone, new Date(text.toUpperCase()))) : null;
};

export const readPeriod = (
  from: string | undefined,
  to: string | undefined,
  now: Date,
  timezone: string,
): Period | Refusal => {
  const last = to === undefined ? Date.parse(dayIn(timezone, now)) : readDay(to, timezone);
  if (last === null) return invalid('to', '`to` must be a date such as 2026-01-31.');
  const first = from === undefined ? last - (DAYS_DEFAULT - 1) * DAY_MS : readDay(from, timezone);
  if (first === null) return invalid('from', '`from` must be a date such as 2026-01-31.');
  if (first > last)
    return invalid(
      'from',
      `\`from\` (${dayText(first)}) is after \`to\` (${dayText(last)}). Send an earlier \`from\`.`,
    );
  if (last - first >= DAYS_MAX * DAY_MS)
    return invalid(
      'from',
      `The period from ${dayText(first)} to ${dayText(last)} is longer than ${DAYS_MAX} days. Send a later \`from\`.`,
    );
  return { from: dayText(first), to: dayText(last) };
};
