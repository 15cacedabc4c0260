// The engines that are awake: each compiled on first use, dropped when its configuration has changed, put to sleep when
// there are too many or they take too much memory, the longest unused first.
import type { ShippingConfig } from '#proto/gen/shipping_config.ts';
import { type Call, type Tenant, type TenantKey, tenantKey } from '#runtime/call/call.ts';
import { toFault } from '#runtime/call/fault.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { BoundedWait } from '#runtime/flow/bounded_wait.ts';
import { NO_CONFIG } from './config.ts';
import { compileEngine, type Engine } from './engine.ts';
import type { ShippingStore, ShippingStores } from './shop.ts';
import { configRevisions, findConfig } from './table/config.ts';
import { allProviders, type CarrierRecord } from './table/provider.ts';
import { inTurns } from './turn.ts';

/** All that calculations of one tenant need. */
export interface TenantShipping {
  readonly tenant: Tenant;
  readonly shop: ShippingStore;
  readonly engine: Engine;
  readonly providers: readonly CarrierRecord[];
  readonly revision: number;
}

export interface ShippingPoolLimits {
  readonly enginesMax: number;
  readonly bytesMax: number;
}

export const POOL_LIMITS: ShippingPoolLimits = { enginesMax: 10_000, bytesMax: 512 * 1024 * 1024 };

/** Callers beyond this many who wait for engines to compile are sent away at once. */
const WAITING_MAX = 2_000;

interface Awake {
  shipping: TenantShipping;
  usedAt: number;
}

export class EnginePool {
  readonly #runtime: Runtime;
  readonly #shops: ShippingStores;
  readonly #limits: ShippingPoolLimits;
  readonly #awake = new Map<TenantKey, Awake>();
  readonly #waking = new Map<TenantKey, Promise<TenantShipping>>();
  readonly #room: BoundedWait;
  #bytes = 0;
  #uses = 0;

  constructor(runtime: Runtime, shops: ShippingStores, limits: ShippingPoolLimits = POOL_LIMITS) {
    this.#runtime = runtime;
    this.#shops = shops;
    this.#limits = limits;
    this.#room = new BoundedWait({
      clock: runtime.clock,
      callersMax: WAITING_MAX,
      fullMessage: 'Too many callers wait for shipping engines to compile.',
      timeoutMessage: 'The shipping engine took too long to compile.',
    });
  }

  get size(): number {
    return this.#awake.size;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** At once where the engine is awake and the store is as it was. */
  get(call: Pick<Call, 'tenant' | 'deadline'>): TenantShipping | Promise<TenantShipping> {
    const awake = this.#awake.get(tenantKey(call.tenant));
    if (!awake) return this.#room.wait(call, this.#wake(call.tenant));
    const shop = this.#shops.get(call.tenant);
    if (shop instanceof Promise || shop.currency !== awake.shipping.shop.currency)
      return this.#room.wait(
        call,
        Promise.resolve(shop).then((fresh) => this.#reshop(awake, fresh)),
      );
    awake.usedAt = ++this.#uses;
    if (shop !== awake.shipping.shop) awake.shipping = { ...awake.shipping, shop };
    return awake.shipping;
  }

  /** The configuration or the providers are others now: the next question waits for a new engine. */
  forget(tenant: Tenant): void {
    const key = tenantKey(tenant);
    const awake = this.#awake.get(key);
    if (awake) this.#drop(key, awake);
    this.#waking.delete(key);
  }

  /** Notices may be lost with the bus; a revision in Postgres is not. */
  readonly look = async (): Promise<void> => {
    const { postgres, log } = this.#runtime;
    if (this.#awake.size === 0 || !postgres.available) return;
    try {
      const tenants = [...this.#awake.values()].map(({ shipping }) => shipping.tenant);
      for (const { tenant, revision } of await configRevisions(postgres.sql, tenants)) {
        const awake = this.#awake.get(tenantKey(tenant));
        if (awake && awake.shipping.revision < revision) this.forget(tenant);
      }
    } catch (problem) {
      log.warn({ err: problem }, 'the revisions of awake shipping engines could not be compared');
    }
  };

  /** A store that sells in another currency now: its amounts are compiled anew. */
  #reshop(awake: Awake, shop: ShippingStore): TenantShipping | Promise<TenantShipping> {
    if (shop.currency === awake.shipping.shop.currency) return awake.shipping;
    this.forget(awake.shipping.tenant);
    return this.#wake(awake.shipping.tenant);
  }

  #wake(tenant: Tenant): Promise<TenantShipping> {
    const key = tenantKey(tenant);
    const running = this.#waking.get(key);
    if (running) return running;
    const waking: Promise<TenantShipping> = this.#load(tenant)
      .then((shipping) => {
        // Forgotten meanwhile: good for who asked before, not for who comes next.
        if (this.#waking.get(key) === waking) this.#keep(key, shipping);
        return shipping;
      })
      .finally(() => {
        if (this.#waking.get(key) === waking) this.#waking.delete(key);
      });
    this.#waking.set(key, waking);
    return waking;
  }

  async #load(tenant: Tenant): Promise<TenantShipping> {
    const { sql } = this.#runtime.postgres;
    try {
      const shop = await this.#shops.get(tenant);
      // The revision is read before the providers: whatever is written between bears a later one.
      const { revision, config } = await findConfig(sql, tenant);
      const providers = revision === 0 ? [] : await allProviders(sql, tenant);
      const engine = await inTurns(compileEngine((config ?? NO_CONFIG) satisfies ShippingConfig, shop.currency));
      return { tenant, shop, engine, providers, revision };
    } catch (problem) {
      throw toFault(problem);
    }
  }

  #keep(key: TenantKey, shipping: TenantShipping): void {
    this.#awake.set(key, { shipping, usedAt: ++this.#uses });
    this.#bytes += shipping.engine.bytes;
    const { enginesMax, bytesMax } = this.#limits;
    while (this.#awake.size > 1 && (this.#awake.size > enginesMax || this.#bytes > bytesMax)) this.#sleepLongest(key);
  }

  #sleepLongest(except: TenantKey): void {
    let longest: [TenantKey, Awake] | null = null;
    for (const entry of this.#awake)
      if (entry[0] !== except && (longest === null || entry[1].usedAt < longest[1].usedAt)) longest = entry;
    if (longest) this.#drop(...longest);
  }

  #drop(key: TenantKey, awake: Awake): void {
    this.#awake.delete(key);
    this.#bytes -= awake.shipping.engine.bytes;
  }
}
