// Days and times of a time zone as moments. Pure.

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

const LOCAL_MINUTE = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/;

/** The moment of a local time (YYYY-MM-DDTHH:MM) in the zone, as ISO 8601; null if it is none. */
export const momentAt = (minute: string, timeZone: string): string | null => {
  const local = LOCAL_MINUTE.test(minute) ? Date.parse(`${minute}:00Z`) : Number.NaN;
  if (Number.isNaN(local)) return null;
  // Clocks may change between the first guess and the moment.
  const guess = local - offsetMs(local, timeZone);
  return new Date(local - offsetMs(guess, timeZone)).toISOString();
};

/** The local time of a moment in the zone: YYYY-MM-DDTHH:MM, as a field of a form takes it. */
export const localMinute = (moment: string, timeZone: string): string => {
  const ms = Date.parse(moment);
  return new Date(ms + offsetMs(ms, timeZone)).toISOString().slice(0, 'YYYY-MM-DDTHH:MM'.length);
};

/** The moment at which `day` (YYYY-MM-DD) begins in the zone, as ISO 8601; null if `day` is none. */
export const startOfDay = (day: string, timeZone: string): string | null => momentAt(`${day}T00:00`, timeZone);

const DAY_MS = 86_400_000;

/** The day `days` after `day` (YYYY-MM-DD); `day` itself if it is none. */
export const addDays = (day: string, days: number): string => {
  const midnight = Date.parse(`${day}T00:00:00Z`);
  return Number.isNaN(midnight) ? day : new Date(midnight + days * DAY_MS).toISOString().slice(0, 10);
};
