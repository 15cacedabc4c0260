// Decides whether a call is sent again, and when: a refusal that says "not now", or an unknown outcome of a harmless call.
import type { StoaError } from './error.ts';

const FIRST_MS = 250;
const LONGEST_MS = 8_000;

/** Refused before anything happened. */
export const NOT_DONE: ReadonlySet<number> = new Set([408, 429, 503]);

/**
 * How long to wait before the call is sent again; null: it is not. `harmless` is a read, or a write with an idempotency
 * key: all others are repeated only where they are known not to have happened.
 */
export const waitBefore = (
  error: StoaError,
  harmless: boolean,
  attempts: number,
  random = Math.random,
): number | null => {
  const { status, code, retryAfterMs } = error;
  if (code === 'quota_exceeded') return null;
  const waiting = status === 409 && retryAfterMs !== null;
  const lost = code === 'unreadable_answer' && status < 300;
  const unknown = lost || status === 0 || status === 500 || status === 502 || status === 504;
  if (!NOT_DONE.has(status) && !(harmless && (waiting || unknown))) return null;
  return retryAfterMs ?? backOff(attempts, random);
};

/** Doubles, half of it by chance, so that many who failed together do not come back together. */
const backOff = (attempts: number, random: () => number): number => {
  const whole = Math.min(LONGEST_MS, FIRST_MS * 2 ** (attempts - 1));
  return whole / 2 + (whole / 2) * random();
};

/** `Retry-After`, in seconds or as a date, as milliseconds; null without the header. */
export const readRetryAfter = (header: string | null, nowMs: number): number | null => {
  if (header === null) return null;
  if (/^\d+$/.test(header)) return Number(header) * 1_000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? null : Math.max(0, date - nowMs);
};
