// Time as the actor host waits for it: a port, so that a simulation can hold it.

export interface Timers {
  /** Monotonic, in ms. */
  now(): number;
  /** Returns how to cancel. */
  after(ms: number, run: () => void): () => void;
  /** At the end of this turn of the event loop. */
  soon(run: () => void): void;
  sleep(ms: number): Promise<void>;
}

export const systemTimers: Timers = {
  now: () => performance.now(),
  after: (ms, run) => {
    const timer = setTimeout(run, ms);
    timer.unref();
    return () => clearTimeout(timer);
  },
  soon: (run) => {
    setImmediate(run);
  },
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
};
