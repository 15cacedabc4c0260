// Catalogues in memory: loaded when first used, updated to new revisions, and unloaded (least recently used first) when
// their total size exceeds a bound. Until a large one is loaded, parts of it are read from Postgres.
import { totalmem } from 'node:os';
import { type Call, type Tenant, type TenantKey, tenantKey } from '#runtime/call/call.ts';
import { toFault, Unavailable } from '#runtime/call/fault.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { batchLoader } from '#runtime/flow/batch_loader.ts';
import { BoundedWait } from '#runtime/flow/bounded_wait.ts';
import { repeatedly } from '#runtime/flow/repetition.ts';
import { Semaphore } from '#runtime/flow/semaphore.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import { holdpoint } from '#runtime/process/failpoint.ts';
import { type ThrottledLog, throttledLog } from '#runtime/process/throttled_log.ts';
import type { RevisionContent } from '#services/catalog/product_write.ts';
import type { Profiles } from '#services/catalog/profile.ts';
import { hasMoreProducts } from '#services/catalog/table/product_reader.ts';
import { currentRevisions } from '#services/catalog/table/revision.ts';
import type { Catalogue } from './catalogue.ts';
import { loadPart, type PartRequest } from './part.ts';
import { applyContent, loadCatalogue, pullCatalogue } from './replica.ts';

const MEGABYTE = 1 << 20;

export interface CataloguePoolLimits {
  readonly cataloguesMax: number;
  readonly bytesMax: number;
  readonly loadsMax: number;
  /** Loads of large catalogues at once, apart from `loadsMax`, so that small ones need not wait for them. */
  readonly largeLoadsMax: number;
  /** A catalogue of more products is large: its callers do not wait until it is loaded. */
  readonly smallProductsMax: number;
  /** Interval at which Postgres is polled for revisions whose notice was lost. */
  readonly pollMs: number;
}

/**
 * Returns a quarter of the memory available to the process, at least 256 MB and at most 2 GB. A thousand stores of 200
 * products take 0.7 GB.
 */
const memoryShare = (): number => {
  const limit = process.constrainedMemory();
  const memory = limit > 0 ? Math.min(limit, totalmem()) : totalmem();
  return Math.min(Math.max(memory / 4, 256 * MEGABYTE), 2_048 * MEGABYTE);
};

export const POOL_LIMITS: CataloguePoolLimits = {
  cataloguesMax: 10_000,
  bytesMax: memoryShare(),
  loadsMax: 4,
  largeLoadsMax: 1,
  // These load in a tenth of a second.
  smallProductsMax: 1_000,
  pollMs: 5_000,
};

/** Calls whose parts of a catalogue are read together. */
const PARTS_MAX = 20;

/** Lists that are read from Postgres at once. Each takes a connection, and a processor of Postgres for up to 3 s. */
const LISTS_MAX = 4;

/** Maximum number of calls that wait for catalogues to load; further calls are refused at once. */
const WAITING_MAX = 2_000;

interface LoadedCatalogue {
  readonly tenant: Tenant;
  readonly catalogue: Catalogue;
  pulling: Promise<void> | null;
  usedAt: number;
  bytes: number;
}

interface Loading {
  readonly isLarge: Promise<boolean>;
  readonly whole: Promise<LoadedCatalogue>;
  readonly part: (request: PartRequest) => Promise<Catalogue>;
}

type LoadPart = (sql: Sql, frame: Catalogue['frame']) => Promise<Catalogue | null>;

export class CataloguePool {
  readonly #runtime: Runtime;
  readonly #sparing: ThrottledLog;
  readonly #profiles: Profiles;
  readonly #limits: CataloguePoolLimits;
  readonly #loaded = new Map<TenantKey, LoadedCatalogue>();
  readonly #loading = new Map<TenantKey, Loading>();
  readonly #semaphore: Semaphore;
  readonly #largeSemaphore: Semaphore;
  readonly #lists = new Semaphore(LISTS_MAX);
  readonly #room: BoundedWait;
  #bytes = 0;
  #uses = 0;
  #stopLooking = (): void => {};

