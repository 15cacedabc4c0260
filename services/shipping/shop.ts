// What shipping needs to know of a store: its currency and its country. Kept for a while, and until a notice.
import type { GetProfileResponse } from '#proto/gen/store.ts';
import { Refusal, Rendered, type Tenant } from '#runtime/call.ts';
import { Unavailable } from '#runtime/fault.ts';
import type { Foundation } from '#runtime/foundation.ts';
import { type Currency, currencyOf } from '#values/currency.ts';

export interface Shop {
  readonly currency: Currency;
  readonly country: string | null;
}

export interface Shops {
  /** At once where it is known. */
  get(tenant: Tenant): Shop | Promise<Shop>;
  forget(store: string): void;
}

/** A notice may be lost with the bus; nothing is believed for longer. */
const AGE_MS_MAX = 30_000;
const SHOPS_MAX = 20_000;

export const openShops = ({ ask, clock }: Pick<Foundation, 'ask' | 'clock'>): Shops => {
  const known = new Map<string, { readonly shop: Shop; until: number }>();
  const loading = new Map<string, Promise<Shop>>();

  const load = async (tenant: Tenant): Promise<Shop> => {
    const reply = await ask<GetProfileResponse>('StoreDirectory/GetProfile', tenant, { store: tenant.store });
    if (reply instanceof Refusal || reply instanceof Rendered) throw new Unavailable('The store is not known.');
    return { currency: currencyOf(reply.currency), country: reply.country };
  };

  const refresh = (tenant: Tenant): Promise<Shop> => {
    const running = loading.get(tenant.store);
    if (running) return running;
    const fresh: Promise<Shop> = load(tenant)
      .then((shop) => {
        // Forgotten meanwhile: good for who asked before, not for who comes next.
        if (loading.get(tenant.store) !== fresh) return shop;
        known.delete(tenant.store);
        known.set(tenant.store, { shop, until: clock.real() + AGE_MS_MAX });
        if (known.size > SHOPS_MAX) known.delete(known.keys().next().value!);
        return shop;
      })
      .finally(() => {
        if (loading.get(tenant.store) === fresh) loading.delete(tenant.store);
      });
    loading.set(tenant.store, fresh);
    return fresh;
  };

  return {
    get(tenant) {
      const entry = known.get(tenant.store);
      if (!entry) return refresh(tenant);
      // Aged is good enough while it is asked for again: nobody waits for it, nor fails with the database.
      if (entry.until <= clock.real()) refresh(tenant).catch(() => {});
      return entry.shop;
    },
    forget(store) {
      known.delete(store);
      loading.delete(store);
    },
  };
};
