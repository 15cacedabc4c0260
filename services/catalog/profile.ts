// What the catalogue needs to know of a store: its currency and its low-stock threshold. Kept until a notice.
import type { GetProfileResponse } from '#proto/gen/store.ts';
import { Refusal, Rendered, type Tenant } from '#runtime/call.ts';
import { Unavailable } from '#runtime/fault.ts';
import type { Foundation } from '#runtime/foundation.ts';
import { currencyOf } from '#values/currency.ts';
import { type Frame, frameOf } from './product_text.ts';

export interface Profile {
  readonly frame: Frame;
  readonly lowStockThreshold: number;
}

export interface Profiles {
  get(tenant: Tenant): Profile | Promise<Profile>;
  forget(store: string): void;
}

/** A notice may be lost with the bus; nothing is believed for longer. */
const AGE_MS_MAX = 30_000;
const PROFILES_MAX = 20_000;

export const openProfiles = ({ ask, clock }: Pick<Foundation, 'ask' | 'clock'>): Profiles => {
  const known = new Map<string, { readonly profile: Profile; readonly until: number }>();
  const loading = new Map<string, Promise<Profile>>();

  const load = async (tenant: Tenant, before: Profile | undefined): Promise<Profile> => {
    const reply = await ask<GetProfileResponse>('StoreDirectory/GetProfile', tenant, { store: tenant.store });
    if (reply instanceof Refusal || reply instanceof Rendered) throw new Unavailable('The store is not known.');
    const frame = frameOf(currencyOf(reply.currency), reply.currency_symbol);
    // The same object as long as it says the same: whoever compares sees that nothing changed.
    const same = before?.frame.text === frame.text ? before.frame : frame;
    return { frame: same, lowStockThreshold: reply.low_stock_threshold };
  };

  const refresh = (tenant: Tenant): Promise<Profile> => {
    const running = loading.get(tenant.store);
    if (running) return running;
    const fresh: Promise<Profile> = load(tenant, known.get(tenant.store)?.profile)
      .then((profile) => {
        // Forgotten meanwhile: good for who asked before, not for who comes next.
        if (loading.get(tenant.store) !== fresh) return profile;
        known.delete(tenant.store);
        known.set(tenant.store, { profile, until: clock.real() + AGE_MS_MAX });
        if (known.size > PROFILES_MAX) known.delete(known.keys().next().value!);
        return profile;
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
      return entry.profile;
    },
    forget(store) {
      known.delete(store);
      loading.delete(store);
    },
  };
};
