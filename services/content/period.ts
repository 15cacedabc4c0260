// The days that analytics are asked for.
import { isDate, isDateTime } from '#proto/format.ts';
import { invalid, type Refusal } from '#runtime/call/call.ts';

/** Days as 2026-01-31, the last one included. */
export interface Period {
  readonly from: string;
  readonly to: string;
}

const DAY_MS = 86_400_000;
const DAYS_DEFAULT = 30;
const DAYS_MAX = 366;

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** The beginning of a day, or of the day of a moment, in UTC; null where the text is neither. */
const readDay = (text: string): number | null => {
  if (isDate(text)) return Date.parse(text);
  return isDateTime(text) ? Math.floor(Date.parse(text.toUpperCase()) / DAY_MS) * DAY_MS : null;
};

export const readPeriod = (from: string | undefined, to: string | undefined, now: Date): Period | Refusal => {
  const last = to === undefined ? Math.floor(now.getTime() / DAY_MS) * DAY_MS : readDay(to);
  if (last === null) return invalid('to', '`to` must be a date such as 2026-01-31.');
  const first = from === undefined ? last - (DAYS_DEFAULT - 1) * DAY_MS : readDay(from);
  if (first === null) return invalid('from', '`from` must be a date such as 2026-01-31.');
  if (first > last) return invalid('from', '`from` must not be after `to`.');
  if (last - first >= DAYS_MAX * DAY_MS) return invalid('from', `At most ${DAYS_MAX} days can be asked for.`);
  return { from: dayOf(first), to: dayOf(last) };
};
