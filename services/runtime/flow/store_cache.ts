// Keeps what is asked of others all the time: loaded once, forgotten when the store behind it changes.
import type { Clock } from '#runtime/process/clock.ts';

export interface Loaded<V> {
  /** The store (or operator) whose change ends it; null: it is not remembered. */
  readonly owner: string | null;
  readonly value: V;
}

export interface StoreCacheOptions<V> {
  /** Is told what was remembered until now. */
  readonly load: (name: string, before: V | undefined) => Promise<Loaded<V>>;
  readonly clock: Pick<Clock, 'real'>;
  readonly entriesMax: number;
}

/**
 * A notice may get lost: what is older is looked up once more, behind the caller's back, so that reads go on while
 * the owner is away.
 */
const AGE_MS_MAX = 30_000;
const RETRY_MS = 1_000;

interface Entry<V> {
  readonly owner: string;
  readonly value: V;
  until: number;
}

export class StoreCache<V> {
  readonly #options: StoreCacheOptions<V>;
  readonly #entries = new Map<string, Entry<V>>();
  readonly #loading = new Map<string, Promise<V>>();
  #generation = 0;

  constructor(options: StoreCacheOptions<V>) {
    this.#options = options;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** At once where it is remembered; callers who meet share one load. */
  get(name: string): V | Promise<V> {
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
    // A later call must not be given what is being read from before the change.
    this.#generation += 1;
    this.#loading.clear();
  }

  #share(name: string): Promise<V> {
    const running = this.#loading.get(name);
    if (running !== undefined) return running;
    const loading = this.#load(name, this.#generation).finally(() => {
      if (this.#loading.get(name) === loading) this.#loading.delete(name);
    });
    this.#loading.set(name, loading);
    return loading;
  }

  async #load(name: string, generation: number): Promise<V> {
    const { load, clock, entriesMax } = this.#options;
    const { owner, value } = await load(name, this.#entries.get(name)?.value);
    if (owner === null) this.#entries.delete(name);
    else if (generation === this.#generation) {
      this.#entries.delete(name);
      this.#entries.set(name, { owner, value, until: clock.real() + AGE_MS_MAX });
      if (this.#entries.size > entriesMax) {
        const [oldest] = this.#entries.keys();
        this.#entries.delete(oldest!);
      }
    }
    return value;
  }
}
