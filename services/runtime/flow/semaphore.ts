// A few pieces of work at a time, the others in the order in which they came.

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

  /** Work that comes now waits. */
  get taken(): boolean {
    return this.#running >= this.#max;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    // Work that ends hands over its place: `#running` stays as it is.
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
