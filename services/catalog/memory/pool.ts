// Catalogues in memory: loaded when first used, updated to new revisions, and unloaded (least recently used first) when
// their total size exceeds a bound. Until a large one is loaded, parts of it are read from Postgres.
import { totalmem } from 'node:os';
import { type Call, type Tenant, type TenantKey, tenantKey } from '#runtime/call/call.ts';
import { Unavailable } from '#runtime/call/fault.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { batchLoader } from '#runtime/flow/batch_loader.ts';
import { Semaphore } from '#runtime/flow/semaphore.ts';
import { TenantReplica } from '#runtime/flow/tenant_replica.ts';
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

/** Reads parts of a large catalogue while the whole loads. */
interface PartReading {
  readonly isLarge: Promise<boolean>;
  readonly part: (request: PartRequest) => Promise<Catalogue>;
}

type LoadPart = (sql: Sql, frame: Catalogue['frame']) => Promise<Catalogue | null>;

type CatalogueCall = Pick<Call, 'tenant' | 'deadline' | 'revisionMin'>;

export class CataloguePool {
  readonly #runtime: Runtime;
  readonly #log: ThrottledLog;
  readonly #profiles: Profiles;
  readonly #limits: CataloguePoolLimits;
  readonly #replica: TenantReplica<Catalogue>;
  readonly #readings = new Map<TenantKey, PartReading>();
  readonly #semaphore: Semaphore;
  readonly #largeSemaphore: Semaphore;
  readonly #lists = new Semaphore(LISTS_MAX);

