// Holds compiled shipping engines of tenants, with their providers.
import type { Call, Tenant } from '#runtime/call/call.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { inTimeSlices } from '#runtime/flow/slice.ts';
import { TenantReplica } from '#runtime/flow/tenant_replica.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import { openStoreProfiles, type StoreProfiles } from '#services/commerce/store_profile.ts';
import { type Currency, currencyOf } from '#values/currency.ts';
import { dayIn } from '#values/zone.ts';
import { NO_CONFIG, type StoredConfig } from './config.ts';
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

const ENGINES_MAX = 10_000;
const ENGINES_BYTES_MAX = 512 * 1024 * 1024;
const POLL_MS = 5_000;

export class EnginePool {
  readonly #stores: ShippingStores;
  readonly #replica: TenantReplica<TenantShipping>;

  constructor(runtime: Runtime, stores: ShippingStores) {
    this.#stores = stores;
    const load = (tenant: Tenant): Promise<TenantShipping> => loadShipping(runtime.postgres.sql, stores, tenant);
    this.#replica = new TenantReplica(runtime, {
      name: 'shipping engines',
      load,
      update: (_shipping, _revision, tenant) => load(tenant),
      revisions: configRevisions,
      weigh: ({ engine }) => engine.bytes,
      servesStale: false,
      valuesMax: ENGINES_MAX,
      bytesMax: ENGINES_BYTES_MAX,
      pollMs: POLL_MS,
    });
  }

  get(call: Pick<Call, 'tenant' | 'deadline'>): TenantShipping | Promise<TenantShipping> {
    const shipping = this.#replica.open(call.tenant);
    const store = this.#stores.get(call.tenant);
    if (!(shipping instanceof Promise) && !(store instanceof Promise) && isEngineOf(shipping, store))
      return store === shipping.store ? shipping : { ...shipping, store };
    return this.#replica.wait(
      call,
      Promise.all([shipping, store]).then((found) => this.#withStore(...found)),
    );
  }

  unload(tenant: Tenant): void {
    this.#replica.unload(tenant);
  }

  start(notices: Runtime['notices']): void {
    this.#replica.start(notices);
  }

  stop(): void {
    this.#replica.stop();
  }

  #withStore(shipping: TenantShipping, store: ShippingStore): TenantShipping | Promise<TenantShipping> {
    if (isEngineOf(shipping, store)) return { ...shipping, store };
    this.unload(shipping.tenant);
    return this.#replica.open(shipping.tenant);
  }
}

/** An engine is compiled for a currency. */
const isEngineOf = ({ store }: TenantShipping, { currency }: ShippingStore): boolean => store.currency === currency;

const loadShipping = async (sql: Sql, stores: ShippingStores, tenant: Tenant): Promise<TenantShipping> => {
  const store = await stores.get(tenant);
  // Reads the revision before the providers, so that a concurrent change has a later revision.
  const { revision, config } = await findConfig(sql, tenant);
  const providers = revision === 0 ? [] : await allProviders(sql, tenant);
  const engine = await inTimeSlices(compileEngine((config ?? NO_CONFIG) satisfies StoredConfig, store.currency));
  return { tenant, store, engine, providers, revision };
};

/** Returns the calendar by which deliveries of orders placed now are promised. */
export const calendarOf = (
  clock: Runtime['clock'],
  { tenant, store, engine }: Pick<TenantShipping, 'tenant' | 'store' | 'engine'>,
): DeliveryCalendar => ({ today: () => dayIn(store.timezone, clock.now(tenant)), handlingDays: engine.handlingDays });
