// Questions are asked together only with those that came before they were asked.
import { expect, test } from 'vitest';
import { batchLoader } from '#runtime/flow/batch_loader.ts';

const slowDoubles = () => {
  const asked: { readonly keys: readonly number[]; readonly answer: (fail?: Error) => void }[] = [];
  const double = batchLoader<number, number>(
    (keys) =>
      new Promise((resolve, reject) => {
        asked.push({ keys, answer: (fail) => (fail ? reject(fail) : resolve(keys.map((key) => key * 2))) });
      }),
    3,
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
