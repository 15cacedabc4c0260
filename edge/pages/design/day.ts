// Days of a time zone as moments. Pure.

const offsetMs = (moment: number, timeZone: string): number => {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  }).formatToParts(moment);
  const part = (type: Intl.DateTimeFormatPartTypes): number =>
    Number(parts.find((each) => each.type === type)?.value ?? 0);
  const local = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'));
  return local - Math.floor(moment / 1_000) * 1_000;
};

/** The moment at which `day` (YYYY-MM-DD) begins in the zone, as ISO 8601; null if `day` is none. */
export const startOfDay = (day: string, timeZone: string): string | null => {
  const midnight = /^\d{4}-\d{2}-\d{2}$/.test(day) ? Date.parse(`${day}T00:00:00Z`) : Number.NaN;
  if (Number.isNaN(midnight)) return null;
  // Clocks may change between the first guess and the day's beginning.
  const guess = midnight - offsetMs(midnight, timeZone);
  return new Date(midnight - offsetMs(guess, timeZone)).toISOString();
};

const DAY_MS = 86_400_000;

/** The day after `day`, both YYYY-MM-DD. */
export const nextDay = (day: string): string => {
  const midnight = Date.parse(`${day}T00:00:00Z`);
  return Number.isNaN(midnight) ? day : new Date(midnight + DAY_MS).toISOString().slice(0, 10);
};
