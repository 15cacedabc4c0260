// Work that is repeated: one at a time, only while it can be done, until it is stopped.
import { expect, test, vi } from 'vitest';
import { repeatedly } from '#runtime/flow/repetition.ts';

test('work is never done twice at once, nor while it cannot be done; a failure is heard and it goes on', async () => {
  let able = false;
  let [begun, atOnce, atOnceMost] = [0, 0, 0];
  const failed: unknown[] = [];
  const asked = vi.fn(() => able);
  const stop = repeatedly({
    everyMs: 1,
    able: asked,
    work: async () => {
      begun++;
      atOnceMost = Math.max(atOnceMost, ++atOnce);
      await Bun.sleep(5);
      atOnce--;
      if (begun === 1) throw new Error('the first time');
    },
    failed: (problem) => failed.push(problem),
  });
  await vi.waitFor(() => expect(asked.mock.calls.length).toBeGreaterThan(2));
  expect(begun).toBe(0);
  able = true;
  await vi.waitFor(() => expect(begun).toBeGreaterThan(2));
  stop();
  expect(failed).toEqual([new Error('the first time')]);
  expect(atOnceMost).toBe(1);
  await vi.waitFor(() => expect(atOnce).toBe(0));
  const [total, looks] = [begun, asked.mock.calls.length];
  await Bun.sleep(20);
  expect([begun, asked.mock.calls.length]).toEqual([total, looks]);
});

test('work that fails before it has begun anything is heard, and begun again', async () => {
  const failed: unknown[] = [];
  const stop = repeatedly({
    everyMs: 1,
    able: () => true,
    work: () => {
      throw new Error('at once');
    },
    failed: (problem) => failed.push(problem),
  });
  await vi.waitFor(() => expect(failed.length).toBeGreaterThan(2));
  stop();
  expect(failed[0]).toEqual(new Error('at once'));
});
