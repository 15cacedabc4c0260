// What the catalogue needs to know of a store: its currency and its low-stock threshold. Kept until a notice.
import type { GetProfileResponse } from '#proto/gen/store.ts';
import { Refusal, Rendered, type Tenant } from '#runtime/call.ts';
import { Unavailable } from '#runtime/fault.ts';
import type { Foundation } from '#runtime/foundation.ts';
import { Memory } from '#runtime/memory.ts';
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

const PROFILES_MAX = 20_000;

export const openProfiles = ({ ask, clock }: Pick<Foundation, 'ask' | 'clock'>): Profiles => {
  const memory = new Memory<Profile>({
    clock,
    entriesMax: PROFILES_MAX,
    load: async (store, before) => {
      const tenant: Tenant = { store, environment: 'production' };
      const reply = await ask<GetProfileResponse>('StoreDirectory/GetProfile', tenant, { store });
      if (reply instanceof Refusal || reply instanceof Rendered) throw new Unavailable('The store is not known.');
      const frame = frameOf(currencyOf(reply.currency), reply.currency_symbol);
      // The same object as long as it says the same: whoever compares sees that nothing changed.
      const same = before?.frame.text === frame.text ? before.frame : frame;
      return { owner: store, value: { frame: same, lowStockThreshold: reply.low_stock_threshold } };
    },
  });
  return { get: ({ store }) => memory.get(store), forget: (store) => memory.forget(store) };
};
