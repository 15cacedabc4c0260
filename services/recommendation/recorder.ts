// Takes sightings in and writes them a moment later, many at once: a caller who tells of one never waits for the database.
import { type Tenant, tenantKey } from '#runtime/call/call.ts';
import { Unavailable } from '#runtime/call/fault.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { enterSandboxes } from '#runtime/postgres/sandbox_lock.ts';
import type { RecommendationNeighbours } from './neighbour.ts';
import { joined, type Sighting } from './sighting.ts';
import type { Standings } from './standing.ts';
import { saveSightings } from './table/sighting.ts';

export interface RecorderLimits {
  /** What comes within this time is written together. */
  readonly gatherMs: number;
  /** More than these are not waiting: what comes then is lost, as "best-effort" allows. */
  readonly waitingMax: number;
  readonly batchMax: number;
  /** After a failure. */
  readonly retryMs: number;
}

const RECORDER_LIMITS: RecorderLimits = { gatherMs: 100, waitingMax: 20_000, batchMax: 1_000, retryMs: 1_000 };

interface Waiting {
  readonly tenant: Tenant;
  readonly sighting: Sighting;
  /** Its tenant began anew since. */
  forgotten: boolean;
}

export class Recorder {
  readonly #runtime: Runtime;
  readonly #neighbours: RecommendationNeighbours;
  readonly #standings: Standings;
  readonly #limits: RecorderLimits;
  #waiting: Waiting[] = [];
  /** Those that are just being written. */
  #taken: readonly Waiting[] = [];
  #timer: ReturnType<typeof setTimeout> | null = null;
  #writing: Promise<void> | null = null;
  #lost = 0;

  constructor(
    runtime: Runtime,
    neighbours: RecommendationNeighbours,
    standings: Standings,
    limits: RecorderLimits = RECORDER_LIMITS,
  ) {
    this.#runtime = runtime;
    this.#neighbours = neighbours;
    this.#standings = standings;
    this.#limits = limits;
  }

  record(tenant: Tenant, sighting: Sighting): void {
    if (this.#waiting.length >= this.#limits.waitingMax) {
      this.#lost++;
      return;
    }
    this.#waiting.push({ tenant, sighting, forgotten: false });
    this.#later(this.#limits.gatherMs);
  }

  /** What was told of a tenant whose data are being cleared is not written any more. */
  forget(tenant: Tenant): void {
    const key = tenantKey(tenant);
    for (const waiting of [...this.#taken, ...this.#waiting])
      if (tenantKey(waiting.tenant) === key) waiting.forgotten = true;
    this.#waiting = this.#waiting.filter(({ forgotten }) => !forgotten);
  }

  /** Resolves once what was recorded before is written, or could not be. */
  async settle(): Promise<void> {
    await this.#writing;
    if (this.#waiting.length > 0) await this.#write();
  }

  async stop(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer);
    await this.settle();
    if (this.#timer) clearTimeout(this.#timer);
  }

  #later(ms: number): void {
    if (this.#timer || this.#writing) return;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      void this.#write();
    }, ms);
    this.#timer.unref();
  }

  /** One at a time; those who meet share it. */
  #write(): Promise<void> {
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = null;
      if (this.#waiting.length > 0) this.#later(this.#limits.retryMs);
    });
    return this.#writing;
  }

  async #writeAll(): Promise<void> {
    const { log } = this.#runtime;
    if (this.#lost > 0) log.warn({ lost: this.#lost }, 'storefront events were lost: too many were waiting');
    this.#lost = 0;
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.slice(0, this.#limits.batchMax);
      this.#waiting = this.#waiting.slice(batch.length);
      this.#taken = batch;
      try {
        await this.#writeBatch(batch);
      } catch (problem) {
        if (!(problem instanceof Unavailable)) {
          // Whatever is wrong with them will be wrong again.
          log.error({ err: problem, events: batch.length }, 'storefront events were not written');
          continue;
        }
        log.warn({ err: problem, events: batch.length }, 'storefront events are written later');
        const left = batch.filter(({ forgotten }) => !forgotten);
        this.#waiting = [...left, ...this.#waiting].slice(0, this.#limits.waitingMax);
        return;
      } finally {
        this.#taken = [];
      }
    }
  }

  async #writeBatch(batch: readonly Waiting[]): Promise<void> {
    for (const own of Map.groupBy(batch, ({ tenant }) => tenantKey(tenant)).values()) {
      const { tenant } = own[0]!;
      const told = await this.#neighbours.resolved(
        tenant,
        own.map(({ sighting }) => sighting),
      );
      await this.#save(tenant, own, await this.#neighbours.verified(tenant, told));
    }
  }

  /** `sightings` are those of `own`, in their order. */
  async #save(tenant: Tenant, own: readonly Waiting[], sightings: readonly Sighting[]): Promise<void> {
    const rows = await this.#runtime.postgres.transaction(async ({ sql }) => {
      const stateOf = await enterSandboxes(sql, [tenant]);
      const left = joined(sightings.filter((_, at) => !own[at]!.forgotten && !stateOf(tenant).shut));
      await saveSightings(sql, tenant, left);
      return left;
    });
    if (rows.length > 0) await this.#standings.grew(tenant, [...new Set(rows.map(({ product }) => product))]);
  }
}
