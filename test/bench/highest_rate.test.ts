// The highest rate that keeps a promise is found from any guess.
import { expect, test } from 'vitest';
import { highestRate } from '#bench/highest_rate.ts';

test.each([
  [5_000, 5_000],
  // A closed loop that was disturbed, or looked at nothing but how many.
  [5_000, 60],
  [5_000, 30_000],
  [37, 5_000],
])('of %i a second, from %i', async (most, guess) => {
  const found = await highestRate(guess, async (perSecond) => perSecond <= most);
  expect(found).toBeLessThanOrEqual(most);
  expect(found).toBeGreaterThan(most - Math.max(guess, 2 * most) / 100);
});

test('finds the rate that holds for longer, or a little less', async () => {
  const found = await highestRate(1_000, async (perSecond, longer) => perSecond <= (longer ? 800 : 900));
  expect(found).toBeLessThanOrEqual(800);
  expect(found).toBeGreaterThan(760);
});

test('repeats a rate that is missed once', async () => {
  let asked = 0;
  const found = await highestRate(
    1_000,
    async (perSecond, longer) => (longer || asked++ % 2 === 1) && perSecond <= 900,
  );
  expect(found).toBeGreaterThan(880);
});

test('answers 0 when no rate holds', async () => {
  const asked: number[] = [];
  expect(await highestRate(1_000, async (perSecond) => asked.push(perSecond) < 0)).toBe(0);
  expect(asked.length).toBeLessThan(20);
});
