// Time and its end: one signal of the caller's own and a deadline, without AbortSignal.any, which is young.

export interface Deadline {
  readonly signal: AbortSignal;
  /** Whether it was time that ended it, not the caller. */
  readonly passed: () => boolean;
  readonly release: () => void;
}

export const deadlineOf = (outer: AbortSignal | undefined, ms: number): Deadline => {
  const controller = new AbortController();
  let passed = false;
  const timer = setTimeout(() => {
    passed = true;
    controller.abort(new Error(`No answer within ${ms} ms.`));
  }, ms);
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
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end);
      done();
    }, ms);
    signal?.addEventListener('abort', end, { once: true });
  });
