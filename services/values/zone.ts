// Computes the offset from UTC of IANA time zones, local dates, and the moments at which local days begin.
import { RecentMap } from './recent_map.ts';

const SECOND_MS = 1_000;
const DAY_MS = 86_400_000;
/** More than the number of time zones; caps the cache, since one zone has many spellings. */
const FORMATS_MAX = 1_000;
const formats = new RecentMap<string, Intl.DateTimeFormat>(FORMATS_MAX);

const formatIn = (timeZone: string): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat('sv-SE', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });

const formatOf = (zone: string): Intl.DateTimeFormat =>
  formats.getOrInsertComputed(zone, () => {
    try {
      return formatIn(zone);
    } catch {
      return formatIn('UTC');
    }
  });

/** Returns the zone's local time at the moment, as the ms at which UTC shows the same. */
export const localTime = (zone: string, moment: number): number => {
  const second = Math.floor(moment / SECOND_MS) * SECOND_MS;
  return Date.parse(`${formatOf(zone).format(second).replace(' ', 'T')}Z`) + (moment - second);
};

export const dayIn = (zone: string, moment: Date): string => formatOf(zone).format(moment).slice(0, 10);

/** Returns the date at the moment, as the ms of its midnight in UTC. */
export const localDate = (zone: string, moment: number): number =>
  Math.floor(localTime(zone, moment) / DAY_MS) * DAY_MS;

/**
 * Returns the first moment of a local date, given as the ms of its midnight in UTC. The moment may not be midnight where
 * clocks change then.
 */
export const startOfDate = (zone: string, date: number): number => {
  // The offsets a day before and after; clocks change at most once between.
  const offsets = [date - DAY_MS, date + DAY_MS].map((moment) => localTime(zone, moment) - moment);
  const candidates = offsets.map((offset) => date - offset).sort((a, b) => a - b);
  return candidates.find((moment) => localDate(zone, moment) >= date) ?? candidates[1]!;
};
