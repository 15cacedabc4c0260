// Takes sightings in and writes them a moment later, many at once: whoever tells of one never waits for the database.
import { type Tenant, tenantKey } from '#runtime/call.ts';
import { Unavailable } from '#runtime/fault.ts';
import type { Foundation } from '#runtime/foundation.ts';
import type { Neighbours } from './neighbour.ts';
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
}

export class Recorder {
  readonly #foundation: Foundation;
  readonly #neighbours: Neighbours;
  readonly #standings: Standings;
  readonly #limits: RecorderLimits;
  #waiting: Waiting[] = [];
  #timer: ReturnType<typeof setTimeout> | null = null;
  #writing: Promise<void> | null = null;
  #lost = 0;

  constructor(
    foundation: Foundation,
    neighbours: Neighbours,
    standings: Standings,
    limits: RecorderLimits = RECORDER_LIMITS,
  ) {
    this.#foundation = foundation;
    this.#neighbours = neighbours;
    this.#standings = standings;
    this.#limits = limits;
  }

  record(tenant: Tenant, sighting: Sighting): void {
    if (this.#waiting.length >= this.#limits.waitingMax) {
      this.#lost++;
      return;
    }
    this.#waiting.push({ tenant, sighting });
    this.#later(this.#limits.gatherMs);
  }

  /** What waits of a tenant whose data were cleared. */
  forget(tenant: Tenant): void {
    const key = tenantKey(tenant);
    this.#waiting = this.#waiting.filter((waiting) => tenantKey(waiting.tenant) !== key);
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
    const { log } = this.#foundation;
    if (this.#lost > 0) log.warn({ lost: this.#lost }, 'storefront events were lost: too many were waiting');
    this.#lost = 0;
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.slice(0, this.#limits.batchMax);
      this.#waiting = this.#waiting.slice(batch.length);
      try {
        await this.#writeBatch(batch);
      } catch (problem) {
        if (!(problem instanceof Unavailable)) {
          // Whatever is wrong with them will be wrong again.
          log.error({ err: problem, events: batch.length }, 'storefront events were not written');
          continue;
        }
        log.warn({ err: problem, events: batch.length }, 'storefront events are written later');
        this.#waiting = [...batch, ...this.#waiting].slice(0, this.#limits.waitingMax);
        return;
      }
    }
  }

  async #writeBatch(batch: readonly Waiting[]): Promise<void> {
    const byTenant = new Map<string, { readonly tenant: Tenant; readonly sightings: Sighting[] }>();
    for (const { tenant, sighting } of batch) {
      const key = tenantKey(tenant);
      const own = byTenant.get(key) ?? { tenant, sightings: [] };
      byTenant.set(key, own);
      own.sightings.push(sighting);
    }
    for (const { tenant, sightings } of byTenant.values()) {
      await this.write(tenant, await this.#neighbours.verified(tenant, sightings));
    }
  }

  async write(tenant: Tenant, sightings: readonly Sighting[]): Promise<void> {
    const { sql } = this.#foundation.postgres;
    const rows = joined(sightings);
    await saveSightings(sql, tenant, rows);
    await this.#standings.grew(tenant, [...new Set(rows.map(({ product }) => product))]);
  }
}
