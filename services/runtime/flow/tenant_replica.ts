// Copies of tenants' rows in this process: loaded when first used, updated to new revisions, and unloaded (least recently
// used first) beyond a number or size.
import { type Call, type Tenant, type TenantKey, tenantKey } from '#runtime/call/call.ts';
import { toFault } from '#runtime/call/fault.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import { type ThrottledLog, throttledLog } from '#runtime/process/throttled_log.ts';
import { batchLoader } from './batch_loader.ts';
import { BoundedWait } from './bounded_wait.ts';
import { repeatedly } from './repetition.ts';

export interface TenantReplicaOptions<T> {
  /** Name in messages and logs, in the plural. */
  readonly name: string;
  /**
   * Called synchronously by the first of the callers that miss together. `part` names one of several values of a tenant,
   * such as a language.
   */
  readonly load: (tenant: Tenant, part: string | undefined) => Promise<T>;
  /** Returns the value with all that is committed: the same object, changed, or another. */
  readonly update: (value: T, revision: number, tenant: Tenant) => Promise<T>;
  /** Reads the revisions that polls compare. Absent: each poll updates every value. */
  readonly revisions?: (sql: Sql, tenants: readonly Tenant[]) => Promise<{ tenant: Tenant; revision: number }[]>;
  readonly weigh?: (value: T) => number;
  readonly close?: (value: T) => void;
  /** Whether a value is served although its update failed; if not, only while Postgres is unavailable. */
  readonly servesStale: boolean;
  readonly valuesMax: number;
  readonly bytesMax?: number;
  /** Interval of polls for revisions whose notice was lost. */
  readonly pollMs: number;
}

/** A step to a revision. `change` applies it to a value that has the preceding one. */
interface Step<T> {
  readonly revision: number;
  readonly change?: (value: T) => Promise<void>;
}

interface Entry<T> {
  readonly key: TenantKey;
  readonly tenant: Tenant;
  value: T;
  /** One update at a time; steps that arrive meanwhile share the next. */
  readonly advance: (step: Step<T>) => Promise<T>;
  /** Revision that a failed update should have reached; 0 if none failed. */
  missed: number;
  usedAt: number;
  bytes: number;
}

/** Maximum number of calls that wait for values to load; further calls are refused at once. */
const WAITING_MAX = 2_000;

export class TenantReplica<T extends { readonly revision: number }> {
  readonly #runtime: Pick<Runtime, 'postgres' | 'clock' | 'log'>;
  readonly #options: TenantReplicaOptions<T>;
  readonly #log: ThrottledLog;
  readonly #entries = new Map<TenantKey, Entry<T>>();
  readonly #loading = new Map<TenantKey, Promise<Entry<T>>>();
  readonly #parts = new Map<TenantKey, Set<string>>();
  readonly #room: BoundedWait;
  readonly #stops: (() => void)[] = [];
  #bytes = 0;
  #uses = 0;

