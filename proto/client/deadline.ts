// Time and its end: one signal of the caller's own and a deadline, without AbortSignal.any, which is young.

/** Timers count no further: a longer time, such as `Infinity`, would be over at once. */
const TIMER_MS_MAX = 2 ** 31 - 1;

export interface Deadline {
  readonly signal: AbortSignal;
  /** Whether it was time that ended it, not the caller. */
  readonly passed: () => boolean;
  readonly release: () => void;
}

export const deadlineOf = (outer: AbortSignal | undefined, ms: number): Deadline => {
  const controller = new AbortController();
  let passed = false;
  const timer = setTimeout(
    () => {
      passed = true;
      controller.abort(new Error(`No answer within ${ms} ms.`));
    },
    Math.min(ms, TIMER_MS_MAX),
  );
  const end = (): void => controller.abort(outer?.reason);
  outer?.addEventListener('abort', end, { once: true });
  if (outer?.aborted) end();
  return {
    signal: controller.signal,
    passed: () => passed,
    release: () => {
      clearTimeout(timer);
      outer?.removeEventListener('abort', end);
    },
  };
};

/** Resolves after a while; rejects with the signal's reason when that ends it. */
export const pause = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((done, fail) => {
    if (signal?.aborted) {
      fail(signal.reason);
      return;
    }
    const end = (): void => {
      clearTimeout(timer);
      fail(signal?.reason);
    };
    const timer = setTimeout(
      () => {
        signal?.removeEventListener('abort', end);
        done();
      },
      Math.min(ms, TIMER_MS_MAX),
    );
    signal?.addEventListener('abort', end, { once: true });
  });

/**
 * Waits for work that takes no signal. A deadline that passes first rejects with the signal's reason; the work continues.
 */
export const within = <T>({ signal }: Deadline, work: Promise<T>): Promise<T> =>
  new Promise((done, fail) => {
    const end = (): void => fail(signal.reason);
    signal.addEventListener('abort', end, { once: true });
    if (signal.aborted) end();
    work.then(done, fail);
  });
