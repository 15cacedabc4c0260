// The adaptive limit before a simulated server: by the clock of the simulation, every run is the same.
import { describe, expect, test } from 'vitest';
import { AdaptiveLimit, type LimitRule } from '#edge/admission/limit.ts';

const RULE: LimitRule = { slackMs: 50, min: 32, max: 2_048 };
const SERVICE_MS = 4;
/** Requests that the server works on side by side; its capacity is 2,000 a second. */
const WORKERS = 8;
const CAPACITY = WORKERS / SERVICE_MS;

interface Phase {
  readonly seconds: number;
  /** Load as a share of the server's capacity. */
  readonly load: number;
}

/** Answers and refusals of the last second of each phase, and the longest that an admitted request took in it. */
const simulate = (phases: readonly Phase[]) => {
  const limit = new AdaptiveLimit(RULE);
  const freeAt = new Array<number>(WORKERS).fill(0);
  /** Requests by the millisecond in which they end. */
  const ends = new Map<number, number[]>();
  let now = 0;
  let pendingWork = 0;
  return phases.map(({ seconds, load }) => {
    const untilMs = now + seconds * 1_000;
    const seen = { answered: 0, shed: 0, longestMs: 0, limit: 0 };
    for (; now < untilMs; now++) {
      const measured = now >= untilMs - 1_000;
      for (const beganAt of ends.get(now) ?? []) {
        limit.end(now, SERVICE_MS, now - beganAt - SERVICE_MS);
        if (measured) seen.answered++;
        if (measured) seen.longestMs = Math.max(seen.longestMs, now - beganAt);
      }
      ends.delete(now);
      for (pendingWork += load * CAPACITY; pendingWork >= 1; pendingWork--) {
        if (limit.full) {
          if (measured) seen.shed++;
          continue;
        }
        limit.begin();
        const worker = freeAt.indexOf(Math.min(...freeAt));
        const doneAt = Math.max(now, freeAt[worker]!) + SERVICE_MS;
        freeAt[worker] = doneAt;
        ends.set(doneAt, [...(ends.get(doneAt) ?? []), now]);
      }
    }
    return { ...seen, limit: limit.limit, limited: limit.limited };
  });
};

describe('an adaptive limit', () => {
  test('limits nothing below capacity', () => {
    const [calm] = simulate([{ seconds: 5, load: 0.7 }]);
    expect(calm).toMatchObject({ shed: 0, limited: false, limit: RULE.max });
  });

  test.each([1.5, 5, 10])('keeps the server busy and its queue short at %f times of capacity', (load) => {
    const [over] = simulate([{ seconds: 8, load }]);
    expect(over!.limited).toBe(true);
    expect(over!.answered).toBeGreaterThanOrEqual(0.95 * CAPACITY * 1_000);
    expect(over!.longestMs).toBeLessThanOrEqual(3 * RULE.slackMs);
  });

  test('lets all in again two seconds after the load has gone', () => {
    const [, after] = simulate([
      { seconds: 8, load: 10 },
      { seconds: 2, load: 0.7 },
    ]);
    expect(after).toMatchObject({ shed: 0, limited: false });
  });

  test('takes a burst that does not last for what it is', () => {
    const [, burst, after] = simulate([
      { seconds: 2, load: 0.2 },
      { seconds: 0.2, load: 3 },
      { seconds: 2, load: 0.2 },
    ]);
    expect(burst!.shed).toBe(0);
    expect(after).toMatchObject({ shed: 0, limited: false });
  });

  test('stays between its minimum and maximum without answers', () => {
    const stuck = new AdaptiveLimit(RULE);
    for (let n = 0; n < RULE.max; n++) stuck.begin();
    expect(stuck.full).toBe(true);
    for (let now = 0; now < 10_000; now += 10) {
      stuck.end(now, SERVICE_MS, 5_000);
      stuck.begin();
    }
    expect(stuck.limit).toBe(RULE.min);
  });
});
