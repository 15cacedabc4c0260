// Caches values derived from store profiles until a notice says that the profile changed.
import type { GetProfileResponse } from '#proto/gen/store_directory.ts';
import { Refusal, type Tenant } from '#runtime/call/call.ts';
import { Unavailable } from '#runtime/call/fault.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { LookupCache } from '#runtime/flow/lookup_cache.ts';

export interface StoreProfiles<T> {
  get(tenant: Tenant): T | Promise<T>;
  forget(store: string): void;
}

const STORES_MAX = 20_000;
/** A change notice may be lost. */
const TTL_MS = 30_000;

export const openStoreProfiles = <T>(
  { ask, clock }: Pick<Runtime, 'ask' | 'clock'>,
  make: (profile: GetProfileResponse, before: T | undefined) => T,
): StoreProfiles<T> => {
  const cache = new LookupCache<string, T>({
    now: () => clock.real(),
    entriesMax: STORES_MAX,
    servesStale: true,
    load: async (store, _, before) => {
      // Both environments of a store share its profile.
      const tenant: Tenant = { store, environment: 'production' };
      const reply = await ask('StoreDirectory/GetProfile', tenant, { store });
      if (reply instanceof Refusal) throw new Unavailable('The store is not known.');
      return { value: make(reply, before), ttlMs: TTL_MS };
    },
  });
  return { get: ({ store }) => cache.get(store), forget: (store) => cache.forget(store) };
};

/** Languages of stores, the default one first. A store's host of the release before knows none. */
export const openStoreLanguages = (runtime: Pick<Runtime, 'ask' | 'clock'>): StoreProfiles<readonly string[]> =>
  openStoreProfiles(runtime, ({ languages }) => languages ?? []);
