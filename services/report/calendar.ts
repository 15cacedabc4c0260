// Divides a range of time into hours, days, weeks and months of a time zone. Pure.
import { localDate, localTime, startOfDate } from '#values/zone.ts';

export type IntervalName = 'hour' | 'day' | 'week' | 'month';

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
const DAYS_PER_WEEK = 7;

/** Returns the date on which the interval after the one with this date begins; weeks begin on Monday. */
const nextDate = (interval: Exclude<IntervalName, 'hour'>, date: number): number => {
  if (interval === 'day') return date + DAY_MS;
  const day = new Date(date);
  if (interval === 'month') return Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + 1);
  const sinceMonday = (day.getUTCDay() + DAYS_PER_WEEK - 1) % DAYS_PER_WEEK;
  return date + (DAYS_PER_WEEK - sinceMonday) * DAY_MS;
};

/** Returns the end of the local hour, which is shorter or longer if clocks change by half an hour. */
const endOfHour = (zone: string, moment: number): number => {
  const end = moment + HOUR_MS - (localTime(zone, moment) % HOUR_MS);
  return end - (localTime(zone, end) % HOUR_MS);
};

const nextStart = (zone: string, interval: IntervalName, moment: number): number => {
  if (interval === 'hour') return Math.max(endOfHour(zone, moment), moment + HOUR_MS / 2);
  let date = nextDate(interval, localDate(zone, moment));
  // A zone that crossed the date line has no such day.
  while (startOfDate(zone, date) <= moment) date = nextDate(interval, date);
  return startOfDate(zone, date);
};

/**
 * Returns the starts of the intervals between two moments, followed by the end of the last. The first and the last
 * interval are cut where the range begins and ends. Null if there are more than `most`.
 */
export const boundariesOf = (
  zone: string,
  interval: IntervalName,
  from: number,
  to: number,
  most: number,
): readonly number[] | null => {
  const boundaries = [from];
  for (let at = nextStart(zone, interval, from); at < to; at = nextStart(zone, interval, at)) {
    if (boundaries.length >= most) return null;
    boundaries.push(at);
  }
  return [...boundaries, to];
};
