// Runs a bounded number of tasks at once; further tasks wait in order of arrival.

export class Semaphore {
  readonly #max: number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(max: number) {
    this.#max = max;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  get taken(): boolean {
    return this.#running >= this.#max;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    // A finished task passes its slot to the next, so `#running` is unchanged.
    if (this.taken) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#running++;
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running--;
    }
  }
}
