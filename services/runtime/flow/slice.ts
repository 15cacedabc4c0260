// Runs long work in slices, so that it does not delay other work in this process or in Postgres.

const TIME_SLICE_MS = 8;

export const yieldToEventLoop = (): Promise<void> => new Promise((resume) => setImmediate(resume));

/** Runs a generator and yields to the event loop every 8 ms. Calls `heartbeat` at most once in `everyMs`. */
export const inTimeSlices = async <T>(
  work: Generator<void, T>,
  heartbeat?: { readonly everyMs: number; readonly run: () => Promise<unknown> },
): Promise<T> => {
  let heartbeatAt = performance.now();
  for (;;) {
    const until = performance.now() + TIME_SLICE_MS;
    do {
      const step = work.next();
      if (step.done) return step.value;
    } while (performance.now() < until);
    await yieldToEventLoop();
    if (heartbeat && performance.now() - heartbeatAt > heartbeat.everyMs) {
      await heartbeat.run();
      heartbeatAt = performance.now();
    }
  }
};

const SLICE = 5_000;
const PAUSE_MS = 20;

export const inSlices = async (work: (limit: number) => Promise<number>, slice = SLICE): Promise<number> => {
  for (let done = 0; ; ) {
    const count = await work(slice);
    done += count;
    if (count < slice) return done;
    await Bun.sleep(PAUSE_MS);
  }
};
