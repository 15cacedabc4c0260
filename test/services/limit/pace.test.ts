// A pace slows to one attempt a minute and never blocks for good.
import { describe, expect, test } from 'vitest';
import { decidePace, evolvePace, NO_PACE, type Pace, paceExpiresAt } from '#services/limit/pace.ts';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const MINUTE_MS = 60_000;

/** Returns the seconds to wait after attempts at these seconds; 0 admits. */
const waits = (after: number, ...seconds: number[]): number[] => {
  let pace: Pace = NO_PACE;
  return seconds.map((second) => {
    const { facts, answer } = decidePace(pace, { after }, { now: NOW + second * 1_000 });
    for (const fact of facts) pace = evolvePace(pace, fact);
    return answer / 1_000;
  });
};

describe('past five attempts', () => {
  test('a call within a minute of the last admitted one waits', () => {
    expect(waits(5, 0, 1, 2, 3, 4, 5, 10, 63, 64, 65)).toEqual([0, 0, 0, 0, 0, 59, 54, 1, 0, 59]);
  });

  test('one a minute is admitted while a caller tries', () => {
    const admitted = waits(5, ...Array.from({ length: 1_800 }, (_, second) => second)).filter((wait) => wait === 0);
    expect(admitted.length).toBe(5 + 29);
  });

  test('attempts are free again once the others are 15 minutes old', () => {
    expect(waits(5, 0, 0, 0, 0, 0, 1, 901, 901, 901, 901, 901, 901)).toEqual([0, 0, 0, 0, 0, 59, 0, 0, 0, 0, 0, 60]);
  });
});

test('ten attempts are stored, and dropped when they no longer count', () => {
  let pace: Pace = NO_PACE;
  for (let second = 0; second < 100; second++) pace = evolvePace(pace, { at: NOW + second * 1_000, admitted: true });
  expect(pace.attempts).toHaveLength(10);
  expect(paceExpiresAt(pace)).toBe(NOW + 99_000 + 15 * MINUTE_MS);
});
