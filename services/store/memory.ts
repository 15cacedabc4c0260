// Keeps what is asked for all the time: loaded once, forgotten when the store behind it changes.
import type { Clock } from '#runtime/clock.ts';

export interface Loaded<V> {
  /** The store (or operator) whose change ends it. */
  readonly owner: string;
  readonly value: V;
}

export interface MemoryOptions<V> {
  /** Null where there is no such thing; that is not remembered. */
  readonly load: (name: string) => Promise<Loaded<V> | null>;
  readonly clock: Pick<Clock, 'real'>;
  readonly entriesMax: number;
  /**
   * A notice may get lost: what is older is looked up once more, behind the caller's back, so that reads go on while
   * the database is away.
   */
  readonly ageMsMax: number;
}

const RETRY_MS = 1_000;

export class Memory<V> {
  readonly #options: MemoryOptions<V>;
  readonly #entries = new Map<string, Loaded<V> & { until: number }>();
  readonly #loading = new Map<string, Promise<V | null>>();
  #generation = 0;

  constructor(options: MemoryOptions<V>) {
    this.#options = options;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** At once where it is remembered; callers who meet share one load. */
  get(name: string): V | null | Promise<V | null> {
    const entry = this.#entries.get(name);
    if (entry === undefined) return this.#share(name);
    const now = this.#options.clock.real();
    if (entry.until <= now) {
      entry.until = now + RETRY_MS;
      // Should it fail, the next look is a moment away.
      this.#share(name).catch(() => {});
    }
    return entry.value;
  }

  forget(owner: string): void {
    for (const [name, entry] of this.#entries) if (entry.owner === owner) this.#entries.delete(name);
    // Whoever asks from now on must not be given what is being read from before the change.
    this.#generation += 1;
    this.#loading.clear();
  }

  #share(name: string): Promise<V | null> {
    const running = this.#loading.get(name);
    if (running !== undefined) return running;
    const loading = this.#load(name, this.#generation).finally(() => {
      if (this.#loading.get(name) === loading) this.#loading.delete(name);
    });
    this.#loading.set(name, loading);
    return loading;
  }

  async #load(name: string, generation: number): Promise<V | null> {
    const loaded = await this.#options.load(name);
    if (loaded === null) {
      this.#entries.delete(name);
      return null;
    }
    if (generation === this.#generation) {
      this.#entries.delete(name);
      this.#entries.set(name, { ...loaded, until: this.#options.clock.real() + this.#options.ageMsMax });
      if (this.#entries.size > this.#options.entriesMax) {
        const [oldest] = this.#entries.keys();
        this.#entries.delete(oldest!);
      }
    }
    return loaded.value;
  }
}
