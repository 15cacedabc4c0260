// Slows down guessing: after ten failed logins within 15 minutes of real time, one login a minute is checked. No
// account is ever locked.
import { type Refusal, refuse } from '#runtime/call/call.ts';
import { sha256 } from '#runtime/process/seal.ts';

/**
 * Returns the key under which failed password logins of a normalised address are counted, whether or not it has an
 * account.
 */
export const passwordFailureKey = (email: string): Buffer => sha256(email);

/**
 * Returns the key for failed codes, which are counted separately, so that guessing codes does not slow down password
 * logins.
 */
export const codeFailureKey = (email: string): Buffer => sha256(`code for ${email}`);

const FAILED_MAX = 10;
const WINDOW_MS = 15 * 60_000;
const SLOWED_INTERVAL_MS = 60_000;

export interface LoginFailures {
  readonly failed: readonly Date[];
  readonly admitted: Date | null;
}

export const NO_FAILURES: LoginFailures = { failed: [], admitted: null };

const recent = (failed: readonly Date[], nowMs: number): Date[] =>
  failed.filter((at) => at.getTime() > nowMs - WINDOW_MS);

const isSlowed = (failures: LoginFailures, nowMs: number): boolean =>
  recent(failures.failed, nowMs).length >= FAILED_MAX;

export const refuseIfSlowed = (failures: LoginFailures, nowMs: number): Refusal | null => {
  if (!isSlowed(failures, nowMs)) return null;
  const lastMs = Math.max(failures.failed.at(-1)?.getTime() ?? 0, failures.admitted?.getTime() ?? 0);
  const waitMs = lastMs + SLOWED_INTERVAL_MS - nowMs;
  if (waitMs <= 0) return null;
  return refuse('rate_limited', `More than ${FAILED_MAX - 1} logins for this account failed within 15 minutes.`, {
    details: 'One login a minute is checked until the failures are 15 minutes old.',
    retryAfterS: Math.ceil(waitMs / 1_000),
  });
};

export const recordLogin = (failures: LoginFailures, succeeded: boolean, nowMs: number): LoginFailures | null => {
  const failed = recent(failures.failed, nowMs);
  const now = new Date(nowMs);
  if (!succeeded) return { failed: [...failed, now], admitted: failures.admitted };
  return isSlowed(failures, nowMs) ? { failed, admitted: now } : null;
};