  constructor(runtime: Runtime, profiles: Profiles, limits: CataloguePoolLimits = POOL_LIMITS) {
    this.#runtime = runtime;
    this.#log = throttledLog(runtime.log);
    this.#profiles = profiles;
    this.#limits = limits;
    this.#semaphore = new Semaphore(limits.loadsMax);
    this.#largeSemaphore = new Semaphore(limits.largeLoadsMax);
    this.#replica = new TenantReplica(runtime, {
      name: 'catalogues',
      load: (tenant) => this.#load(tenant),
      update: async (catalogue, _, tenant) => {
        const { postgres, clock } = runtime;
        // While the database is unavailable, the catalogue is served as it is.
        if (postgres.available) await pullCatalogue(postgres.sql, clock, tenant, catalogue);
        return catalogue;
      },
      revisions: currentRevisions,
      weigh: ({ bytes }) => bytes,
      servesStale: true,
      valuesMax: limits.cataloguesMax,
      bytesMax: limits.bytesMax,
      pollMs: limits.pollMs,
    });
  }

  get size(): number {
    return this.#replica.size;
  }

  get bytes(): number {
    return this.#replica.bytes;
  }

  isLoaded(tenant: Tenant): boolean {
    return this.#replica.isLoaded(tenant);
  }

  /** Returns the catalogue synchronously if it is loaded and has the revision that the caller requires. */
  get(call: CatalogueCall): Catalogue | Promise<Catalogue> {
    const catalogue = this.#open(call);
    return catalogue instanceof Promise ? this.#replica.wait(call, catalogue) : catalogue;
  }

  /**
   * Returns the catalogue as `get` does, but of a large one that is not loaded only what the request names, read from
   * Postgres; it starts to load.
   */
  getPart(call: CatalogueCall, request: PartRequest): Catalogue | Promise<Catalogue> {
    return this.#getUnlessLarge(call, ({ part }) => part(request));
  }

  /**
   * Returns the catalogue as `get` does, but of a large one that is not loaded what `load` reads of a snapshot of Postgres.
   * If that is null, waits for the whole.
   */
  getLoaded(call: CatalogueCall, load: LoadPart): Catalogue | Promise<Catalogue> {
    return this.#getUnlessLarge(call, () => this.#listed(call, load));
  }

  #open({ tenant, revisionMin }: CatalogueCall): Catalogue | Promise<Catalogue> {
    const catalogue = this.#replica.open(tenant, revisionMin);
    return catalogue instanceof Promise
      ? catalogue.then((loaded) => this.#framed(loaded, tenant))
      : this.#framed(catalogue, tenant);
  }

  #getUnlessLarge(
    call: CatalogueCall,
    read: (reading: PartReading) => Promise<Catalogue | null>,
  ): Catalogue | Promise<Catalogue> {
    const whole = this.#open(call);
    if (!(whole instanceof Promise)) return whole;
    const reading = this.#readings.get(tenantKey(call.tenant));
    const found = async (): Promise<Catalogue> => {
      const part = reading && (await reading.isLarge) ? await read(reading) : null;
      return part ?? whole;
    };
    // Callers of parts do not wait for the whole; its failure is logged where it loads.
    whole.catch(() => {});
    return this.#replica.wait(call, found());
  }

  #listed({ tenant, deadline }: CatalogueCall, load: LoadPart): Promise<Catalogue | null> {
    return this.#lists.run(async () => {
      if (this.#runtime.clock.real() >= deadline) throw new Unavailable('The catalogue took too long to load.');
      return this.#fromSnapshot(tenant, load);
    });
  }

  /** Reads the revision from Postgres if the catalogue is loaded. Resolves when it is in memory. */
  async pullRevision(tenant: Tenant, revision: number): Promise<void> {
    const following = this.#replica.follow(tenant, revision);
    // The caller does not wait for a catalogue that is being loaded.
    if (this.isLoaded(tenant)) await following;
    else following.catch(() => {});
  }

  /** Applies the content of a revision, which saves this process reading back its own write. */
  async applyRevision(tenant: Tenant, revision: number, content: RevisionContent): Promise<void> {
    if (!this.isLoaded(tenant)) return this.pullRevision(tenant, revision);
    await this.#replica.apply(tenant, revision, (catalogue) => applyContent(catalogue, revision, content));
  }

  unload(tenant: Tenant): void {
    this.#replica.unload(tenant);
  }

  start(): void {
    this.#replica.start(this.#runtime.notices);
  }

  stop(): void {
    this.#replica.stop();
  }

  readonly poll = (): Promise<void> => this.#replica.poll();

  #framed(catalogue: Catalogue, tenant: Tenant): Catalogue | Promise<Catalogue> {
    const profile = this.#profiles.get(tenant);
    return profile instanceof Promise
      ? profile.then(({ frame }) => this.#current(catalogue, tenant, frame))
      : this.#current(catalogue, tenant, profile.frame);
  }

  #current(catalogue: Catalogue, tenant: Tenant, frame: Catalogue['frame']): Catalogue {
    if (catalogue.frame !== frame || catalogue.pricesChangeAt !== Number.POSITIVE_INFINITY) {
      const now = this.#runtime.clock.now(tenant).getTime();
      if (catalogue.frame !== frame) catalogue.reframe(frame, now);
      else if (now >= catalogue.pricesChangeAt) catalogue.reprice(now);
    }
    return catalogue;
  }

  async #load(tenant: Tenant): Promise<Catalogue> {
    const key = tenantKey(tenant);
    const isLarge = hasMoreProducts(this.#runtime.postgres.sql, tenant, this.#limits.smallProductsMax);
    const part = batchLoader((requests: readonly PartRequest[]) => this.#parts(tenant, requests), {
      itemsMax: PARTS_MAX,
    });
    const reading = { isLarge, part };
    this.#readings.set(key, reading);
    try {
      return await this.#loadWhole(tenant, isLarge);
    } catch (problem) {
      this.#log.warn(`load ${problem}`, { err: problem, tenant: key }, 'failed to load a catalogue');
      throw problem;
    } finally {
      if (this.#readings.get(key) === reading) this.#readings.delete(key);
    }
  }

  async #loadWhole(tenant: Tenant, isLarge: Promise<boolean>): Promise<Catalogue> {
    const { postgres, clock } = this.#runtime;
    const semaphore = (await isLarge) ? this.#largeSemaphore : this.#semaphore;
    const { frame } = await this.#profiles.get(tenant);
    await holdpoint('load', tenant.store);
    return semaphore.run(() => loadCatalogue(postgres.sql, clock, tenant, frame));
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
}
