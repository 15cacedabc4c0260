// Abstracts time for the actor host, so that a simulation can control it.

export interface Timers {
  /** Monotonic, in ms. */
  now(): number;
  /** Returns how to cancel. */
  after(ms: number, run: () => void): () => void;
  /** Runs at the end of this event-loop tick. */
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