  constructor(runtime: Pick<Runtime, 'postgres' | 'clock' | 'log'>, options: TenantReplicaOptions<T>) {
    this.#runtime = runtime;
    this.#options = options;
    this.#log = throttledLog(runtime.log);
    this.#room = new BoundedWait({
      clock: runtime.clock,
      callersMax: WAITING_MAX,
      fullMessage: `Too many callers wait for ${options.name} to load.`,
      timeoutMessage: `Loading of ${options.name} took too long.`,
    });
  }

  get size(): number {
    return this.#entries.size;
  }

  get bytes(): number {
    return this.#bytes;
  }

  values(): T[] {
    return Array.from(this.#entries.values(), ({ value }) => value);
  }

  isLoaded(tenant: Tenant): boolean {
    return this.#entries.has(tenantKey(tenant));
  }

  /** Returns the value as `open` does; a caller waits until its deadline. */
  get(call: Pick<Call, 'tenant' | 'deadline'>, revisionMin = 0, part?: string): T | Promise<T> {
    const found = this.open(call.tenant, revisionMin, part);
    return found instanceof Promise ? this.wait(call, found) : found;
  }

  wait<R>(call: Pick<Call, 'deadline'>, work: Promise<R>): Promise<R> {
    return this.#room.wait(call, work);
  }

  /** Returns the value, synchronously if it is loaded and has the revision that the caller requires. */
  open(tenant: Tenant, revisionMin = 0, part?: string): T | Promise<T> {
    const entry = this.#entries.get(tenantKey(tenant, part));
    if (!entry) return this.#load(tenant, part).then((loaded) => this.#upToDate(loaded, revisionMin));
    entry.usedAt = ++this.#uses;
    const isRetried = entry.missed > 0 && !this.#options.servesStale && this.#runtime.postgres.available;
    if (revisionMin <= entry.value.revision && !isRetried) return entry.value;
    return this.#upToDate(entry, Math.max(revisionMin, entry.missed));
  }

  /**
   * Updates the tenant's values to the revision, or to the newest one. Resolves when they are in memory; values that are
   * being loaded may miss the revision's changes and are updated afterwards.
   */
  async follow(tenant: Tenant, revision = Number.POSITIVE_INFINITY): Promise<void> {
    await this.#follow(tenant, { revision });
  }

  /** Updates as `follow` does, by `change` where a value has the preceding revision. */
  async apply(tenant: Tenant, revision: number, change: (value: T) => Promise<void>): Promise<void> {
    await this.#follow(tenant, { revision, change });
  }

  unload(tenant: Tenant): void {
    for (const key of this.#keysOf(tenant)) {
      this.#loading.delete(key);
      const entry = this.#entries.get(key);
      if (entry) this.#drop(entry);
    }
    this.#parts.delete(tenantKey(tenant));
  }

  start({ pollWhileDisconnected }: Pick<Runtime['notices'], 'pollWhileDisconnected'>): void {
    const { postgres, clock, log } = this.#runtime;
    const { name: replica, pollMs, revisions } = this.#options;
    this.#stops.push(
      repeatedly({
        everyMs: pollMs,
        able: () => revisions === undefined || postgres.available,
        ...(revisions && { resting: { postgres, clock } }),
        work: this.poll,
        failed: (problem) => log.warn({ err: problem, replica }, 'failed to poll for revisions'),
      }),
      pollWhileDisconnected(this.poll),
    );
  }

  stop(): void {
    for (const stop of this.#stops) stop();
    for (const entry of this.#entries.values()) this.#drop(entry);
  }

  /** Looks for revisions whose notices were lost. */
  readonly poll = async (): Promise<void> => {
    const { sql, available } = this.#runtime.postgres;
    const { revisions } = this.#options;
    const tenants = [
      ...new Map(Array.from(this.#entries.values(), ({ tenant }) => [tenantKey(tenant), tenant])).values(),
    ];
    if (tenants.length === 0 || (revisions && !available)) return;
    if (!revisions) await Promise.all(tenants.map((tenant) => this.follow(tenant)));
    else {
      const current = await revisions(sql, tenants);
      await Promise.all(current.map(({ tenant, revision }) => this.follow(tenant, revision)));
    }
  };

  async #follow(tenant: Tenant, step: Step<T>): Promise<void> {
    const follow = async (key: TenantKey): Promise<void> => {
      const entry = this.#entries.get(key) ?? (await this.#loading.get(key)?.catch(() => undefined));
      if (entry) await this.#advance(entry, step);
    };
    await Promise.all(this.#keysOf(tenant).map(follow));
  }

  async #advance(entry: Entry<T>, step: Step<T>): Promise<void> {
    if (entry.value.revision >= step.revision) return;
    try {
      await entry.advance(step);
      entry.missed = 0;
    } catch (problem) {
      entry.missed = Math.max(entry.missed, step.revision);
      throw problem;
    }
  }

  async #upToDate(entry: Entry<T>, revision: number): Promise<T> {
    try {
      await this.#advance(entry, { revision });
    } catch (problem) {
      const { name: replica, servesStale } = this.#options;
      if (!servesStale) throw toFault(problem);
      this.#log.warn(
        `${replica} ${problem}`,
        { err: problem, replica, tenant: entry.key },
        'failed to update a replica',
      );
    }
    return entry.value;
  }

  #load(tenant: Tenant, part: string | undefined): Promise<Entry<T>> {
    const key = tenantKey(tenant, part);
    const running = this.#loading.get(key);
    if (running) return running;
    if (part !== undefined) this.#parts.getOrInsertComputed(tenantKey(tenant), () => new Set()).add(part);
    const loading: Promise<Entry<T>> = this.#options
      .load(tenant, part)
      .then((value) => {
        const entry = this.#entryOf(key, tenant, value);
        // Does not store a value that was unloaded while it was loading; only the callers that waited receive it.
        if (this.#loading.get(key) !== loading) this.#options.close?.(value);
        else {
          this.#entries.set(key, entry);
          this.#enforceBounds(entry);
        }
        return entry;
      })
      .catch((problem) => {
        throw toFault(problem);
      })
      .finally(() => {
        if (this.#loading.get(key) === loading) this.#loading.delete(key);
      });
    this.#loading.set(key, loading);
    return loading;
  }

  #entryOf(key: TenantKey, tenant: Tenant, value: T): Entry<T> {
    const advance = batchLoader((steps: readonly Step<T>[]) => this.#take(entry, steps), {
      itemsMax: Number.POSITIVE_INFINITY,
    });
    const entry: Entry<T> = { key, tenant, value, advance, missed: 0, usedAt: ++this.#uses, bytes: 0 };
    return entry;
  }

  async #take(entry: Entry<T>, steps: readonly Step<T>[]): Promise<T[]> {
    try {
      for (const { revision, change } of steps) {
        if (entry.value.revision >= revision) continue;
        if (change && entry.value.revision === revision - 1) await change(entry.value);
        else {
          // One update suffices for all steps, because their revisions were committed before it.
          const newest = Math.max(...steps.map((step) => step.revision));
          entry.value = await this.#options.update(entry.value, newest, entry.tenant);
          break;
        }
      }
    } finally {
      this.#enforceBounds(entry);
    }
    return steps.map(() => entry.value);
  }

  #keysOf(tenant: Tenant): TenantKey[] {
    const parts = this.#parts.get(tenantKey(tenant)) ?? [];
    return [undefined, ...parts].map((part) => tenantKey(tenant, part));
  }

  #enforceBounds(entry: Entry<T>): void {
    if (this.#entries.get(entry.key) !== entry) return;
    const { weigh, valuesMax, bytesMax = Number.POSITIVE_INFINITY } = this.#options;
    const bytes = weigh?.(entry.value) ?? 0;
    this.#bytes += bytes - entry.bytes;
    entry.bytes = bytes;
    while (this.size > 1 && (this.size > valuesMax || this.#bytes > bytesMax))
      this.#drop(this.#leastRecentlyUsed(entry));
  }

  #leastRecentlyUsed(except: Entry<T>): Entry<T> {
    let longest: Entry<T> | null = null;
    for (const entry of this.#entries.values()) {
      if (entry !== except && (longest === null || entry.usedAt < longest.usedAt)) longest = entry;
    }
    return longest!;
  }

  #drop(entry: Entry<T>): void {
    this.#entries.delete(entry.key);
    this.#bytes -= entry.bytes;
    this.#options.close?.(entry.value);
  }
}
