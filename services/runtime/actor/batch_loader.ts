// Loads items for the actor host in batches: look-ups of one event-loop tick share a statement, a bounded number of
// statements run at once, and the number of waiting look-ups is bounded.
import { Unavailable } from '#runtime/call/fault.ts';
import type { Timers } from '#runtime/process/clock.ts';

interface Waiting<I, O> {
  readonly item: I;
  readonly done: (answer: O) => void;
  readonly fail: (problem: unknown) => void;
}

export interface BatchLoaderOptions {
  readonly itemsMax: number;
  readonly runningMax: number;
  readonly waitingMax: number;
}

export class BatchLoader<I, O> {
  readonly #ask: (items: readonly I[]) => Promise<readonly O[]>;
  readonly #timers: Timers;
  readonly #options: BatchLoaderOptions;
  #waiting: Waiting<I, O>[] = [];
  #running = 0;
  #scheduled = false;

  constructor(ask: (items: readonly I[]) => Promise<readonly O[]>, timers: Timers, options: BatchLoaderOptions) {
    this.#ask = ask;
    this.#timers = timers;
    this.#options = options;
  }

  ask(item: I): Promise<O> {
    if (this.#waiting.length >= this.#options.waitingMax)
      return Promise.reject(new Unavailable('Too many wait for the database.'));
    return new Promise((done, fail) => {
      this.#waiting.push({ item, done, fail });
      if (this.#scheduled) return;
      this.#scheduled = true;
      this.#timers.soon(() => {
        this.#scheduled = false;
        this.#pump();
      });
    });
  }

  #pump(): void {
    while (this.#waiting.length > 0 && this.#running < this.#options.runningMax) {
      const group = this.#waiting.splice(0, this.#options.itemsMax);
      this.#running++;
      void this.#run(group);
    }
  }

  async #run(group: readonly Waiting<I, O>[]): Promise<void> {
    try {
      const answers = await this.#ask(group.map(({ item }) => item));
      group.forEach(({ done }, at) => {
        done(answers[at] as O);
      });
    } catch (problem) {
      for (const { fail } of group) fail(problem);
    } finally {
      this.#running--;
      this.#pump();
    }
  }
}
