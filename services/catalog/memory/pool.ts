// Catalogues in memory: loaded on first use, updated to new revisions, and unloaded least recently used first when they
// exceed a bound.
import { totalmem } from 'node:os';
import { type Call, type Tenant, type TenantKey, tenantKey } from '#runtime/call/call.ts';
import { toFault } from '#runtime/call/fault.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { BoundedWait } from '#runtime/flow/bounded_wait.ts';
import { repeatedly } from '#runtime/flow/repetition.ts';
import { Semaphore } from '#runtime/flow/semaphore.ts';
import { type ThrottledLog, throttledLog } from '#runtime/process/throttled_log.ts';
import type { Whole } from '#services/catalog/announced_revision.ts';
import type { Profiles } from '#services/catalog/profile.ts';
import { currentRevisions } from '#services/catalog/table/revision.ts';
import type { Catalogue } from './catalogue.ts';
import { loadCatalogue, pullCatalogue, takeIn } from './replica.ts';

const MEGABYTE = 1 << 20;

export interface CataloguePoolLimits {
  readonly cataloguesMax: number;
  readonly bytesMax: number;
  readonly loadsMax: number;
  /** Interval of polls for lost notices. */
  readonly lookMs: number;
}

/** A quarter of the process's memory, from 256 MB to 2 GB: a thousand stores of 200 products take 0.7 GB. */
const memoryShare = (): number => {
  const limit = process.constrainedMemory();
  const memory = limit > 0 ? Math.min(limit, totalmem()) : totalmem();
  return Math.min(Math.max(memory / 4, 256 * MEGABYTE), 2_048 * MEGABYTE);
};

export const POOL_LIMITS: CataloguePoolLimits = {
  cataloguesMax: 10_000,
  bytesMax: memoryShare(),
  loadsMax: 4,
  lookMs: 5_000,
};

/** Callers beyond this bound, waiting for catalogues to load, are refused at once. */
const WAITING_MAX = 2_000;

interface Awake {
  readonly tenant: Tenant;
  readonly catalogue: Catalogue;
  pulling: Promise<void> | null;
  usedAt: number;
  bytes: number;
}

