// Failed logins of an account: past ten in 15 minutes only one login a minute is looked at, and none is ever locked out
// (contract 6). Real time, as all throttles.
import { type Refusal, refuse } from '#runtime/call/call.ts';

const FAILED_MAX = 10;
const WINDOW_MS = 15 * 60_000;
const APART_MS = 60_000;

export interface LoginFailures {
  /** Oldest first. */
  readonly failed: readonly Date[];
  /** The last login that was looked at while only one a minute is. */
  readonly admitted: Date | null;
}

export const NO_FAILURES: LoginFailures = { failed: [], admitted: null };

const recent = (failed: readonly Date[], nowMs: number): Date[] =>
  failed.filter((at) => at.getTime() > nowMs - WINDOW_MS);

/** Whether only one login a minute is looked at now. */
const isSlowed = (failures: LoginFailures, nowMs: number): boolean =>
  recent(failures.failed, nowMs).length >= FAILED_MAX;

/** Why a login is not looked at now; the same for an account that does not exist. */
export const tooMany = (failures: LoginFailures, nowMs: number): Refusal | null => {
  if (!isSlowed(failures, nowMs)) return null;
  const lastMs = Math.max(failures.failed.at(-1)?.getTime() ?? 0, failures.admitted?.getTime() ?? 0);
  const waitMs = lastMs + APART_MS - nowMs;
  if (waitMs <= 0) return null;
  return refuse('rate_limited', 'Too many failed logins for this account.', {
    details: 'One login a minute is looked at until the failed ones are 15 minutes old.',
    retryAfterS: Math.ceil(waitMs / 1_000),
  });
};

/** After a login that was looked at; null where nothing needs to be remembered. */
export const after = (failures: LoginFailures, succeeded: boolean, nowMs: number): LoginFailures | null => {
  const failed = recent(failures.failed, nowMs);
  const now = new Date(nowMs);
  if (!succeeded) return { failed: [...failed, now], admitted: failures.admitted };
  return isSlowed(failures, nowMs) ? { failed, admitted: now } : null;
};
