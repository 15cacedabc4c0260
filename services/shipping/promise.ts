// Computes the days on which a delivery is promised. Pure.
import type { EstimateDays } from '#proto/gen/shipping_config.ts';

const DAY_MS = 86_400_000;

export interface DeliveryCalendar {
  /** Returns today in the store's timezone, such as 2026-01-31. Most configurations never ask. */
  readonly today: () => string;
  /** Working days until an order is sent. */
  readonly handlingDays: number;
}

const isWorkingDay = (moment: number): boolean => {
  const weekday = new Date(moment).getUTCDay();
  return weekday !== 0 && weekday !== 6;
};

/** Returns the working day that is `count` working days behind the given day; for 0 the day itself or the next one. */
const workingDayAfter = (day: number, count: number): number => {
  let moment = day;
  while (!isWorkingDay(moment)) moment += DAY_MS;
  for (let left = count; left > 0; left--) {
    moment += DAY_MS;
    while (!isWorkingDay(moment)) moment += DAY_MS;
  }
  return moment;
};

const dateOf = (moment: number): string => new Date(moment).toISOString().slice(0, 10);

/** Returns nothing without structured days. */
export const promisedDays = (
  estimate: EstimateDays | null,
  calendar: DeliveryCalendar | null,
): { readonly delivery_from: string; readonly delivery_to: string } | Record<string, never> => {
  if (estimate === null || calendar === null) return {};
  const sentOn = workingDayAfter(Date.parse(calendar.today()), calendar.handlingDays);
  return {
    delivery_from: dateOf(workingDayAfter(sentOn, estimate.min)),
    delivery_to: dateOf(workingDayAfter(sentOn, estimate.max)),
  };
};
