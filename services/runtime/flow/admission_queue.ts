// Runs a bounded number of tasks in order of arrival; refuses a task when the queue is full.
import type { Refusal } from '#runtime/call/call.ts';
import { Semaphore } from './semaphore.ts';

export interface AdmissionQueueOptions {
  readonly runningMax: number;
  readonly waitingMax: number;
  /** Longest wait in ms. A task that waited longer is refused, since its caller has given up. */
  readonly waitMsMax: number;
  /** The refusal of excess tasks; returned rather than thrown, so that no log line is written. */
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
