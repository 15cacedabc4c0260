// Loads from Postgres for many at once: the questions of one turn of the event loop share a statement. As `batchLoader` of
// flow/, but on the timers of the actor host, with several statements under way and a bound on who waits.
import { Unavailable } from '#runtime/call/fault.ts';
import type { Timers } from './timer.ts';

interface Waiting<I, O> {
  readonly item: I;
  readonly done: (answer: O) => void;
  readonly fail: (problem: unknown) => void;
}

export interface BatchLoaderOptions {
  /** Items of one statement. */
  readonly itemsMax: number;
  /** Statements under way at once. */
  readonly runningMax: number;
  /** Items that wait; more are refused. */
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

  /** Answers at the places of the questions. */
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
