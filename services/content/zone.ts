// The time zone of each store, whose days the views of its content are counted by.
import type { Runtime } from '#runtime/domain/runtime.ts';
import { openStoreProfiles, type StoreProfiles } from '#services/commerce/store_profile.ts';

/** IANA names. */
export type StoreZones = StoreProfiles<string>;

export const openZones = (runtime: Pick<Runtime, 'ask' | 'clock'>): StoreZones =>
  openStoreProfiles(runtime, ({ timezone }) => timezone);
