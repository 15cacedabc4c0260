// The periods that Home shows, and the time before that each is compared with.
import { addDays } from '#edge/pages/design/day.ts';

export const PERIODS = [
  { days: 1, name: 'Today', before: 'yesterday until now' },
  { days: 7, name: '7 days', before: 'the 7 days before' },
  { days: 30, name: '30 days', before: 'the 30 days before' },
] as const;

export type PeriodDays = (typeof PERIODS)[number]['days'];

const DAY_MS = 86_400_000;

/** The calendar day of a moment in a time zone: `2026-01-31`. */
export const dayIn = (timezone: string, atMs: number): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone: timezone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(
    atMs,
  );

interface ReportRange {
  readonly from: string;
  readonly to: string;
}

interface ComparedRanges {
  readonly now: ReportRange;
  readonly before: ReportRange;
}

/**
 * `todayEnd` is the end of the store's day: a sandbox's clock may be days ahead, and then the time before is compared up to
 * the end of its last day.
 */
export const rangesOf = (days: PeriodDays, timezone: string, todayEnd: string, nowMs: number): ComparedRanges => {
  const endMs = Date.parse(todayEnd);
  const today = dayIn(timezone, endMs - 1);
  const from = addDays(today, 1 - days);
  const isToday = dayIn(timezone, nowMs) === today;
  return {
    now: { from, to: today },
    before: {
      from: addDays(from, -days),
      to: isToday ? new Date(nowMs - days * DAY_MS).toISOString() : addDays(today, -days),
    },
  };
};

/** The change as a share: 0.25 is a quarter more. Null where there was nothing before. */
export const changeOf = (now: number, before: number): number | null => (before === 0 ? null : (now - before) / before);
