// Caches compiled shipping engines. Compiles an engine when first used, drops it after a change, and evicts the least
// recently used beyond the limits of number and memory.
import type { ShippingConfig } from '#proto/gen/shipping_config.ts';
import { type Call, type Tenant, type TenantKey, tenantKey } from '#runtime/call/call.ts';
import { toFault } from '#runtime/call/fault.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { BoundedWait } from '#runtime/flow/bounded_wait.ts';
import { inTimeSlices } from '#runtime/flow/slice.ts';
import { openStoreProfiles, type StoreProfiles } from '#services/commerce/store_profile.ts';
import { type Currency, currencyOf } from '#values/currency.ts';
import { dayIn } from '#values/zone.ts';
import { NO_CONFIG } from './config.ts';
import { compileEngine, type Engine } from './engine.ts';
import type { DeliveryCalendar } from './promise.ts';
import { configRevisions, findConfig } from './table/config.ts';
import { allProviders, type CarrierRecord } from './table/provider.ts';

export interface ShippingStore {
  readonly currency: Currency;
  readonly country: string | null;
  readonly timezone: string;
  /** The default language first. */
  readonly languages: readonly string[];
}

export type ShippingStores = StoreProfiles<ShippingStore>;

export const openShippingStores = (runtime: Pick<Runtime, 'ask' | 'clock'>): ShippingStores =>
  openStoreProfiles(runtime, ({ currency, country, timezone, languages }) => ({
    currency: currencyOf(currency),
    country,
    timezone,
    languages: languages ?? [],
  }));

export interface TenantShipping {
  readonly tenant: Tenant;
  readonly store: ShippingStore;
  readonly engine: Engine;
  readonly providers: readonly CarrierRecord[];
  readonly revision: number;
}

export interface ShippingPoolLimits {
  readonly enginesMax: number;
  readonly bytesMax: number;
}

export const POOL_LIMITS: ShippingPoolLimits = { enginesMax: 10_000, bytesMax: 512 * 1024 * 1024 };

/** Maximum number of calls that wait for engines to compile; further calls are refused. */
const WAITING_MAX = 2_000;

interface LoadedEngine {
  shipping: TenantShipping;
  usedAt: number;
}

export class EnginePool {
  readonly #runtime: Runtime;
  readonly #stores: ShippingStores;
  readonly #limits: ShippingPoolLimits;
  readonly #loaded = new Map<TenantKey, LoadedEngine>();
  readonly #loading = new Map<TenantKey, Promise<TenantShipping>>();
  readonly #bounded: BoundedWait;
  #bytes = 0;
  #uses = 0;

  constructor(runtime: Runtime, stores: ShippingStores, limits: ShippingPoolLimits = POOL_LIMITS) {
    this.#runtime = runtime;
    this.#stores = stores;
    this.#limits = limits;
    this.#bounded = new BoundedWait({
      clock: runtime.clock,
      callersMax: WAITING_MAX,
      fullMessage: 'Too many callers wait for shipping engines to compile.',
      timeoutMessage: 'The shipping engine took too long to compile.',
    });
  }

  get size(): number {
    return this.#loaded.size;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get(call: Pick<Call, 'tenant' | 'deadline'>): TenantShipping | Promise<TenantShipping> {
    const loaded = this.#loaded.get(tenantKey(call.tenant));
    if (!loaded) return this.#bounded.wait(call, this.#load(call.tenant));
    const store = this.#stores.get(call.tenant);
    if (store instanceof Promise || store.currency !== loaded.shipping.store.currency)
      return this.#bounded.wait(
        call,
        Promise.resolve(store).then((fresh) => this.#withStore(loaded, fresh)),
      );
    loaded.usedAt = ++this.#uses;
    if (store !== loaded.shipping.store) loaded.shipping = { ...loaded.shipping, store };
    return loaded.shipping;
  }

  forget(tenant: Tenant): void {
    const key = tenantKey(tenant);
    const loaded = this.#loaded.get(key);
    if (loaded) this.#drop(key, loaded);
    this.#loading.delete(key);
  }

  /** Looks for changes whose notices were lost. */
  readonly checkRevisions = async (): Promise<void> => {
    const { postgres } = this.#runtime;
    if (this.#loaded.size === 0 || !postgres.available) return;
    const tenants = [...this.#loaded.values()].map(({ shipping }) => shipping.tenant);
    for (const { tenant, revision } of await configRevisions(postgres.sql, tenants)) {
      const loaded = this.#loaded.get(tenantKey(tenant));
      if (loaded && loaded.shipping.revision < revision) this.forget(tenant);
    }
  };

  #withStore(loaded: LoadedEngine, store: ShippingStore): TenantShipping | Promise<TenantShipping> {
    if (store.currency === loaded.shipping.store.currency) return loaded.shipping;
    this.forget(loaded.shipping.tenant);
    return this.#load(loaded.shipping.tenant);
  }

  #load(tenant: Tenant): Promise<TenantShipping> {
    const key = tenantKey(tenant);
    const running = this.#loading.get(key);
    if (running) return running;
    const loading: Promise<TenantShipping> = this.#read(tenant)
      .then((shipping) => {
        // Does not cache an engine that was invalidated while loading; only the callers that waited receive it.
        if (this.#loading.get(key) === loading) this.#store(key, shipping);
        return shipping;
      })
      .finally(() => {
        if (this.#loading.get(key) === loading) this.#loading.delete(key);
      });
    this.#loading.set(key, loading);
    return loading;
  }

  async #read(tenant: Tenant): Promise<TenantShipping> {
    const { sql } = this.#runtime.postgres;
    try {
      const store = await this.#stores.get(tenant);
      // Reads the revision before the providers, so that a concurrent change has a later revision.
      const { revision, config } = await findConfig(sql, tenant);
      const providers = revision === 0 ? [] : await allProviders(sql, tenant);
      const engine = await inTimeSlices(compileEngine((config ?? NO_CONFIG) satisfies ShippingConfig, store.currency));
      return { tenant, store, engine, providers, revision };
    } catch (error) {
      throw toFault(error);
    }
  }

  #store(key: TenantKey, shipping: TenantShipping): void {
    this.#loaded.set(key, { shipping, usedAt: ++this.#uses });
    this.#bytes += shipping.engine.bytes;
    const { enginesMax, bytesMax } = this.#limits;
    while (this.#loaded.size > 1 && (this.#loaded.size > enginesMax || this.#bytes > bytesMax))
      this.#evictLeastRecent(key);
  }

  #evictLeastRecent(except: TenantKey): void {
    let longest: [TenantKey, LoadedEngine] | null = null;
    for (const entry of this.#loaded)
      if (entry[0] !== except && (longest === null || entry[1].usedAt < longest[1].usedAt)) longest = entry;
    if (longest) this.#drop(...longest);
  }

  #drop(key: TenantKey, loaded: LoadedEngine): void {
    this.#loaded.delete(key);
    this.#bytes -= loaded.shipping.engine.bytes;
  }
}

/** Returns the calendar by which deliveries of orders placed now are promised. */
export const calendarOf = (
  clock: Runtime['clock'],
  { tenant, store, engine }: Pick<TenantShipping, 'tenant' | 'store' | 'engine'>,
): DeliveryCalendar => ({ today: () => dayIn(store.timezone, clock.now(tenant)), handlingDays: engine.handlingDays });
