// Days as the calendar of a time zone has them.

/** Formats that are kept: more than there are zones, fewer than there are ways to write their names. */
const FORMATS_MAX = 1_000;
const formats = new Map<string, Intl.DateTimeFormat>();

/** UTC stands in for a zone that this runtime does not know. */
const formatOf = (timeZone: string): Intl.DateTimeFormat => {
  const parts = { year: 'numeric', month: '2-digit', day: '2-digit' } as const;
  try {
    return new Intl.DateTimeFormat('sv-SE', { ...parts, timeZone });
  } catch {
    return new Intl.DateTimeFormat('sv-SE', { ...parts, timeZone: 'UTC' });
  }
};

/** The day of a moment in an IANA time zone, as 2026-01-31. */
export const dayIn = (timezone: string, moment: Date): string => {
  let format = formats.get(timezone);
  if (!format) {
    if (formats.size >= FORMATS_MAX) formats.clear();
    format = formatOf(timezone);
    formats.set(timezone, format);
  }
  return format.format(moment);
};
