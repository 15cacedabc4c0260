// Bounds the wait for shared work: at most a set number of callers wait, each until its deadline. The work itself
// continues for later callers.
import type { Call } from '#runtime/call/call.ts';
import { Unavailable } from '#runtime/call/fault.ts';
import type { Clock } from '#runtime/process/clock.ts';

export interface BoundedWaitOptions {
  readonly clock: Pick<Clock, 'real'>;
  readonly callersMax: number;
  readonly fullMessage: string;
  readonly timeoutMessage: string;
}

export class BoundedWait {
  readonly #options: BoundedWaitOptions;
  #callers = 0;

  constructor(options: BoundedWaitOptions) {
    this.#options = options;
  }

  async wait<T>({ deadline }: Pick<Call, 'deadline'>, work: Promise<T>): Promise<T> {
    const { clock, callersMax, fullMessage, timeoutMessage } = this.#options;
    if (this.#callers >= callersMax) {
      work.catch(() => {});
      throw new Unavailable(fullMessage);
    }
    this.#callers++;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const patience = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Unavailable(timeoutMessage)), Math.max(0, deadline - clock.real()));
    });
    try {
      return await Promise.race([work, patience]);
    } finally {
      clearTimeout(timer);
      this.#callers--;
    }
  }
}
