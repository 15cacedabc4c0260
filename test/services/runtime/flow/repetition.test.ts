// Work that is repeated: one at a time, only while it can be done, until it is stopped.
import { describe, expect, test, vi } from 'vitest';
import { repeatedly } from '#runtime/flow/repetition.ts';
import { manualClock } from '#runtime/process/clock.ts';

const LONG = { timeout: 10_000 };

test('never runs work twice at once or while stopped, and continues after a logged failure', async () => {
  let able = false;
  let [runs, atOnce, atOnceMost] = [0, 0, 0];
  const failed: unknown[] = [];
  const asked = vi.fn(() => able);
  const stop = repeatedly({
    everyMs: 1,
    able: asked,
    work: async () => {
      runs++;
      atOnceMost = Math.max(atOnceMost, ++atOnce);
      await Bun.sleep(5);
      atOnce--;
      if (runs === 1) throw new Error('the first time');
    },
    failed: (problem) => failed.push(problem),
  });
  await vi.waitFor(() => expect(asked.mock.calls.length).toBeGreaterThan(2), LONG);
  expect(runs).toBe(0);
  able = true;
  await vi.waitFor(() => expect(runs).toBeGreaterThan(2), LONG);
  stop();
  expect(failed).toEqual([new Error('the first time')]);
  expect(atOnceMost).toBe(1);
  await vi.waitFor(() => expect(atOnce).toBe(0), LONG);
  const [total, looks] = [runs, asked.mock.calls.length];
  await Bun.sleep(20);
  expect([runs, asked.mock.calls.length]).toEqual([total, looks]);
});

test('logs work that fails at once, and runs it again', async () => {
  const failed: unknown[] = [];
  const stop = repeatedly({
    everyMs: 1,
    able: () => true,
    work: () => {
      throw new Error('at once');
    },
    failed: (problem) => failed.push(problem),
  });
  await vi.waitFor(() => expect(failed.length).toBeGreaterThan(2), LONG);
  stop();
  expect(failed[0]).toEqual(new Error('at once'));
});

describe('resting work', () => {
  const start = (nextDue?: (until: Date) => Promise<Date | null>, everyMs = 1) => {
    const listeners = new Set<() => void>();
    const clock = manualClock(0);
    const commits = {
      count: 0,
      listen: (listener: () => void) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    };
    const work = vi.fn(async () => {});
    const resting = { postgres: { commits }, clock, ...(nextDue ? { nextDue } : {}) };
    const stop = repeatedly({ everyMs, able: () => true, work, failed: () => {}, resting });
    const commit = (): void => {
      commits.count++;
      for (const listener of listeners) listener();
    };
    return { stop, work, clock, commit, listeners };
  };
  const QUIET_MS = 30;

  test('runs once while nothing is committed, and again after each commit', async () => {
    const { stop, work, commit, listeners } = start();
    await vi.waitFor(() => expect(work).toHaveBeenCalledTimes(1), LONG);
    await Bun.sleep(QUIET_MS);
    expect(work).toHaveBeenCalledTimes(1);
    commit();
    await Bun.sleep(QUIET_MS);
    expect(work).toHaveBeenCalledTimes(2);
    stop();
    expect(listeners.size).toBe(0);
  });

  test('runs again when its next due time has come, and at every interval while something is due', async () => {
    let due: Date | null = new Date(10_000);
    const nextDue = vi.fn(async () => due);
    const { stop, work, clock } = start(nextDue);
    await vi.waitFor(() => expect(work).toHaveBeenCalledTimes(1), LONG);
    await Bun.sleep(QUIET_MS);
    expect(work).toHaveBeenCalledTimes(1);
    clock.advance(10_000);
    await vi.waitFor(() => expect(work.mock.calls.length).toBeGreaterThan(3), LONG);
    due = null;
    const asked = nextDue.mock.calls.length;
    await vi.waitFor(() => expect(nextDue.mock.calls.length).toBeGreaterThan(asked), LONG);
    const { length } = work.mock.calls;
    await Bun.sleep(QUIET_MS);
    expect(work).toHaveBeenCalledTimes(length);
    clock.advance(5 * 60_000);
    await vi.waitFor(() => expect(work.mock.calls.length).toBeGreaterThan(length), LONG);
    stop();
  });

  test('waits for its interval where commits follow each other', async () => {
    const { stop, work, commit } = start(undefined, 500);
    await vi.waitFor(() => expect(work).toHaveBeenCalledTimes(1), LONG);
    for (let times = 0; times < 10; times++) commit();
    expect(work).toHaveBeenCalledTimes(1);
    await vi.waitFor(() => expect(work).toHaveBeenCalledTimes(2), LONG);
    stop();
  });

  test('does not pause for a sandbox with its own clock, where time alone makes work due', async () => {
    const { stop, work, clock } = start(async () => null);
    await vi.waitFor(() => expect(work).toHaveBeenCalledTimes(1), LONG);
    await Bun.sleep(QUIET_MS);
    expect(work).toHaveBeenCalledTimes(1);
    // The rest has begun: a notice of the moved clock may arrive after the commit.
    clock.setOffset({ store: 'a', environment: 'sandbox' }, 1);
    await vi.waitFor(() => expect(work.mock.calls.length).toBeGreaterThan(3), LONG);
    stop();
  });
});
