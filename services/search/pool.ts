// Search indexes in memory: loaded when first used, updated, and unloaded (least recently used first) when their total
// size exceeds a bound.
import { totalmem } from 'node:os';
import { type Call, type Tenant, type TenantKey, tenantKey } from '#runtime/call/call.ts';
import { toFault } from '#runtime/call/fault.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { BoundedWait } from '#runtime/flow/bounded_wait.ts';
import { Semaphore } from '#runtime/flow/semaphore.ts';
import type { Notice } from '#runtime/nats/notice.ts';
import { openStoreLanguages, type StoreProfiles } from '#services/commerce/store_profile.ts';
import { otherLanguage } from '#values/language.ts';
import type { SavedIndexes } from './index_storage.ts';
import { type IndexLanguage, type OpenVectorSource, SearchStore } from './search_store.ts';
import type { CatalogueSource } from './source.ts';

const MEGABYTE = 1 << 20;

export interface SearchPoolLimits {
  readonly indexesMax: number;
  readonly bytesMax: number;
  readonly loadsMax: number;
  /** Delay before an update, so that one update applies several changes. */
  readonly gatherMs: number;
  /** Interval at which revisions are polled, in case a notice was lost. */
  readonly pollMs: number;
}

const memoryShare = (): number => {
  const limit = process.constrainedMemory();
  const memory = limit > 0 ? Math.min(limit, totalmem()) : totalmem();
  return Math.min(Math.max(memory / 8, 128 * MEGABYTE), 1_024 * MEGABYTE);
};

export const POOL_LIMITS: SearchPoolLimits = {
  indexesMax: 5_000,
  bytesMax: memoryShare(),
  loadsMax: 2,
  gatherMs: 100,
  pollMs: 5_000,
};

const WARMED_INDEXES_MAX = 8;

/** Maximum number of calls that wait for indexes to load; further calls are refused at once. */
const WAITING_MAX = 2_000;

const PLAIN_TAG = 'en';

/** Chooses the nearest language of the store. `languages` has the default one first. */
const indexLanguage = (languages: readonly string[], named: string | undefined): IndexLanguage => {
  const language = otherLanguage(named, languages);
  return { language, tag: language ?? languages[0] ?? PLAIN_TAG };
};

export class SearchPool {
  readonly #runtime: Runtime;
  readonly #source: CatalogueSource;
  readonly #saved: SavedIndexes;
  readonly #limits: SearchPoolLimits;
  readonly #openVectorSource: OpenVectorSource;
  /** Indexes by tenant, and those of another language than the default one by tenant and language. */
  readonly #loaded = new Map<TenantKey, SearchStore>();
  readonly #loading = new Map<TenantKey, Promise<SearchStore>>();
  readonly #languages: StoreProfiles<readonly string[]>;
  /** Languages other than the default one for which a tenant's index was opened. */
  readonly #translations = new Map<TenantKey, Set<string>>();
  readonly #timers = new Map<SearchStore, ReturnType<typeof setTimeout>>();
  readonly #semaphore: Semaphore;
  readonly #room: BoundedWait;
  readonly #stops: (() => void)[] = [];
  #saving = false;

