// Computes calendar days in time zones.

/** More than there are zones, fewer than there are spellings of them. */
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

/** An ISO date such as 2026-01-31, in an IANA time zone. */
export const dayIn = (timezone: string, moment: Date): string => {
  let format = formats.get(timezone);
  if (!format) {
    if (formats.size >= FORMATS_MAX) formats.clear();
    format = formatOf(timezone);
    formats.set(timezone, format);
  }
  return format.format(moment);
};
