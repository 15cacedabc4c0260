// Computes the fixed time windows, in UTC, in which requests are counted.

export const SCOPES = [
  'key_hour',
  'key_day',
  'network_hour',
  'month',
  'payment_hour',
  'review_hour',
  'auth_minute',
  'reset_address',
  'reset_pair',
] as const;
export type Scope = (typeof SCOPES)[number];

/** Unix seconds; `end` is exclusive. */
export interface Window {
  readonly start: number;
  readonly end: number;
}

const MINUTE_S = 60;
const HOUR_S = 3_600;

const LENGTH_S: Readonly<Record<Exclude<Scope, 'month'>, number>> = {
  key_hour: HOUR_S,
  key_day: 24 * HOUR_S,
  network_hour: HOUR_S,
  payment_hour: HOUR_S,
  review_hour: HOUR_S,
  auth_minute: MINUTE_S,
  reset_address: 15 * MINUTE_S,
  reset_pair: 15 * MINUTE_S,
};

export const windowAt = (scope: Scope, realMs: number): Window => {
  if (scope === 'month') {
    const now = new Date(realMs);
    const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()];
    return { start: Date.UTC(year, month) / 1000, end: Date.UTC(year, month + 1) / 1000 };
  }
  const length = LENGTH_S[scope];
  const start = Math.floor(realMs / 1000 / length) * length;
  return { start, end: start + length };
};
