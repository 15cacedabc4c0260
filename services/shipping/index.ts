// Shipping: zones, tiers and options, pickup locations, carrier rates, and what delivery to a place costs.
import type { Tenant } from '#runtime/call/call.ts';
import type { Domain } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { connectOutbound } from '#runtime/outbound/outbound.ts';
import type { SealedColumn } from '#runtime/postgres/reseal.ts';
import { openCarriers } from './carrier/carrier.ts';
import { directoryHandlers } from './directory.ts';
import { openNominatim } from './geocode/nominatim.ts';
import { openTownGeocoder } from './geocode/town.ts';
import { EnginePool } from './pool.ts';
import { providerHandlers } from './provider.ts';
import { type ShippingParts, shippingHandlers } from './rpc.ts';
import { openShops } from './shop.ts';
import { secretContext } from './table/provider.ts';

export const SEALED: readonly SealedColumn[] = [
  { table: 'shipping.provider', column: 'secret', id: 'id', context: secretContext },
];

/** How often to look whether a notice was lost. */
const LOOK_MS = 5_000;

export const shipping = (runtime: Runtime): Domain => {
  const { notices, clock } = runtime;
  const { allowLocal, geocoderUrl } = runtime.settings;
  const shops = openShops(runtime);
  const pool = new EnginePool(runtime, shops);
  const changed = (tenant: Tenant): void => {
    pool.forget(tenant);
    notices.publish({ kind: 'shipping', tenant });
  };
  const parts: ShippingParts = {
    pool,
    shops,
    carriers: openCarriers(runtime, connectOutbound({ allowLocal, resolve: runtime.resolve })),
    geocoder: geocoderUrl
      ? openNominatim(connectOutbound({ allowLocal: true }), geocoderUrl, () => clock.real())
      : openTownGeocoder(),
    changed,
  };

  const stops: (() => void)[] = [];
  return {
    name: 'shipping',
    sealedColumns: SEALED,
    services: {
      Shipping: shippingHandlers(runtime, parts),
      ShippingProvider: providerHandlers({ allowLocal, changed }),
      ShippingDirectory: directoryHandlers(runtime, parts),
    },
    reset: {
      tables: { 'shipping.config': 'replaced', 'shipping.provider': 'kept', 'shipping.label': 'cleared' },
      forget: (tenant) => pool.forget(tenant),
    },
    start: async () => {
      const looking = setInterval(() => void pool.look(), LOOK_MS);
      looking.unref();
      stops.push(
        () => clearInterval(looking),
        notices.pollWhileDisconnected(pool.look),
        notices.listen(({ kind, tenant }) => {
          if (kind === 'shipping') pool.forget(tenant);
          if (kind === 'store') shops.forget(tenant.store);
        }),
      );
    },
    stop: async () => {
      for (const stop of stops) stop();
    },
  };
};
