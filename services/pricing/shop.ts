// What pricing needs to know of a store: its currency and whether its prices include tax. Kept until a notice.
import type { GetProfileResponse } from '#proto/gen/store.ts';
import { Refusal, Rendered, type Tenant } from '#runtime/call.ts';
import { Unavailable } from '#runtime/fault.ts';
import type { Foundation } from '#runtime/foundation.ts';
import { Memory } from '#runtime/memory.ts';
import { type Currency, currencyOf } from '#values/currency.ts';

export interface Shop {
  readonly currency: Currency;
  readonly taxInclusive: boolean;
}

export interface Shops {
  /** At once where it is known. */
  get(tenant: Tenant): Shop | Promise<Shop>;
  forget(store: string): void;
}

const SHOPS_MAX = 20_000;

export const openShops = ({ ask, clock }: Pick<Foundation, 'ask' | 'clock'>): Shops => {
  const memory = new Memory<Shop>({
    clock,
    entriesMax: SHOPS_MAX,
    load: async (store) => {
      const tenant: Tenant = { store, environment: 'production' };
      const reply = await ask<GetProfileResponse>('StoreDirectory/GetProfile', tenant, { store });
      if (reply instanceof Refusal || reply instanceof Rendered) throw new Unavailable('The store is not known.');
      return { owner: store, value: { currency: currencyOf(reply.currency), taxInclusive: reply.tax_inclusive } };
    },
  });
  return { get: ({ store }) => memory.get(store), forget: (store) => memory.forget(store) };
};
