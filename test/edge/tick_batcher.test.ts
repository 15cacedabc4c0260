// Requests go on together: in the order in which they came, and so that the first need not wait for a crowd.
import { expect, test } from 'vitest';
import { TickBatcher } from '#edge/tick_batcher.ts';

const CROWD = 100;

test('what came in one turn goes on step by step together, in its order', async () => {
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
  const begun: number[] = [];
  let begunAtFirstAnswer = 0;
  await Promise.all(
    Array.from({ length: CROWD }, async (_, at) => {
      await turn.nextBatch();
      begun.push(at);
      await null;
      begunAtFirstAnswer ||= begun.length;
    }),
  );
  expect(begun).toEqual(Array.from({ length: CROWD }, (_, at) => at));
  expect(begunAtFirstAnswer).toBeLessThan(CROWD);
  await turn.nextBatch();
});
