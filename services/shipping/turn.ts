// Runs long work in short turns, so that this process goes on answering others in between.

const TURN_MS = 8;

/** `beat` is awaited now and then, for what must not be left alone for long. */
export const inTurns = async <T>(
  work: Generator<void, T>,
  beat?: { readonly everyMs: number; readonly run: () => Promise<unknown> },
): Promise<T> => {
  let beatAt = performance.now();
  for (;;) {
    const until = performance.now() + TURN_MS;
    do {
      const step = work.next();
      if (step.done) return step.value;
    } while (performance.now() < until);
    await new Promise((turn) => setImmediate(turn));
    if (beat && performance.now() - beatAt > beat.everyMs) {
      await beat.run();
      beatAt = performance.now();
    }
  }
};
