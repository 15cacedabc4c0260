// Computes calendar days in time zones.

/** More than the number of time zones; caps the cache, since one zone has many spellings. */
const FORMATS_MAX = 1_000;
const formats = new Map<string, Intl.DateTimeFormat>();

const formatOf = (timeZone: string): Intl.DateTimeFormat => {
  const parts = { year: 'numeric', month: '2-digit', day: '2-digit' } as const;
  try {
    return new Intl.DateTimeFormat('sv-SE', { ...parts, timeZone });
  } catch {
    return new Intl.DateTimeFormat('sv-SE', { ...parts, timeZone: 'UTC' });
  }
};

/** Returns the moment's date in an IANA time zone, such as 2026-01-31. */
export const dayIn = (timezone: string, moment: Date): string => {
  let format = formats.get(timezone);
  if (!format) {
    if (formats.size >= FORMATS_MAX) formats.clear();
    format = formatOf(timezone);
    formats.set(timezone, format);
  }
  return format.format(moment);
};
