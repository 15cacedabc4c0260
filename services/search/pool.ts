// Search indexes in memory: loaded on first use, updated, and unloaded least recently used first when they exceed a
// bound.
import { totalmem } from 'node:os';
import { type Call, type Tenant, type TenantKey, tenantKey } from '#runtime/call/call.ts';
import { toFault } from '#runtime/call/fault.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { BoundedWait } from '#runtime/flow/bounded_wait.ts';
import { Semaphore } from '#runtime/flow/semaphore.ts';
import type { Notice } from '#runtime/nats/notice.ts';
import type { SavedIndexes } from './saving.ts';
import { type OpenMeaning, SearchStore } from './search_store.ts';
import type { CatalogueSource } from './source.ts';

const MEGABYTE = 1 << 20;

export interface SearchPoolLimits {
  readonly indexesMax: number;
  readonly bytesMax: number;
  readonly loadsMax: number;
  /** Gathers changes into one update. */
  readonly gatherMs: number;
  /** Interval of polls for lost notices. */
  readonly lookMs: number;
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
  lookMs: 5_000,
};

/** Indexes loaded at start: saved ones, which are large. */
const WARMED_MAX = 8;

/** Callers beyond this bound, waiting for indexes to load, are refused at once. */
const WAITING_MAX = 2_000;

export class SearchPool {
  readonly #runtime: Runtime;
  readonly #source: CatalogueSource;
  readonly #saved: SavedIndexes;
  readonly #limits: SearchPoolLimits;
  readonly #openMeaning: OpenMeaning;
  readonly #awake = new Map<TenantKey, SearchStore>();
  readonly #waking = new Map<TenantKey, Promise<SearchStore>>();
  readonly #timers = new Map<SearchStore, ReturnType<typeof setTimeout>>();
  readonly #semaphore: Semaphore;
  readonly #room: BoundedWait;
  readonly #stops: (() => void)[] = [];
  #saving = false;

  constructor(
    runtime: Runtime,
    source: CatalogueSource,
    saved: SavedIndexes,
    openMeaning: OpenMeaning,
    limits: SearchPoolLimits = POOL_LIMITS,
  ) {
    this.#runtime = runtime;
    this.#source = source;
    this.#saved = saved;
    this.#openMeaning = openMeaning;
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
    return this.#awake.size;
  }

  get bytes(): number {
    let bytes = 0;
    for (const shop of this.#awake.values()) bytes += shop.bytes;
    return bytes;
  }

  isAwake(tenant: Tenant): boolean {
    return this.#awake.has(tenantKey(tenant));
  }

  /** One after another, most recently used first, before the first callers. */
  async warm(): Promise<void> {
    const { log } = this.#runtime;
    const failed = (problem: unknown): void =>
      log.info({ err: problem }, 'a search index is loaded once it is asked for');
    const tenants = await this.#saved.last(WARMED_MAX).catch(failed);
    for (const tenant of tenants ?? []) await this.#wake(tenant).catch(failed);
  }

  start(): void {
    const { notices } = this.#runtime;
    this.#stops.push(
      notices.listen((notice) => this.#hear(notice)),
      notices.pollWhileDisconnected(() => this.#look()),
    );
    const looking = setInterval(() => this.#look(), this.#limits.lookMs);
    looking.unref();
    this.#stops.push(() => clearInterval(looking));
  }

  stop(): void {
    for (const stop of this.#stops) stop();
    for (const timer of this.#timers.values()) clearTimeout(timer);
    for (const shop of this.#awake.values()) shop.close();
    this.#timers.clear();
    this.#awake.clear();
  }

  forget(tenant: Tenant): void {
    const key = tenantKey(tenant);
    const drop = (shop: SearchStore): void => {
      if (this.#awake.get(key) === shop) this.#awake.delete(key);
      shop.close();
    };
    const shop = this.#awake.get(key);
    if (shop) drop(shop);
    this.#waking.get(key)?.then(drop, () => {});
  }

  /** Synchronous if the loaded index is recent enough for the caller. */
  get(call: Pick<Call, 'tenant' | 'deadline' | 'revisionMin'>): SearchStore | Promise<SearchStore> {
    const key = tenantKey(call.tenant);
    const shop = this.#awake.get(key);
    if (!shop)
      return this.#room.wait(
        call,
        this.#wake(call.tenant).then((woken) => this.#fresh(woken, call.revisionMin)),
      );
    this.#awake.delete(key);
    this.#awake.set(key, shop);
    return call.revisionMin > shop.revision ? this.#room.wait(call, this.#fresh(shop, call.revisionMin)) : shop;
  }

  async #fresh(shop: SearchStore, revisionMin: number): Promise<SearchStore> {
    if (revisionMin > shop.revision) await this.#takeIn(shop, revisionMin);
    return shop;
  }

  async #takeIn(shop: SearchStore, revisionMin = 0): Promise<void> {
    try {
      await shop.takeIn(revisionMin);
      this.#weigh(shop);
    } catch (problem) {
      this.#runtime.log.warn(
        { err: problem, tenant: tenantKey(shop.tenant) },
        'a search index was not brought up to date',
      );
    }
  }

  #hear({ kind, tenant }: Notice): void {
    if (kind !== 'catalog') return;
    const key = tenantKey(tenant);
    const shop = this.#awake.get(key);
    if (shop) {
      this.#soon(shop);
      return;
    }
    // An index being loaded may have read past the change.
    this.#waking
      .get(key)
      ?.then((woken) => this.#soon(woken))
      .catch(() => {});
  }

  #soon(shop: SearchStore): void {
    if (this.#timers.has(shop)) return;
    const timer = setTimeout(() => {
      this.#timers.delete(shop);
      void this.#takeIn(shop);
    }, this.#limits.gatherMs);
    timer.unref();
    this.#timers.set(shop, timer);
  }

  #look(): void {
    for (const shop of this.#awake.values()) this.#soon(shop);
    void this.#save();
  }

  /** One at a time, to bound memory. */
  async #save(): Promise<void> {
    if (this.#saving || !this.#runtime.postgres.available) return;
    const shop = [...this.#awake.values()].find(({ dueToSave }) => dueToSave);
    if (!shop) return;
    this.#saving = true;
    try {
      await shop.save();
    } catch (problem) {
      const tenant = tenantKey(shop.tenant);
      this.#runtime.log.warn({ err: problem, tenant }, 'a search index was not saved; a start builds it anew');
    } finally {
      this.#saving = false;
    }
  }

  #wake(tenant: Tenant): Promise<SearchStore> {
    const key = tenantKey(tenant);
    const running = this.#waking.get(key);
    if (running) return running;
    const waking = this.#load(tenant).finally(() => this.#waking.delete(key));
    this.#waking.set(key, waking);
    return waking;
  }

  async #load(tenant: Tenant): Promise<SearchStore> {
    try {
      const shop = new SearchStore(tenant, this.#source, this.#saved, this.#openMeaning);
      await this.#semaphore.run(() => shop.load());
      this.#awake.set(tenantKey(tenant), shop);
      this.#weigh(shop);
      return shop;
    } catch (problem) {
      throw toFault(problem);
    }
  }

  /** The map's first entry is least recently used. */
  #weigh(kept: SearchStore): void {
    const { indexesMax, bytesMax } = this.#limits;
    let { bytes } = this;
    for (const [key, shop] of this.#awake) {
      if (this.#awake.size <= 1 || (this.#awake.size <= indexesMax && bytes <= bytesMax)) return;
      if (shop === kept) continue;
      this.#awake.delete(key);
      shop.close();
      bytes -= shop.bytes;
    }
  }
}
