// Where callers wait for what is being made for all of them: none for longer than it was given, and so many at once.
// The work itself goes on for the next caller.
import type { Call } from '#runtime/call/call.ts';
import { Unavailable } from '#runtime/call/fault.ts';
import type { Clock } from '#runtime/process/clock.ts';

export interface BoundedWaitOptions {
  readonly clock: Pick<Clock, 'real'>;
  readonly callersMax: number;
  /** What a caller beyond that is told. */
  readonly fullMessage: string;
  /** What a caller who waited for too long is told. */
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
