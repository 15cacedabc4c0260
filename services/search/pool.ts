// Search indexes in memory: loaded when first used, updated, and unloaded (least recently used first) when their total
// size exceeds a bound.
import { totalmem } from 'node:os';
import { type Call, type Tenant, type TenantKey, tenantKey } from '#runtime/call/call.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { repeatedly } from '#runtime/flow/repetition.ts';
import { Semaphore } from '#runtime/flow/semaphore.ts';
import { TenantReplica } from '#runtime/flow/tenant_replica.ts';
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

const PLAIN_TAG = 'en';

/** Chooses the nearest language of the store. `languages` has the default one first. */
const indexLanguage = (languages: readonly string[], named: string | undefined): IndexLanguage => {
  const language = otherLanguage(named, languages);
  return { language, tag: language ?? languages[0] ?? PLAIN_TAG };
};

export class SearchPool {
  readonly #runtime: Runtime;
  readonly #limits: SearchPoolLimits;
  readonly #languages: StoreProfiles<readonly string[]>;
  /** Indexes of tenants, one for each language other than the default one in which texts were searched. */
  readonly #replica: TenantReplica<SearchStore>;
  /** Revisions that are followed soon. */
  readonly #noticed = new Map<TenantKey, number>();
  #stopSaving = (): void => {};

  constructor(
    runtime: Runtime,
    source: CatalogueSource,
    saved: SavedIndexes,
    openVectorSource: OpenVectorSource,
    limits: SearchPoolLimits = POOL_LIMITS,
  ) {
    this.#runtime = runtime;
    this.#languages = openStoreLanguages(runtime);
    this.#limits = limits;
    const semaphore = new Semaphore(limits.loadsMax);
    this.#replica = new TenantReplica(runtime, {
      name: 'search indexes',
      load: async (tenant, language) => {
        const languages = await this.#languagesOf(tenant);
        const store = new SearchStore(tenant, source, saved, openVectorSource, indexLanguage(languages, language));
        await semaphore.run(() => store.load());
        return store;
      },
      update: async (store, revision) => {
        await store.update(Number.isFinite(revision) ? revision : 0);
        return store;
      },
      weigh: ({ bytes }) => bytes,
      close: (store) => store.close(),
      servesStale: true,
      valuesMax: limits.indexesMax,
      bytesMax: limits.bytesMax,
      pollMs: limits.pollMs,
    });
  }

  /** Loads the index of the store's default language. */
  async load(tenant: Tenant): Promise<void> {
    await this.#replica.open(tenant);
  }

  start(): void {
    const { notices, postgres, log } = this.#runtime;
    this.#replica.start(notices);
    this.#stopSaving = repeatedly({
      everyMs: this.#limits.pollMs,
      able: () => postgres.available,
      work: () => this.#save(),
      failed: (problem) => log.warn({ err: problem }, 'failed to save a search index'),
    });
  }

  stop(): void {
    this.#stopSaving();
    this.#replica.stop();
  }

  unload(tenant: Tenant): void {
    this.#replica.unload(tenant);
  }

  /**
   * Returns the index of a language, by default the store's own, synchronously if it is loaded and has the revision that
   * the caller requires.
   */
  get(call: Pick<Call, 'tenant' | 'deadline' | 'revisionMin'>, language?: string): SearchStore | Promise<SearchStore> {
    const languages = this.#languagesOf(call.tenant);
    return languages instanceof Promise
      ? languages.then((known) => this.#get(call, indexLanguage(known, language)))
      : this.#get(call, indexLanguage(languages, language));
  }

  #get(
    call: Pick<Call, 'tenant' | 'deadline' | 'revisionMin'>,
    { language, tag }: IndexLanguage,
  ): SearchStore | Promise<SearchStore> {
    const store = this.#replica.get(call, call.revisionMin, language);
    if (store instanceof Promise || store.tag === tag) return store;
    // The store's default language has changed.
    this.#replica.unload(call.tenant);
    return this.#replica.get(call, call.revisionMin, language);
  }

  /** While the store's domain is unavailable, an unknown store's texts are analysed as English. */
  #languagesOf(tenant: Tenant): readonly string[] | Promise<readonly string[]> {
    const languages = this.#languages.get(tenant);
    return languages instanceof Promise ? languages.catch(() => []) : languages;
  }

  forgetLanguages(store: string): void {
    this.#languages.forget(store);
  }

  /** Updates the tenant's indexes after a moment, so that one update applies several changes. */
  followSoon({ tenant, revision }: Pick<Notice, 'tenant' | 'revision'>): void {
    const key = tenantKey(tenant);
    const noticed = this.#noticed.get(key);
    this.#noticed.set(key, Math.max(noticed ?? 0, revision));
    if (noticed === undefined) setTimeout(() => this.#follow(tenant), this.#limits.gatherMs).unref();
  }

  #follow(tenant: Tenant): void {
    const key = tenantKey(tenant);
    const revision = this.#noticed.get(key);
    this.#noticed.delete(key);
    this.#replica
      .follow(tenant, revision)
      .catch((problem) => this.#runtime.log.warn({ err: problem, tenant: key }, 'failed to update a search index'));
  }

  /** Saves one index at a time, to bound memory. */
  async #save(): Promise<void> {
    await this.#replica
      .values()
      .find(({ dueToSave }) => dueToSave)
      ?.save();
  }
}
