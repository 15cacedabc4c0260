// Bounds running and queued tasks, in order of arrival.
import { describe, expect, test } from 'vitest';
import { refuse } from '#runtime/call/call.ts';
import { AdmissionQueue } from '#runtime/flow/admission_queue.ts';

const FULL = refuse('service_unavailable', 'Full.', { retryAfterS: 2 });
const open = (runningMax: number, waitingMax: number, waitMsMax = 8_000): AdmissionQueue =>
  new AdmissionQueue({ runningMax, waitingMax, waitMsMax, refusal: FULL });
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('the queue', () => {
  test('runs two at once, the others in the order they came', async () => {
    const queue = open(2, 10);
    const started: number[] = [];
    const ends: (() => void)[] = [];
    const works = [0, 1, 2, 3].map((name) =>
      queue.run(async () => {
        started.push(name);
        await new Promise<void>((resolve) => ends.push(resolve));
        return name;
      }),
    );
    await turn();
    expect([started, queue.waiting]).toEqual([[0, 1], 2]);
    ends[1]!();
    await turn();
    expect([started, queue.waiting]).toEqual([[0, 1, 2], 1]);
    for (const end of [0, 2]) ends[end]!();
    await turn();
    ends[3]!();
    expect(await Promise.all(works)).toEqual([0, 1, 2, 3]);
  });

  test('refuses work at once when full, and admits again when a slot is free', async () => {
    const queue = open(1, 1);
    let end = (): void => {};
    const first = queue.run(() => new Promise<void>((resolve) => (end = resolve)));
    const second = queue.run(async () => 'second');
    expect([queue.full, await queue.run(async () => 'third')]).toEqual([FULL, FULL]);
    end();
    await first;
    expect(await second).toBe('second');
    expect(await queue.run(async () => 'fourth')).toBe('fourth');
  });

  test('does no work that no caller waits for any more', async () => {
    const queue = open(1, 5, 0);
    let end = (): void => {};
    const first = queue.run(() => new Promise<void>((resolve) => (end = resolve)));
    let started = false;
    const late = queue.run(async () => {
      started = true;
    });
    await turn();
    end();
    await first;
    expect(await late).toBe(FULL);
    expect([started, await queue.run(async () => 'next')]).toEqual([false, 'next']);
  });

  test('gives the place of a work that failed to the next', async () => {
    const queue = open(1, 5);
    const failing = queue.run(async () => {
      throw new Error('broken');
    });
    const next = queue.run(async () => 'next');
    await expect(failing).rejects.toThrow('broken');
    expect(await next).toBe('next');
  });
});
