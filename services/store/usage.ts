// Usage: the fixed windows in which requests are counted, all in UTC.

export const SCOPES = ['key_hour', 'key_day', 'network_hour', 'month'] as const;
export type Scope = (typeof SCOPES)[number];

export interface UsageEntry {
  readonly scope: Scope;
  /** The key's id, the network's address, or empty for the month. */
  readonly subject: string;
  /** Unix seconds. */
  readonly window_start: number;
  readonly count: number;
  readonly store: string;
}

const HOUR_S = 3_600;
const DAY_S = 86_400;

/** When the window that is open at `realMs` began, in Unix seconds. */
export const windowStart = (scope: Scope, realMs: number): number => {
  if (scope === 'month') {
    const now = new Date(realMs);
    return Date.UTC(now.getUTCFullYear(), now.getUTCMonth()) / 1000;
  }
  const lengthS = scope === 'key_day' ? DAY_S : HOUR_S;
  const seconds = Math.floor(realMs / 1000);
  return seconds - (seconds % lengthS);
};

/** `2026-11` */
export const monthName = (realMs: number): string => new Date(realMs).toISOString().slice(0, 7);
