// When an attempt that failed is followed by another one, and when a delivery is given up.

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** "1 min, 5 min, 30 min, 2 h, 8 h, 24 h, 48 h, then dead-lettered." */
export const RETRY_DELAYS_MS: readonly number[] = [
  MINUTE_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  8 * HOUR_MS,
  24 * HOUR_MS,
  48 * HOUR_MS,
];

/** Production's retries come up to so much late, never early, so that those of one outage do not come all at once. */
const LATENESS_MAX = 0.05;

/**
 * How long after the attempt the next one follows; null: none does. `step` counts the attempts made since the schedule
 * was begun, `chance` lies between 0 and 1.
 */
export const retryDelayMs = (step: number, chance: number): number | null => {
  const delay = RETRY_DELAYS_MS[step - 1];
  return delay === undefined ? null : Math.round(delay * (1 + LATENESS_MAX * chance));
};
