// Caches values of other domains, each loaded once and evicted when its store changes.
import type { Clock } from '#runtime/process/clock.ts';

export interface Loaded<V> {
  /** Id of the store or operator whose change evicts the value; null: the value is not cached. */
  readonly owner: string | null;
  readonly value: V;
}

export interface StoreCacheOptions<V> {
  readonly load: (name: string, before: V | undefined) => Promise<Loaded<V>>;
  readonly clock: Pick<Clock, 'real'>;
  readonly entriesMax: number;
}

/**
 * Age in ms beyond which an entry is reloaded in the background, since a change notice may be lost. Reads use the old
 * value meanwhile, even while the owning domain is unavailable.
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

  /** Returns the value; synchronous on a hit. Concurrent misses share one load. */
  get(name: string): V | Promise<V> {
    const entry = this.#entries.get(name);
    if (entry === undefined) return this.#share(name);
    const now = this.#options.clock.real();
    if (entry.until <= now) {
      entry.until = now + RETRY_MS;
      this.#share(name).catch(() => {});
    }
    return entry.value;
  }

  forget(owner: string): void {
    for (const [name, entry] of this.#entries) if (entry.owner === owner) this.#entries.delete(name);
    // Keeps later callers from sharing a load that began before the change.
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