export class CataloguePool {
  readonly #runtime: Runtime;
  readonly #sparing: ThrottledLog;
  readonly #profiles: Profiles;
  readonly #limits: CataloguePoolLimits;
  readonly #awake = new Map<TenantKey, Awake>();
  readonly #waking = new Map<TenantKey, Promise<Awake>>();
  readonly #semaphore: Semaphore;
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
    this.#room = new BoundedWait({
      clock: runtime.clock,
      callersMax: WAITING_MAX,
      fullMessage: 'Too many callers wait for catalogues to load.',
      timeoutMessage: 'The catalogue took too long to load.',
    });
  }

  get size(): number {
    return this.#awake.size;
  }

  get bytes(): number {
    return this.#bytes;
  }

  isAwake(tenant: Tenant): boolean {
    return this.#awake.has(tenantKey(tenant));
  }

  /** Synchronous if the loaded catalogue is recent enough for the caller. */
  get(call: Pick<Call, 'tenant' | 'deadline' | 'revisionMin'>): Catalogue | Promise<Catalogue> {
    const awake = this.#awake.get(tenantKey(call.tenant));
    if (!awake)
      return this.#room.wait(
        call,
        this.#wake(call.tenant).then((woken) => this.#fresh(woken, call)),
      );
    const profile = this.#profiles.get(call.tenant);
    if (profile instanceof Promise || call.revisionMin > awake.catalogue.revision) {
      return this.#room.wait(call, this.#fresh(awake, call));
    }
    return this.#current(awake, profile.frame);
  }

  /** Pulls the revision if the catalogue is loaded. Resolves when it is in memory. */
  async heard(tenant: Tenant, revision: number): Promise<void> {
    const key = tenantKey(tenant);
    const awake = this.#awake.get(key);
    if (awake) return this.#pull(awake, revision);
    // A catalogue being loaded may have read past this revision's changes; it pulls without a waiting caller.
    this.#waking
      .get(key)
      ?.then((woken) => this.#pull(woken, revision))
      .catch(() => {});
  }

  /**
   * Applies the content directly if the catalogue has the preceding revision, which saves reading back what this
   * process just wrote.
   */
  async told(tenant: Tenant, revision: number, whole: Whole): Promise<void> {
    const awake = this.#awake.get(tenantKey(tenant));
    while (awake?.pulling) await awake.pulling.catch(() => {});
    if (!awake || awake.catalogue.revision !== revision - 1) return this.heard(tenant, revision);
    await this.#while(awake, takeIn(awake.catalogue, revision, whole));
  }

  /** Unloads the catalogue, so that the next caller reads it again. */
  forget(tenant: Tenant): void {
    const key = tenantKey(tenant);
    const drop = (awake: Awake): void => {
      if (this.#awake.get(key) === awake) this.#sleep(awake);
    };
    const awake = this.#awake.get(key);
    if (awake) drop(awake);
    this.#waking.get(key)?.then(drop, () => {});
  }

  start(): void {
    const { postgres, clock, log } = this.#runtime;
    this.#stopLooking = repeatedly({
      everyMs: this.#limits.lookMs,
      able: () => postgres.available,
      resting: { postgres, clock },
      work: this.look,
      failed: (problem) => log.warn({ err: problem }, 'failed to compare the revisions of awake catalogues'),
    });
  }

  stop(): void {
    this.#stopLooking();
    this.#awake.clear();
    this.#bytes = 0;
  }

  async #fresh(awake: Awake, call: Pick<Call, 'tenant' | 'revisionMin'>): Promise<Catalogue> {
    // Without the database the loaded revision is served.
    if (call.revisionMin > awake.catalogue.revision && this.#runtime.postgres.available) {
      try {
        await this.#pull(awake, call.revisionMin);
      } catch (problem) {
        this.#sparing.warn(`pull ${problem}`, { err: problem }, 'a catalogue could not be brought up to date');
      }
    }
    const { frame } = await this.#profiles.get(call.tenant);
    return this.#current(awake, frame);
  }

  #current(awake: Awake, frame: Catalogue['frame']): Catalogue {
    const { catalogue, tenant } = awake;
    awake.usedAt = ++this.#uses;
    if (catalogue.frame !== frame || catalogue.pricesChangeAt !== Number.POSITIVE_INFINITY) {
      const now = this.#runtime.clock.now(tenant).getTime();
      if (catalogue.frame !== frame) catalogue.reframe(frame, now);
      else if (now >= catalogue.pricesChangeAt) catalogue.reprice(now);
    }
    return catalogue;
  }

  /** Concurrent callers share one pull. */
  async #pull(awake: Awake, revision: number): Promise<void> {
    while (awake.catalogue.revision < revision) {
      if (awake.pulling) {
        await awake.pulling;
        continue;
      }
      const before = awake.catalogue.revision;
      const { postgres, clock } = this.#runtime;
      await this.#while(awake, pullCatalogue(postgres.sql, clock, awake.tenant, awake.catalogue));
      // Postgres does not have the revision: rolled back, or another database.
      if (awake.catalogue.revision === before) return;
    }
  }

  #while(awake: Awake, changing: Promise<void>): Promise<void> {
    awake.pulling = changing.finally(() => {
      awake.pulling = null;
      this.#weigh(awake);
    });
    return awake.pulling;
  }

  #wake(tenant: Tenant): Promise<Awake> {
    const key = tenantKey(tenant);
    const running = this.#waking.get(key);
    if (running) return running;
    const waking = this.#load(tenant).finally(() => this.#waking.delete(key));
    this.#waking.set(key, waking);
    return waking;
  }

  async #load(tenant: Tenant): Promise<Awake> {
    const { postgres, clock } = this.#runtime;
    const { frame } = await this.#profiles.get(tenant);
    try {
      const catalogue = await this.#semaphore.run(() => loadCatalogue(postgres.sql, clock, tenant, frame));
      const awake: Awake = { tenant, catalogue, pulling: null, usedAt: ++this.#uses, bytes: 0 };
      this.#awake.set(tenantKey(tenant), awake);
      this.#weigh(awake);
      return awake;
    } catch (problem) {
      throw toFault(problem);
    }
  }

  #weigh(awake: Awake): void {
    if (this.#awake.get(tenantKey(awake.tenant)) !== awake) return;
    const { bytes } = awake.catalogue;
    this.#bytes += bytes - awake.bytes;
    awake.bytes = bytes;
    const { cataloguesMax, bytesMax } = this.#limits;
    while (this.#awake.size > 1 && (this.#awake.size > cataloguesMax || this.#bytes > bytesMax)) {
      this.#sleep(this.#longestUnused(awake));
    }
  }

  #longestUnused(except: Awake): Awake {
    let longest: Awake | null = null;
    for (const awake of this.#awake.values()) {
      if (awake !== except && (longest === null || awake.usedAt < longest.usedAt)) longest = awake;
    }
    return longest!;
  }

  #sleep(awake: Awake): void {
    this.#awake.delete(tenantKey(awake.tenant));
    this.#bytes -= awake.bytes;
  }

  /** Finds revisions whose notices were lost. */
  readonly look = async (): Promise<void> => {
    const { postgres } = this.#runtime;
    if (this.#awake.size === 0 || !postgres.available) return;
    const tenants = [...this.#awake.values()].map((awake) => awake.tenant);
    const revisions = await currentRevisions(postgres.sql, tenants);
    await Promise.all(revisions.map(({ tenant, revision }) => this.heard(tenant, revision)));
  };
}