  constructor(
    runtime: Runtime,
    source: CatalogueSource,
    saved: SavedIndexes,
    openVectorSource: OpenVectorSource,
    limits: SearchPoolLimits = POOL_LIMITS,
  ) {
    this.#runtime = runtime;
    this.#languages = openStoreLanguages(runtime);
    this.#source = source;
    this.#saved = saved;
    this.#openVectorSource = openVectorSource;
    this.#limits = limits;
    this.#semaphore = new Semaphore(limits.loadsMax);
    this.#room = new BoundedWait({
      clock: runtime.clock,
      callersMax: WAITING_MAX,
      fullMessage: 'Too many callers wait for search indexes to load.',
      timeoutMessage: 'The search index took too long to load.',
    });
  }

  get size(): number {
    return this.#loaded.size;
  }

  get bytes(): number {
    let bytes = 0;
    for (const store of this.#loaded.values()) bytes += store.bytes;
    return bytes;
  }

  isLoaded(tenant: Tenant): boolean {
    return this.#loaded.has(tenantKey(tenant));
  }

  /** Loads saved indexes one after another, the most recently used first. */
  async warm(): Promise<void> {
    const { log } = this.#runtime;
    const failed = (problem: unknown): void =>
      log.info({ err: problem }, 'failed to load a search index at start, will load it on demand');
    const tenants = await this.#saved.last(WARMED_INDEXES_MAX).catch(failed);
    for (const tenant of tenants ?? []) {
      const languages = await this.#languagesOf(tenant);
      await this.#loadOnce(tenant, indexLanguage(languages, undefined)).catch(failed);
    }
  }

  start(): void {
    const { notices } = this.#runtime;
    this.#stops.push(
      notices.listen((notice) => this.#onNotice(notice)),
      notices.pollWhileDisconnected(() => this.#poll()),
    );
    const pollTimer = setInterval(() => this.#poll(), this.#limits.pollMs);
    pollTimer.unref();
    this.#stops.push(() => clearInterval(pollTimer));
  }

  stop(): void {
    for (const stop of this.#stops) stop();
    for (const timer of this.#timers.values()) clearTimeout(timer);
    for (const store of this.#loaded.values()) store.close();
    this.#timers.clear();
    this.#loaded.clear();
  }

  unload(tenant: Tenant): void {
    for (const key of this.#keysOf(tenant)) {
      const drop = (store: SearchStore): void => this.#drop(key, store);
      const store = this.#loaded.get(key);
      if (store) drop(store);
      this.#loading.get(key)?.then(drop, () => {});
    }
    this.#translations.delete(tenantKey(tenant));
  }

  /**
   * Returns the index of a language, by default the store's own, synchronously if it is loaded and has the revision that
   * the caller requires.
   */
  get(call: Pick<Call, 'tenant' | 'deadline' | 'revisionMin'>, language?: string): SearchStore | Promise<SearchStore> {
    const languages = this.#languagesOf(call.tenant);
    return languages instanceof Promise
      ? languages.then((known) => this.#open(call, indexLanguage(known, language)))
      : this.#open(call, indexLanguage(languages, language));
  }

  #open(
    call: Pick<Call, 'tenant' | 'deadline' | 'revisionMin'>,
    language: IndexLanguage,
  ): SearchStore | Promise<SearchStore> {
    const key = tenantKey(call.tenant, language.language);
    const store = this.#loaded.get(key);
    // The store's default language may have changed.
    if (store && store.tag !== language.tag) this.#drop(key, store);
    else if (store) {
      this.#loaded.delete(key);
      this.#loaded.set(key, store);
      return call.revisionMin > store.revision ? this.#room.wait(call, this.#upToDate(store, call.revisionMin)) : store;
    }
    return this.#room.wait(
      call,
      this.#loadOnce(call.tenant, language).then((loaded) => this.#upToDate(loaded, call.revisionMin)),
    );
  }

  #drop(key: TenantKey, store: SearchStore): void {
    if (this.#loaded.get(key) === store) this.#loaded.delete(key);
    store.close();
  }

  #keysOf(tenant: Tenant): TenantKey[] {
    const translations = this.#translations.get(tenantKey(tenant));
    return [undefined, ...(translations ?? [])].map((language) => tenantKey(tenant, language));
  }

  /** While the store's domain is unavailable, an unknown store's texts are analysed as English. */
  #languagesOf(tenant: Tenant): readonly string[] | Promise<readonly string[]> {
    const languages = this.#languages.get(tenant);
    return languages instanceof Promise ? languages.catch(() => []) : languages;
  }

  async #upToDate(store: SearchStore, revisionMin: number): Promise<SearchStore> {
    if (revisionMin > store.revision) await this.#update(store, revisionMin);
    return store;
  }

  async #update(store: SearchStore, revisionMin = 0): Promise<void> {
    try {
      await store.update(revisionMin);
      this.#enforceBounds(store);
    } catch (problem) {
      this.#runtime.log.warn({ err: problem, tenant: tenantKey(store.tenant) }, 'failed to update a search index');
    }
  }

  #onNotice({ kind, tenant }: Notice): void {
    if (kind === 'store') this.#languages.forget(tenant.store);
    if (kind !== 'catalog') return;
    for (const key of this.#keysOf(tenant)) {
      const store = this.#loaded.get(key);
      if (store) this.#updateSoon(store);
      // Updates an index after it is loaded, because loading may have missed the change.
      else
        this.#loading
          .get(key)
          ?.then((loaded) => this.#updateSoon(loaded))
          .catch(() => {});
    }
  }

  #updateSoon(store: SearchStore): void {
    if (this.#timers.has(store)) return;
    const timer = setTimeout(() => {
      this.#timers.delete(store);
      void this.#update(store);
    }, this.#limits.gatherMs);
    timer.unref();
    this.#timers.set(store, timer);
  }

  #poll(): void {
    for (const store of this.#loaded.values()) this.#updateSoon(store);
    void this.#save();
  }

  /** Saves one index at a time, to bound memory. */
  async #save(): Promise<void> {
    if (this.#saving || !this.#runtime.postgres.available) return;
    const store = [...this.#loaded.values()].find(({ dueToSave }) => dueToSave);
    if (!store) return;
    this.#saving = true;
    try {
      await store.save();
    } catch (problem) {
      const tenant = tenantKey(store.tenant);
      this.#runtime.log.warn({ err: problem, tenant }, 'failed to save a search index');
    } finally {
      this.#saving = false;
    }
  }

  #loadOnce(tenant: Tenant, language: IndexLanguage): Promise<SearchStore> {
    const key = tenantKey(tenant, language.language);
    const running = this.#loading.get(key);
    if (running) return running;
    if (language.language !== undefined) {
      const known = this.#translations.get(tenantKey(tenant)) ?? new Set();
      this.#translations.set(tenantKey(tenant), known.add(language.language));
    }
    const loading = this.#load(tenant, language).finally(() => this.#loading.delete(key));
    this.#loading.set(key, loading);
    return loading;
  }

  async #load(tenant: Tenant, language: IndexLanguage): Promise<SearchStore> {
    try {
      const store = new SearchStore(tenant, this.#source, this.#saved, this.#openVectorSource, language);
      await this.#semaphore.run(() => store.load());
      this.#loaded.set(tenantKey(tenant, language.language), store);
      this.#enforceBounds(store);
      return store;
    } catch (problem) {
      throw toFault(problem);
    }
  }

  /** Unloads from the start of the map, which has the least recently used index first. */
  #enforceBounds(except: SearchStore): void {
    const { indexesMax, bytesMax } = this.#limits;
    let { bytes } = this;
    for (const [key, store] of this.#loaded) {
      if (this.#loaded.size <= 1 || (this.#loaded.size <= indexesMax && bytes <= bytesMax)) return;
      if (store === except) continue;
      this.#loaded.delete(key);
      store.close();
      bytes -= store.bytes;
    }
  }
}
