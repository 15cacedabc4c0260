// Bounds how long, and how many, callers wait for shared work.
import { expect, test } from 'vitest';
import { Unavailable } from '#runtime/call/fault.ts';
import { BoundedWait } from '#runtime/flow/bounded_wait.ts';
import { manualClock } from '#runtime/process/clock.ts';

const NOW = 1_000;
const room = (callersMax = 2) =>
  new BoundedWait({
    clock: manualClock(NOW),
    callersMax,
    fullMessage: 'There is no room.',
    timeoutMessage: 'It took too long.',
  });
const patient = { deadline: NOW + 60_000 };

test('returns the result of the work, or its failure', async () => {
  const waiting = room();
  expect(await waiting.wait(patient, Promise.resolve('made'))).toBe('made');
  await expect(waiting.wait(patient, Promise.reject(new Error('broken')))).rejects.toThrow('broken');
});

test('rejects a caller whose deadline has passed, and continues the work', async () => {
  const { promise, resolve } = Promise.withResolvers<string>();
  const waiting = room();
  const late = waiting.wait({ deadline: NOW }, promise);
  await expect(late).rejects.toThrow(new Unavailable('It took too long.'));
  resolve('made');
  expect(await waiting.wait(patient, promise)).toBe('made');
});

test('sends away callers beyond its room, until one has left', async () => {
  const { promise, resolve } = Promise.withResolvers<string>();
  const waiting = room();
  const inside = [waiting.wait(patient, promise), waiting.wait(patient, promise)];
  await expect(waiting.wait(patient, promise)).rejects.toThrow(new Unavailable('There is no room.'));
  resolve('made');
  expect(await Promise.all(inside)).toEqual(['made', 'made']);
  expect(await waiting.wait(patient, promise)).toBe('made');
});
