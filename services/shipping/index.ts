// Shipping: zones, tiers, options, pickup locations, carrier rates, and the cost of delivery to a place.
import type { Tenant } from '#runtime/call/call.ts';
import type { Domain } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { connectOutbound } from '#runtime/outbound/outbound.ts';
import type { SealedColumn } from '#runtime/postgres/reseal.ts';
import { openCarriers } from './carrier/carrier.ts';
import { directoryHandlers } from './directory.ts';
import { openNominatim } from './geocode/nominatim.ts';
import { openTownGeocoder } from './geocode/town.ts';
import { EnginePool, openShippingStores } from './pool.ts';
import { providerHandlers, readProvider } from './provider.ts';
import { type ShippingServices, shippingHandlers } from './rpc.ts';
import { shippingErasures } from './table/erasure.ts';
import { secretContext } from './table/provider.ts';

export const SEALED: readonly SealedColumn[] = [
  { table: 'shipping.provider', column: 'secret', id: 'id', context: secretContext },
];

export const shipping = (runtime: Runtime): Domain => {
  const { notices, clock } = runtime;
  const { allowLocal, geocoderUrl } = runtime.settings;
  const stores = openShippingStores(runtime);
  const pool = new EnginePool(runtime, stores);
  const announceChange = (tenant: Tenant, revision: number): void => {
    pool.unload(tenant);
    notices.publish({ kind: 'shipping', tenant, revision, ids: null });
  };
  const services: ShippingServices = {
    pool,
    stores,
    carriers: openCarriers(runtime, connectOutbound({ allowLocal, resolve: runtime.resolve })),
    geocoder: geocoderUrl
      ? openNominatim(connectOutbound({ allowLocal: true }), geocoderUrl, () => clock.real())
      : openTownGeocoder(),
    announceChange,
  };

  return {
    name: 'shipping',
    sealedColumns: SEALED,
    erasures: shippingErasures,
    services: {
      Shipping: shippingHandlers(runtime, services),
      ShippingProvider: providerHandlers({ allowLocal, announceChange }),
      ShippingDirectory: directoryHandlers(runtime, services),
    },
    records: { shipping_provider: readProvider },
    reset: {
      tables: { 'shipping.config': 'replaced', 'shipping.provider': 'retained', 'shipping.label': 'cleared' },
      forget: (tenant) => pool.unload(tenant),
    },
    onNotice: {
      shipping: ({ tenant }) => pool.unload(tenant),
      store: ({ tenant }) => stores.forget(tenant.store),
    },
    start: async () => {
      pool.start(notices);
    },
    stop: async () => {
      pool.stop();
    },
  };
};
