// Questions are asked together only with those that came before they were asked.
import { expect, test } from 'vitest';
import { Unavailable } from '#runtime/call/fault.ts';
import { type BatchLoaderOptions, batchLoader } from '#runtime/flow/batch_loader.ts';

const slowDoubles = (options: Partial<BatchLoaderOptions> = {}) => {
  const asked: { readonly keys: readonly number[]; readonly answer: (fail?: Error) => void }[] = [];
  const double = batchLoader<number, number>(
    (keys) =>
      new Promise((resolve, reject) => {
        asked.push({ keys, answer: (fail) => (fail ? reject(fail) : resolve(keys.map((key) => key * 2))) });
      }),
    { itemsMax: 3, ...options },
  );
  return { asked, double };
};

test('the first is asked at once, those that come meanwhile together and in their order, so many at a time', async () => {
  const { asked, double } = slowDoubles();
  const doubles = [1, 2, 3, 4, 5].map(double);
  expect(asked.map(({ keys }) => keys)).toEqual([[1]]);
  asked[0]!.answer();
  expect(await doubles[0]).toBe(2);
  expect(asked.map(({ keys }) => keys)).toEqual([[1], [2, 3, 4]]);
  asked[1]!.answer();
  await doubles[3];
  asked[2]!.answer();
  expect(await Promise.all(doubles)).toEqual([2, 4, 6, 8, 10]);
});

test('fails the callers of one batch and none after them', async () => {
  const { asked, double } = slowDoubles();
  const first = double(1);
  const second = Promise.allSettled([double(2), double(3)]);
  asked[0]!.answer();
  await first;
  asked[1]!.answer(new Error('gone'));
  expect((await second).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  const again = double(4);
  asked[2]!.answer();
  expect(await again).toBe(8);
});

test('shares a batch between the look-ups of one tick, and runs so many batches at once', () => {
  const ticks: (() => void)[] = [];
  const { asked, double } = slowDoubles({ runningMax: 2, timers: { soon: (run) => ticks.push(run) } });
  for (let key = 1; key <= 8; key++) void double(key);
  expect([asked.length, ticks.length]).toEqual([0, 1]);
  ticks[0]!();
  expect(asked.map(({ keys }) => keys)).toEqual([
    [1, 2, 3],
    [4, 5, 6],
  ]);
});

test('refuses look-ups when too many wait', async () => {
  const { asked, double } = slowDoubles({ waitingMax: 2 });
  const doubles = [1, 2, 3].map(double);
  await expect(double(4)).rejects.toThrow(Unavailable);
  asked[0]!.answer();
  await doubles[0];
  asked[1]!.answer();
  expect(await Promise.all(doubles)).toEqual([2, 4, 6]);
});
