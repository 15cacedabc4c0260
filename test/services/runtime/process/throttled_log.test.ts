// Warnings of a kind: the first at once, the others as a number.
import { expect, test } from 'vitest';
import { createLog } from '#runtime/process/log.ts';
import { throttledLog } from '#runtime/process/throttled_log.ts';
import { eventually } from '#test/support/server.ts';

const PERIOD_MS = 100;

const opened = () => {
  const lines: Record<string, unknown>[] = [];
  const log = createLog({ name: 'test', write: (line) => void lines.push(JSON.parse(line)) });
  const shown = () => lines.map(({ msg, rpc, at, left_out }) => ({ msg, rpc, at, left_out }));
  return { shown, warn: throttledLog(log, PERIOD_MS).warn };
};

test('writes the first of a thousand warnings at once, and the last with the number left out', async () => {
  const { shown, warn } = opened();
  for (let at = 0; at < 1_000; at++) {
    warn('a', { rpc: 'a', at }, 'unavailable');
    if (at % 2 === 0) warn('b', { rpc: 'b', at }, 'unavailable');
  }
  const first = (rpc: string) => ({ msg: 'unavailable', rpc, at: 0, left_out: undefined });
  expect(shown()).toEqual([first('a'), first('b')]);
  await eventually(() => expect(shown()).toHaveLength(4));
  expect(shown().slice(2)).toEqual([
    { msg: 'unavailable', rpc: 'a', at: 999, left_out: 998 },
    { msg: 'unavailable', rpc: 'b', at: 998, left_out: 498 },
  ]);
});

test('one that comes after a quiet period is written at once again', async () => {
  const { shown, warn } = opened();
  warn('a', { at: 0 }, 'unavailable');
  await eventually(async () => {
    await Bun.sleep(2 * PERIOD_MS);
    const before = shown().length;
    warn('a', { at: 1 }, 'unavailable');
    expect(shown().slice(before)).toEqual([{ msg: 'unavailable', rpc: undefined, at: 1, left_out: undefined }]);
  });
});

test('kinds without end are few lines', async () => {
  const { shown, warn } = opened();
  for (let at = 0; at < 10_000; at++) warn(String(at), { at }, 'unavailable');
  expect(shown().length).toBeLessThan(300);
  await eventually(() => expect(shown().at(-1)).toMatchObject({ at: 9_999, left_out: expect.any(Number) }));
});
