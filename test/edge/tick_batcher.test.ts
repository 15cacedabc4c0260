// Tests that requests of one tick resume together in order, and that the first response does not wait for all others.
import { expect, test } from 'vitest';
import { TickBatcher } from '#edge/tick_batcher.ts';

const CROWD = 100;

test('resumes requests of one tick step by step, in order', async () => {
  const turn = new TickBatcher();
  const steps: string[] = [];
  const request = async (name: string): Promise<void> => {
    steps.push(`${name} came`);
    await turn.nextBatch();
    steps.push(`${name} checked`);
    await null;
    steps.push(`${name} answered`);
  };
  await Promise.all(['a', 'b', 'c'].map(request));
  expect(steps).toEqual([
    'a came',
    'b came',
    'c came',
    'a checked',
    'b checked',
    'c checked',
    'a answered',
    'b answered',
    'c answered',
  ]);
});

test('the first of a crowd are answered before the last are begun, and none is left behind', async () => {
  const turn = new TickBatcher();
  const started: number[] = [];
  let startedAtFirstAnswer = 0;
  await Promise.all(
    Array.from({ length: CROWD }, async (_, at) => {
      await turn.nextBatch();
      started.push(at);
      await null;
      startedAtFirstAnswer ||= started.length;
    }),
  );
  expect(started).toEqual(Array.from({ length: CROWD }, (_, at) => at));
  expect(startedAtFirstAnswer).toBeLessThan(CROWD);
  await turn.nextBatch();
});
