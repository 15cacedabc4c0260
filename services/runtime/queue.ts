// Runs a few pieces of work at a time, in the order they came; past a bound of waiting ones it refuses.
import type { Refusal } from './call.ts';

export interface QueueOptions {
  readonly runningMax: number;
  readonly waitingMax: number;
  /** Whoever waited longer is refused when his turn comes: his caller has given up. */
  readonly waitMsMax: number;
  /** Said at once and to many: a value, which costs nobody a line in a log. */
  readonly refusal: Refusal;
}

export class Queue {
  readonly #options: QueueOptions;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(options: QueueOptions) {
    this.#options = options;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  /** What whoever comes now would be told; null: he would be let in. */
  get full(): Refusal | null {
    const { runningMax, waitingMax, refusal } = this.#options;
    return this.#running >= runningMax && this.#waiting.length >= waitingMax ? refusal : null;
  }

  async run<T>(work: () => Promise<T>): Promise<T | Refusal> {
    const { runningMax, waitMsMax, refusal } = this.#options;
    let waitedMs = 0;
    if (this.#running >= runningMax) {
      if (this.full) return refusal;
      const cameAt = performance.now();
      // Whoever ends hands over its place: `#running` stays as it is.
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
      waitedMs = performance.now() - cameAt;
    } else this.#running++;
    try {
      return waitedMs > waitMsMax ? refusal : await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running--;
    }
  }
}
