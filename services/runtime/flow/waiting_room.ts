// Where callers wait for what is being made for all of them: none for longer than it was given, and so many at once.
// The work itself goes on for the next caller.
import type { Call } from '#runtime/call/call.ts';
import { Unavailable } from '#runtime/call/fault.ts';
import type { Clock } from '#runtime/process/clock.ts';

export interface WaitingRoomOptions {
  readonly clock: Pick<Clock, 'real'>;
  readonly callersMax: number;
  /** What a caller beyond that is told. */
  readonly crowded: string;
  /** What a caller who waited for too long is told. */
  readonly late: string;
}

export class WaitingRoom {
  readonly #options: WaitingRoomOptions;
  #callers = 0;

  constructor(options: WaitingRoomOptions) {
    this.#options = options;
  }

  async wait<T>({ deadline }: Pick<Call, 'deadline'>, work: Promise<T>): Promise<T> {
    const { clock, callersMax, crowded, late } = this.#options;
    if (this.#callers >= callersMax) {
      work.catch(() => {});
      throw new Unavailable(crowded);
    }
    this.#callers++;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const patience = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Unavailable(late)), Math.max(0, deadline - clock.real()));
    });
    try {
      return await Promise.race([work, patience]);
    } finally {
      clearTimeout(timer);
      this.#callers--;
    }
  }
}
