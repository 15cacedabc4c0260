// Runs a few pieces of work at a time, in the order they came; past a bound of waiting ones it refuses.
import type { Refusal } from '#runtime/call/call.ts';
import { Semaphore } from './semaphore.ts';

export interface AdmissionQueueOptions {
  readonly runningMax: number;
  readonly waitingMax: number;
  /** Work that waited longer is refused when its turn comes: its caller has given up. */
  readonly waitMsMax: number;
  /** Said at once and to many: a value, which costs no line in a log. */
  readonly refusal: Refusal;
}

export class AdmissionQueue {
  readonly #options: AdmissionQueueOptions;
  readonly #semaphore: Semaphore;

  constructor(options: AdmissionQueueOptions) {
    this.#options = options;
    this.#semaphore = new Semaphore(options.runningMax);
  }

  get waiting(): number {
    return this.#semaphore.waiting;
  }

  /** What work that comes now would be told; null: it would be let in. */
  get full(): Refusal | null {
    return this.#semaphore.taken && this.waiting >= this.#options.waitingMax ? this.#options.refusal : null;
  }

  async run<T>(work: () => Promise<T>): Promise<T | Refusal> {
    const { waitMsMax, refusal } = this.#options;
    if (this.full) return refusal;
    const waits = this.#semaphore.taken;
    const cameAt = performance.now();
    return this.#semaphore.run<T | Refusal>(async () => {
      const late = waits && performance.now() - cameAt > waitMsMax;
      return late ? refusal : work();
    });
  }
}
