// Shipping: zones, tiers and options, pickup locations, carrier rates, and what delivery to a place costs.
import type { Tenant } from '#runtime/call/call.ts';
import type { Foundation } from '#runtime/door/foundation.ts';
import type { Domain } from '#runtime/door/rpc.ts';
import { connectOutbound } from '#runtime/outbound/outbound.ts';
import { openCarriers } from './carrier/carrier.ts';
import { directoryHandlers } from './directory.ts';
import { openNominatim } from './geocode/nominatim.ts';
import { openTownGeocoder } from './geocode/town.ts';
import { EnginePool } from './pool.ts';
import { providerHandlers } from './provider.ts';
import { type ShippingParts, shippingHandlers } from './rpc.ts';
import { SEALED } from './sealed.ts';
import { openShops } from './shop.ts';

/** How often to look whether a notice was lost. */
const LOOK_MS = 5_000;

export const shipping = (foundation: Foundation): Domain => {
  const { notices, clock } = foundation;
  const { allowLocal, geocoderUrl } = foundation.settings;
  const shops = openShops(foundation);
  const pool = new EnginePool(foundation, shops);
  const changed = (tenant: Tenant): void => {
    pool.forget(tenant);
    notices.publish({ kind: 'shipping', tenant });
  };
  const parts: ShippingParts = {
    pool,
    shops,
    carriers: openCarriers(foundation, connectOutbound({ allowLocal, resolve: foundation.resolve })),
    geocoder: geocoderUrl
      ? openNominatim(connectOutbound({ allowLocal: true }), geocoderUrl, () => clock.real())
      : openTownGeocoder(),
    changed,
  };

  const stops: (() => void)[] = [];
  return {
    name: 'shipping',
    sealed: SEALED,
    services: {
      Shipping: shippingHandlers(foundation, parts),
      ShippingProvider: providerHandlers({ allowLocal, changed }),
      ShippingDirectory: directoryHandlers(foundation, parts),
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
