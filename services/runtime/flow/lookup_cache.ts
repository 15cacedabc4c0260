// Caches what others are asked for: for a time, within a bound, and until its owner changes. Callers that miss together
// share one load.
import { Refusal } from '#runtime/call/call.ts';
import { RecentMap } from '#values/recent_map.ts';

export interface Loaded<V> {
  readonly value: V;
  /** How long the value is fresh in ms, from the start of its load; 0: neither it nor an earlier value is cached. */
  readonly ttlMs: number;
  /** Names of those whose change makes the value stale. */
  readonly owners?: readonly string[];
}

export interface LookupCacheOptions<K, V, C, R> {
  /** A refusal or an exception leaves the cached value, which is passed as `before`, unchanged. */
  readonly load: (key: K, context: C, before: V | undefined) => Promise<Loaded<V> | R>;
  /** Time in ms. */
  readonly now: () => number;
  readonly entriesMax: number;
  /** Whether stale values are returned while they are reloaded in the background, even if that fails. */
  readonly servesStale?: boolean;
}

interface Entry<V> {
  readonly value: V;
  readonly owners: readonly string[];
  staleAt: number;
}

const RETRY_MS = 1_000;

export class LookupCache<K extends string, V, C = void, R extends Refusal = never> {
  readonly #options: LookupCacheOptions<K, V, C, R>;
  readonly #entries: RecentMap<K, Entry<V>>;
  readonly #keysByOwner = new Map<string, Set<K>>();
  /** Replaced at each change: loads that began before it are neither cached nor shared with later callers. */
  #loading = new Map<K, Promise<V | R>>();

  constructor(options: LookupCacheOptions<K, V, C, R>) {
    this.#options = options;
    this.#entries = new RecentMap(options.entriesMax, (key, { owners }) => this.#disown(key, owners));
  }

  get size(): number {
    return this.#entries.size;
  }

  /** Returns the value; synchronous on a hit. */
  get(key: K, context: C): V | Promise<V | R> {
    const entry = this.#entries.get(key);
    if (entry === undefined) return this.reload(key, context);
    const now = this.#options.now();
    if (now < entry.staleAt) return entry.value;
    if (!this.#options.servesStale) return this.reload(key, context);
    entry.staleAt = now + RETRY_MS;
    this.reload(key, context).catch(() => {});
    return entry.value;
  }

  /** Returns the cached value, fresh or not. */
  peek(key: K): Readonly<Entry<V>> | undefined {
    return this.#entries.peek(key);
  }

  reload(key: K, context: C): Promise<V | R> {
    const loads = this.#loading;
    const running = loads.get(key);
    if (running !== undefined) return running;
    const loading = this.#load(key, context, loads).finally(() => loads.delete(key));
    loads.set(key, loading);
    return loading;
  }

  forget(key: K): void {
    this.#loading = new Map();
    this.#drop(key);
  }

  forgetOwner(owner: string): void {
    this.#loading = new Map();
    for (const key of this.#keysByOwner.get(owner) ?? []) this.#drop(key);
  }

  forgetAll(): void {
    this.#loading = new Map();
    this.#entries.clear();
    this.#keysByOwner.clear();
  }

  async #load(key: K, context: C, loads: Map<K, Promise<V | R>>): Promise<V | R> {
    const { load, now } = this.#options;
    const startedAt = now();
    const loaded = await load(key, context, this.#entries.peek(key)?.value);
    if (loaded instanceof Refusal) return loaded;
    const { value, ttlMs, owners = [] } = loaded;
    if (ttlMs <= 0) this.#drop(key);
    else if (loads === this.#loading) this.#store(key, { value, owners, staleAt: startedAt + ttlMs });
    return value;
  }

  #store(key: K, entry: Entry<V>): void {
    this.#drop(key);
    this.#entries.set(key, entry);
    for (const owner of entry.owners) {
      const keys = this.#keysByOwner.get(owner);
      if (keys) keys.add(key);
      else this.#keysByOwner.set(owner, new Set([key]));
    }
  }

  #drop(key: K): void {
    const entry = this.#entries.peek(key);
    if (!entry) return;
    this.#entries.delete(key);
    this.#disown(key, entry.owners);
  }

  #disown(key: K, owners: readonly string[]): void {
    for (const owner of owners) {
      const keys = this.#keysByOwner.get(owner);
      if (keys?.delete(key) && keys.size === 0) this.#keysByOwner.delete(owner);
    }
  }
}
