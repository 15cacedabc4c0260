// Calls the catalogue's reading handlers over a pool of catalogues of the test's own.
import { type Call, Refusal, Rendered, type Tenant } from '#runtime/call/call.ts';
import type { Handler } from '#runtime/domain/rpc.ts';
import { InnerCall } from '#runtime/host/inner_call.ts';
import { CataloguePool, type CataloguePoolLimits, POOL_LIMITS } from '#services/catalog/memory/pool.ts';
import { openShownPrices } from '#services/catalog/memory/shown_price.ts';
import { openPriceHistory } from '#services/catalog/price_history.ts';
import { openProfiles } from '#services/catalog/profile.ts';
import { directoryHandlers } from '#services/catalog/rpc/directory.ts';
import { priceHistoryHandlers } from '#services/catalog/rpc/price_history.ts';
import { productHandlers } from '#services/catalog/rpc/product.ts';
import { sourceHandlers } from '#services/catalog/rpc/source.ts';
import type { CatalogHost } from './host.ts';

/** Every catalogue that has a product is large, and none of these is ever loaded. */
export const ASLEEP: Partial<CataloguePoolLimits> = { smallProductsMax: 0, largeLoadsMax: 0 };
const WAIT_MS = 20_000;

export interface Reader {
  readonly pool: CataloguePool;
  readonly read: (rpc: string, call: Call, input: object) => Promise<unknown>;
}

export const openReader = (host: CatalogHost, limits: Partial<CataloguePoolLimits> = {}): Reader => {
  const profiles = openProfiles(host.runtime);
  const pool = new CataloguePool(host.runtime, profiles, { ...POOL_LIMITS, ...limits });
  const showPrices = openShownPrices(profiles, host.clock);
  const priceHistory = openPriceHistory(host.runtime, profiles);
  const handlers: Readonly<Record<string, Handler>> = {
    ...productHandlers(pool, host.products, {
      clock: host.clock,
      showPrices,
      priceHistory,
      listMerchantProducts: async () => null,
    }),
    ...priceHistoryHandlers(pool, priceHistory),
    ...directoryHandlers(pool, async () => {}),
    ...sourceHandlers(pool, showPrices, priceHistory),
  };
  return {
    pool,
    read: async (rpc, call, input) => {
      const handler = handlers[rpc];
      if (handler?.kind !== 'read') throw new Error(`${rpc} reads no catalogue.`);
      const reply = await handler.run(call, input);
      if (reply instanceof Rendered) return [new TextDecoder().decode(reply.body), reply.dependsOn];
      return reply instanceof Refusal ? [reply.code, reply.message, reply.extra] : reply;
    },
  };
};

export const callOf = (host: CatalogHost, tenant: Tenant, keyType: Call['keyType'], revisionMin = 0): Call =>
  new InnerCall(tenant, host.clock.real() + WAIT_MS, { keyType, revisionMin });

/** A store with two languages and three currencies. */
export const newStore = async (host: CatalogHost): Promise<Tenant> => {
  const tenant = await host.newTenant();
  await host.call(tenant, 'Store/UpdateStore', {
    languages: ['de'],
    currencies: [
      { currency: 'EUR', prices: 'rate' },
      { currency: 'JPY', prices: 'fixed' },
    ],
  });
  await host.call(tenant, 'ExchangeRate/PutExchangeRate', { currency: 'EUR', rate: 0.92 });
  await host.call(tenant, 'ExchangeRate/PutExchangeRate', { currency: 'JPY', rate: 150 });
  return tenant;
};
