// Time zones of stores, which determine the day of a view.
import type { Runtime } from '#runtime/domain/runtime.ts';
import { openStoreProfiles, type StoreProfiles } from '#services/commerce/store_profile.ts';

export type StoreZones = StoreProfiles<string>;

export const openZones = (runtime: Pick<Runtime, 'ask' | 'clock'>): StoreZones =>
  openStoreProfiles(runtime, ({ timezone }) => timezone);
