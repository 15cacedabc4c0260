// Slows down repeated attempts at one operation: after a number of attempts in 15 minutes, one a minute is admitted.
import type { Context, Decision } from '#runtime/actor/kind.ts';

const WINDOW_MS = 15 * 60_000;
const SLOWED_INTERVAL_MS = 60_000;
/** Number of stored attempts; no caller allows more before it slows down. */
const ATTEMPTS_MAX = 10;

export interface Pace {
  /** Times of the last attempts in ms, oldest first, admitted or not. */
  readonly attempts: readonly number[];
  readonly admittedAt: number;
}

export interface PaceCommand {
  readonly after: number;
}

export interface PaceFact {
  readonly at: number;
  readonly admitted: boolean;
}

export const NO_PACE: Pace = { attempts: [], admittedAt: 0 };

/** Answers how long the caller must wait, in ms; 0: the attempt is admitted. */
export const decidePace = (
  { attempts, admittedAt }: Pace,
  { after }: PaceCommand,
  { now }: Pick<Context, 'now'>,
): Decision<PaceFact, number> => {
  const recent = attempts.filter((at) => at > now - WINDOW_MS);
  const slowed = recent.length >= after;
  const waitMs = slowed ? Math.max(0, admittedAt + SLOWED_INTERVAL_MS - now) : 0;
  return { facts: [{ at: now, admitted: waitMs === 0 }], answer: waitMs };
};

export const evolvePace = ({ attempts, admittedAt }: Pace, { at, admitted }: PaceFact): Pace => ({
  attempts: [...attempts, at].slice(-ATTEMPTS_MAX),
  admittedAt: admitted ? at : admittedAt,
});

export const paceExpiresAt = ({ attempts }: Pace): number => (attempts.at(-1) ?? 0) + WINDOW_MS;
