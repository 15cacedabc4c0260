// Buffers interactions and writes them in batches, so that no caller waits for the database.
import { type Tenant, tenantKey } from '#runtime/call/call.ts';
import { Unavailable } from '#runtime/call/fault.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { enterSandboxes } from '#runtime/postgres/sandbox_lock.ts';
import { noteSessions, type SeenSession } from '#services/report/transaction.ts';
import type { RecommendationAvailability } from './availability.ts';
import type { RecommendationClients } from './client.ts';
import { ACTIONS, mergeInteractions, type ProductInteraction } from './interaction.ts';
import { saveInteractions } from './table/interaction.ts';

export interface RecorderLimits {
  readonly gatherMs: number;
  /** Interactions that may wait to be written; further ones are dropped. */
  readonly pendingMax: number;
  readonly batchMax: number;
  readonly retryMs: number;
}

const RECORDER_LIMITS: RecorderLimits = { gatherMs: 100, pendingMax: 20_000, batchMax: 1_000, retryMs: 1_000 };

interface PendingInteraction {
  readonly tenant: Tenant;
  readonly interaction: ProductInteraction;
  discarded: boolean;
}

const sessionSteps = ({ session, actions, seenAt }: ProductInteraction): SeenSession => ({
  session,
  viewed: (actions & ACTIONS.view) !== 0,
  addedToCart: (actions & ACTIONS.add_to_cart) !== 0,
  seenAt,
});

export class Recorder {
  readonly #runtime: Runtime;
  readonly #clients: RecommendationClients;
  readonly #availability: RecommendationAvailability;
  readonly #limits: RecorderLimits;
  #pending: PendingInteraction[] = [];
  #inFlight: readonly PendingInteraction[] = [];
  #timer: ReturnType<typeof setTimeout> | null = null;
  #writing: Promise<void> | null = null;
  #lost = 0;

  constructor(
    runtime: Runtime,
    clients: RecommendationClients,
    availability: RecommendationAvailability,
    limits: RecorderLimits = RECORDER_LIMITS,
  ) {
    this.#runtime = runtime;
    this.#clients = clients;
    this.#availability = availability;
    this.#limits = limits;
  }

  record(tenant: Tenant, interaction: ProductInteraction): void {
    if (this.#pending.length >= this.#limits.pendingMax) {
      this.#lost++;
      return;
    }
    this.#pending.push({ tenant, interaction, discarded: false });
    this.#later(this.#limits.gatherMs);
  }

  discard(tenant: Tenant): void {
    const key = tenantKey(tenant);
    for (const pending of [...this.#inFlight, ...this.#pending])
      if (tenantKey(pending.tenant) === key) pending.discarded = true;
    this.#pending = this.#pending.filter(({ discarded }) => !discarded);
  }

  async flush(): Promise<void> {
    await this.#writing;
    if (this.#pending.length > 0) await this.#write();
  }

  async stop(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer);
    await this.flush();
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

  #write(): Promise<void> {
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = null;
      if (this.#pending.length > 0) this.#later(this.#limits.retryMs);
    });
    return this.#writing;
  }

  async #writeAll(): Promise<void> {
    const { log } = this.#runtime;
    if (this.#lost > 0) log.warn({ events: this.#lost }, 'dropped storefront events: too many were pending');
    this.#lost = 0;
    while (this.#pending.length > 0) {
      const batch = this.#pending.slice(0, this.#limits.batchMax);
      this.#pending = this.#pending.slice(batch.length);
      this.#inFlight = batch;
      try {
        await this.#writeBatch(batch);
      } catch (problem) {
        if (!(problem instanceof Unavailable)) {
          // Drops the batch, because an error other than unavailability would repeat.
          log.error({ err: problem, events: batch.length }, 'failed to write storefront events, dropped');
          continue;
        }
        log.warn({ err: problem, events: batch.length }, 'failed to write storefront events, will retry');
        const left = batch.filter(({ discarded }) => !discarded);
        this.#pending = [...left, ...this.#pending].slice(0, this.#limits.pendingMax);
        return;
      } finally {
        this.#inFlight = [];
      }
    }
  }

  async #writeBatch(batch: readonly PendingInteraction[]): Promise<void> {
    for (const own of Map.groupBy(batch, ({ tenant }) => tenantKey(tenant)).values()) {
      const { tenant } = own[0]!;
      const resolved = await this.#clients.withResolvedChannel(
        tenant,
        own.map(({ interaction }) => interaction),
      );
      await this.#save(tenant, own, await this.#clients.withVerifiedCustomer(tenant, resolved));
    }
  }

  async #save(
    tenant: Tenant,
    own: readonly PendingInteraction[],
    interactions: readonly ProductInteraction[],
  ): Promise<void> {
    const rows = await this.#runtime.postgres.transaction(async ({ sql }) => {
      const stateOf = await enterSandboxes(sql, [tenant]);
      const left = mergeInteractions(interactions.filter((_, at) => !own[at]!.discarded && !stateOf(tenant).shut));
      await saveInteractions(sql, tenant, left);
      await noteSessions(sql, tenant, left.map(sessionSteps));
      return left;
    });
    if (rows.length > 0) await this.#availability.checkAdded(tenant, [...new Set(rows.map(({ product }) => product))]);
  }
}
