// Schedules retries of deliveries.

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Retries after 1 min, 5 min, 30 min, 2 h, 8 h, 24 h and 48 h; then the delivery is given up. */
export const RETRY_DELAYS_MS: readonly number[] = [
  MINUTE_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  8 * HOUR_MS,
  24 * HOUR_MS,
  48 * HOUR_MS,
];

/** Retries are up to this share late, never early, so that those of one outage spread. */
const LATENESS_MAX = 0.05;

/**
 * The delay before the next attempt; null: none. `step` counts attempts of this schedule; `chance` is between 0 and 1.
 */
export const retryDelayMs = (step: number, chance: number): number | null => {
  const delay = RETRY_DELAYS_MS[step - 1];
  return delay === undefined ? null : Math.round(delay * (1 + LATENESS_MAX * chance));
};
