// The semaphore: a few at a time, the others in the order in which they came; work that fails gives up its place like any other.
import { expect, test } from 'vitest';
import { Semaphore } from '#runtime/flow/semaphore.ts';

const lengthy = (semaphore: Semaphore, name: string, started: string[]) => {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const run = semaphore.run(() => {
    started.push(name);
    return promise;
  });
  return { run, end: () => resolve(name), fail: () => reject(new Error(name)) };
};

test('two at a time are begun, and the next as soon as one has ended', async () => {
  const semaphore = new Semaphore(2);
  const started: string[] = [];
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((name) => lengthy(semaphore, name, started));
  expect([started, semaphore.waiting, semaphore.taken]).toEqual([['a', 'b'], 2, true]);
  b!.end();
  expect(await b!.run).toBe('b');
  await Bun.sleep(0);
  expect([started, semaphore.waiting]).toEqual([['a', 'b', 'c'], 1]);
  for (const each of [a, c, d]) each!.end();
  expect(await Promise.all([a!.run, c!.run, d!.run])).toEqual(['a', 'c', 'd']);
  expect([started, semaphore.taken]).toEqual([['a', 'b', 'c', 'd'], false]);
});

test('rejects the failed task’s caller and hands its slot on', async () => {
  const semaphore = new Semaphore(1);
  const started: string[] = [];
  const [a, b] = ['a', 'b'].map((name) => lengthy(semaphore, name, started));
  a!.fail();
  await expect(a!.run).rejects.toThrow('a');
  b!.end();
  expect(await b!.run).toBe('b');
  expect(semaphore.taken).toBe(false);
});
