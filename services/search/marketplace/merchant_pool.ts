// Indexes over the merchants of operators, in memory: loaded when first used and updated by notices.
import { type Call, type Tenant, tenantKey } from '#runtime/call/call.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { repeatedly } from '#runtime/flow/repetition.ts';
import { Semaphore } from '#runtime/flow/semaphore.ts';
import { TenantReplica } from '#runtime/flow/tenant_replica.ts';
import type { SellingMerchants } from '#services/commerce/selling_merchant.ts';
import type { SearchPoolLimits } from '#services/search/pool.ts';
import { MerchantIndex, type MerchantIndexTools } from './merchant_index.ts';

export class MerchantPool {
  readonly #runtime: Runtime;
  readonly #sellingMerchants: SellingMerchants;
  readonly #limits: SearchPoolLimits;
  readonly #replica: TenantReplica<MerchantIndex>;
  /** Indexes that are loaded or loading; a loading one may miss a change that is noticed meanwhile. */
  readonly #indexes = new Set<MerchantIndex>();
  readonly #timers = new Map<MerchantIndex, ReturnType<typeof setTimeout>>();
  readonly #stops: (() => void)[] = [];

  constructor(
    runtime: Runtime,
    tools: MerchantIndexTools,
    sellingMerchants: SellingMerchants,
    limits: SearchPoolLimits,
  ) {
    this.#runtime = runtime;
    this.#sellingMerchants = sellingMerchants;
    this.#limits = limits;
    const semaphore = new Semaphore(limits.loadsMax);
    this.#replica = new TenantReplica(runtime, {
      name: 'marketplace indexes',
      load: async (tenant) => {
        const index = new MerchantIndex(tenant, tools, (await sellingMerchants.get(tenant)) ?? []);
        this.#indexes.add(index);
        try {
          await semaphore.run(() => index.load());
        } catch (problem) {
          this.#close(index);
          throw problem;
        }
        this.#updateSoon(index);
        return index;
      },
      // Called by polls alone.
      update: async (index) => {
        await index.compareRevisions();
        await index.update();
        return index;
      },
      weigh: ({ bytes }) => bytes,
      close: (index) => this.#close(index),
      servesStale: true,
      valuesMax: limits.indexesMax,
      bytesMax: limits.bytesMax,
      pollMs: limits.pollMs,
    });
  }

  start(): void {
    const { notices, postgres, log } = this.#runtime;
    this.#replica.start(notices);
    this.#stops.push(
      repeatedly({
        everyMs: this.#limits.pollMs,
        able: () => postgres.available,
        work: () => this.#save(),
        failed: (problem) => log.warn({ err: problem }, 'failed to save a marketplace index'),
      }),
    );
  }

  stop(): void {
    for (const stop of this.#stops) stop();
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#replica.stop();
  }

  /** Updates the indexes that have the merchant. */
  changed(tenant: Tenant, revision = 0): void {
    for (const index of this.#indexes) if (index.changed(tenant, revision)) this.#updateSoon(index);
  }

  async load(tenant: Tenant): Promise<void> {
    await this.#replica.open(tenant);
  }

  /** Returns the index over those that sell now. The products of those that have just begun to sell follow. */
  async get(call: Pick<Call, 'tenant' | 'deadline'>): Promise<MerchantIndex> {
    const index = await this.#replica.get(call);
    // Looked up after the wait for the index, during which a merchant may have stopped selling.
    const merchants = (await this.#sellingMerchants.get(call.tenant)) ?? [];
    if (await this.#replica.wait(call, index.align(merchants))) this.#updateSoon(index);
    return index;
  }

  #close(index: MerchantIndex): void {
    this.#indexes.delete(index);
    clearTimeout(this.#timers.get(index));
    this.#timers.delete(index);
    index.close();
  }

  /** Reads noticed changes. Does not wait for an update that runs, because that may read a merchant's whole catalogue. */
  #updateSoon(index: MerchantIndex): void {
    if (this.#timers.has(index)) return;
    const timer = setTimeout(() => {
      this.#timers.delete(index);
      const tenant = tenantKey(index.tenant);
      index
        .update()
        .catch((problem) => this.#runtime.log.warn({ err: problem, tenant }, 'failed to update a marketplace index'));
    }, this.#limits.gatherMs);
    timer.unref();
    this.#timers.set(index, timer);
  }

  /** Saves one index at a time, to bound memory. */
  async #save(): Promise<void> {
    await this.#replica
      .values()
      .find(({ dueToSave }) => dueToSave)
      ?.save();
  }
}
