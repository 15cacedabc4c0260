// Caches values derived from store profiles until a notice says that the profile changed.
import type { GetProfileResponse } from '#proto/gen/store_directory.ts';
import { Refusal, type Tenant } from '#runtime/call/call.ts';
import { Unavailable } from '#runtime/call/fault.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { StoreCache } from '#runtime/flow/store_cache.ts';

export interface StoreProfiles<T> {
  get(tenant: Tenant): T | Promise<T>;
  forget(store: string): void;
}

const STORES_MAX = 20_000;

export const openStoreProfiles = <T>(
  { ask, clock }: Pick<Runtime, 'ask' | 'clock'>,
  make: (profile: GetProfileResponse, before: T | undefined) => T,
): StoreProfiles<T> => {
  const memory = new StoreCache<T>({
    clock,
    entriesMax: STORES_MAX,
    load: async (store, before) => {
      // Both environments of a store share its profile.
      const tenant: Tenant = { store, environment: 'production' };
      const reply = await ask('StoreDirectory/GetProfile', tenant, { store });
      if (reply instanceof Refusal) throw new Unavailable('The store is not known.');
      return { owner: store, value: make(reply, before) };
    },
  });
  return { get: ({ store }) => memory.get(store), forget: (store) => memory.forget(store) };
};

/** Languages of stores, the default one first. A store's host of the release before knows none. */
export const openStoreLanguages = (runtime: Pick<Runtime, 'ask' | 'clock'>): StoreProfiles<readonly string[]> =>
  openStoreProfiles(runtime, ({ languages }) => languages ?? []);