  constructor(runtime: Runtime, profiles: Profiles, limits: CataloguePoolLimits = POOL_LIMITS) {
    this.#runtime = runtime;
    this.#sparing = throttledLog(runtime.log);
    this.#profiles = profiles;
    this.#limits = limits;
    this.#semaphore = new Semaphore(limits.loadsMax);
    this.#largeSemaphore = new Semaphore(limits.largeLoadsMax);
    this.#room = new BoundedWait({
      clock: runtime.clock,
      callersMax: WAITING_MAX,
      fullMessage: 'Too many callers wait for catalogues to load.',
      timeoutMessage: 'The catalogue took too long to load.',
    });
  }

  get size(): number {
    return this.#loaded.size;
  }

  get bytes(): number {
    return this.#bytes;
  }

  isLoaded(tenant: Tenant): boolean {
    return this.#loaded.has(tenantKey(tenant));
  }

  /** Returns the catalogue synchronously if it is loaded and has the revision that the caller requires. */
  get(call: Pick<Call, 'tenant' | 'deadline' | 'revisionMin'>): Catalogue | Promise<Catalogue> {
    const loaded = this.#loaded.get(tenantKey(call.tenant));
    return loaded
      ? this.#ready(loaded, call)
      : this.#room.wait(
          call,
          this.#loadOnce(call.tenant).whole.then((loaded) => this.#upToDate(loaded, call)),
        );
  }

  /**
   * Returns the catalogue as `get` does, but of a large one that is not loaded only what the request names, read from
   * Postgres; it starts to load.
   */
  getPart(
    call: Pick<Call, 'tenant' | 'deadline' | 'revisionMin'>,
    request: PartRequest,
  ): Catalogue | Promise<Catalogue> {
    const loaded = this.#loaded.get(tenantKey(call.tenant));
    if (loaded) return this.#ready(loaded, call);
    return this.#unlessSmall(call, ({ part }) => part(request));
  }

  /**
   * Returns the catalogue as `get` does, but of a large one that is not loaded what `load` reads of a snapshot of Postgres.
   * If that is null, waits for the whole.
   */
  getLoaded(call: Pick<Call, 'tenant' | 'deadline' | 'revisionMin'>, load: LoadPart): Catalogue | Promise<Catalogue> {
    const loaded = this.#loaded.get(tenantKey(call.tenant));
    return loaded ? this.#ready(loaded, call) : this.#unlessSmall(call, () => this.#listed(call, load));
  }

  #listed({ tenant, deadline }: Pick<Call, 'tenant' | 'deadline'>, load: LoadPart): Promise<Catalogue | null> {
    return this.#lists.run(async () => {
      if (this.#runtime.clock.real() >= deadline) throw new Unavailable('The catalogue took too long to load.');
      return this.#fromSnapshot(tenant, load);
    });
  }

  #unlessSmall(
    call: Pick<Call, 'tenant' | 'deadline' | 'revisionMin'>,
    read: (loading: Loading) => Promise<Catalogue | null>,
  ): Promise<Catalogue> {
    const loading = this.#loadOnce(call.tenant);
    const found = async (): Promise<Catalogue> => {
      const part = (await loading.isLarge) ? await read(loading) : null;
      return part ?? this.#upToDate(await loading.whole, call);
    };
    return this.#room.wait(call, found());
  }

  #ready(
    loaded: LoadedCatalogue,
    call: Pick<Call, 'tenant' | 'deadline' | 'revisionMin'>,
  ): Catalogue | Promise<Catalogue> {
    const profile = this.#profiles.get(call.tenant);
    if (profile instanceof Promise || call.revisionMin > loaded.catalogue.revision) {
      return this.#room.wait(call, this.#upToDate(loaded, call));
    }
    return this.#current(loaded, profile.frame);
  }

  /** Reads the revision from Postgres if the catalogue is loaded. Resolves when it is in memory. */
  async pullRevision(tenant: Tenant, revision: number): Promise<void> {
    const key = tenantKey(tenant);
    const loaded = this.#loaded.get(key);
    if (loaded) return this.#pull(loaded, revision);
    // A catalogue that is being loaded may miss this revision's changes, so it reads them after loading; the caller
    // does not wait.
    this.#loading
      .get(key)
      ?.whole.then((loaded) => this.#pull(loaded, revision))
      .catch(() => {});
  }

  /**
   * Applies the content of a revision to a catalogue that has the preceding one, which saves this process reading back
   * its own write.
   */
  async applyRevision(tenant: Tenant, revision: number, whole: RevisionContent): Promise<void> {
    const loaded = this.#loaded.get(tenantKey(tenant));
    while (loaded?.pulling) await loaded.pulling.catch(() => {});
    if (!loaded || loaded.catalogue.revision !== revision - 1) return this.pullRevision(tenant, revision);
    await this.#track(loaded, applyContent(loaded.catalogue, revision, whole));
  }

  unload(tenant: Tenant): void {
    const key = tenantKey(tenant);
    const drop = (loaded: LoadedCatalogue): void => {
      if (this.#loaded.get(key) === loaded) this.#remove(loaded);
    };
    const loaded = this.#loaded.get(key);
    if (loaded) drop(loaded);
    this.#loading.get(key)?.whole.then(drop, () => {});
  }

  start(): void {
    const { postgres, clock, log } = this.#runtime;
    this.#stopLooking = repeatedly({
      everyMs: this.#limits.pollMs,
      able: () => postgres.available,
      resting: { postgres, clock },
      work: this.poll,
      failed: (problem) => log.warn({ err: problem }, 'failed to compare the revisions of awake catalogues'),
    });
  }

  stop(): void {
    this.#stopLooking();
    this.#loaded.clear();
    this.#bytes = 0;
  }

  async #upToDate(loaded: LoadedCatalogue, call: Pick<Call, 'tenant' | 'revisionMin'>): Promise<Catalogue> {
    // While the database is unavailable, the catalogue is served as it is.
    if (call.revisionMin > loaded.catalogue.revision && this.#runtime.postgres.available) {
      try {
        await this.#pull(loaded, call.revisionMin);
      } catch (problem) {
        this.#sparing.warn(`pull ${problem}`, { err: problem }, 'failed to update a catalogue');
      }
    }
    const { frame } = await this.#profiles.get(call.tenant);
    return this.#current(loaded, frame);
  }

  #current(loaded: LoadedCatalogue, frame: Catalogue['frame']): Catalogue {
    const { catalogue, tenant } = loaded;
    loaded.usedAt = ++this.#uses;
    if (catalogue.frame !== frame || catalogue.pricesChangeAt !== Number.POSITIVE_INFINITY) {
      const now = this.#runtime.clock.now(tenant).getTime();
      if (catalogue.frame !== frame) catalogue.reframe(frame, now);
      else if (now >= catalogue.pricesChangeAt) catalogue.reprice(now);
    }
    return catalogue;
  }

  /** Reads revisions from Postgres; concurrent callers share one read. */
  async #pull(loaded: LoadedCatalogue, revision: number): Promise<void> {
    while (loaded.catalogue.revision < revision) {
      if (loaded.pulling) {
        await loaded.pulling;
        continue;
      }
      const before = loaded.catalogue.revision;
      const { postgres, clock } = this.#runtime;
      await this.#track(loaded, pullCatalogue(postgres.sql, clock, loaded.tenant, loaded.catalogue));
      // Stops when Postgres has nothing newer: the revision was rolled back, or belongs to another database.
      if (loaded.catalogue.revision === before) return;
    }
  }

  #track(loaded: LoadedCatalogue, changing: Promise<void>): Promise<void> {
    loaded.pulling = changing.finally(() => {
      loaded.pulling = null;
      this.#enforceBounds(loaded);
    });
    return loaded.pulling;
  }

  #loadOnce(tenant: Tenant): Loading {
    const key = tenantKey(tenant);
    const running = this.#loading.get(key);
    if (running) return running;
    const isLarge = hasMoreProducts(this.#runtime.postgres.sql, tenant, this.#limits.smallProductsMax);
    const whole = isLarge
      .then((large) => this.#load(tenant, large))
      .catch((problem) => {
        throw toFault(problem);
      })
      .finally(() => this.#loading.delete(key));
    // Logs the failure here, because callers of parts do not wait for the whole.
    whole.catch((problem) =>
      this.#sparing.warn(`load ${problem}`, { err: problem, tenant: key }, 'failed to load a catalogue'),
    );
    const part = batchLoader((requests: readonly PartRequest[]) => this.#parts(tenant, requests), {
      itemsMax: PARTS_MAX,
    });
    const loading = { isLarge, whole, part };
    this.#loading.set(key, loading);
    return loading;
  }

  async #load(tenant: Tenant, isLarge: boolean): Promise<LoadedCatalogue> {
    const { postgres, clock } = this.#runtime;
    const { frame } = await this.#profiles.get(tenant);
    await holdpoint('load', tenant.store);
    const semaphore = isLarge ? this.#largeSemaphore : this.#semaphore;
    const catalogue = await semaphore.run(() => loadCatalogue(postgres.sql, clock, tenant, frame));
    const loaded: LoadedCatalogue = { tenant, catalogue, pulling: null, usedAt: ++this.#uses, bytes: 0 };
    this.#loaded.set(tenantKey(tenant), loaded);
    this.#enforceBounds(loaded);
    return loaded;
  }

  async #parts(tenant: Tenant, requests: readonly PartRequest[]): Promise<Catalogue[]> {
    const { clock } = this.#runtime;
    const catalogue = await this.#fromSnapshot(tenant, (sql, frame) => loadPart(sql, clock, tenant, frame, requests));
    return requests.map(() => catalogue);
  }

  /** Reads from one snapshot, so that no answer mixes two revisions. */
  async #fromSnapshot<T extends Catalogue | null>(
    tenant: Tenant,
    load: (sql: Sql, frame: Catalogue['frame']) => Promise<T>,
  ): Promise<T> {
    const { frame } = await this.#profiles.get(tenant);
    return this.#runtime.postgres.transaction(async ({ sql }) => {
      await sql`set transaction isolation level repeatable read read only`;
      return load(sql, frame);
    });
  }

  #enforceBounds(loaded: LoadedCatalogue): void {
    if (this.#loaded.get(tenantKey(loaded.tenant)) !== loaded) return;
    const { bytes } = loaded.catalogue;
    this.#bytes += bytes - loaded.bytes;
    loaded.bytes = bytes;
    const { cataloguesMax, bytesMax } = this.#limits;
    while (this.#loaded.size > 1 && (this.#loaded.size > cataloguesMax || this.#bytes > bytesMax)) {
      this.#remove(this.#leastRecentlyUsed(loaded));
    }
  }

  #leastRecentlyUsed(except: LoadedCatalogue): LoadedCatalogue {
    let longest: LoadedCatalogue | null = null;
    for (const loaded of this.#loaded.values()) {
      if (loaded !== except && (longest === null || loaded.usedAt < longest.usedAt)) longest = loaded;
    }
    return longest!;
  }

  #remove(loaded: LoadedCatalogue): void {
    this.#loaded.delete(tenantKey(loaded.tenant));
    this.#bytes -= loaded.bytes;
  }

  /** Looks for revisions whose notices were lost. */
  readonly poll = async (): Promise<void> => {
    const { postgres } = this.#runtime;
    if (this.#loaded.size === 0 || !postgres.available) return;
    const tenants = [...this.#loaded.values()].map((loaded) => loaded.tenant);
    const revisions = await currentRevisions(postgres.sql, tenants);
    await Promise.all(revisions.map(({ tenant, revision }) => this.pullRevision(tenant, revision)));
  };
}
