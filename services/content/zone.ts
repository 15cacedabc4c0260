// The time zone of each store, whose days the views of its content are counted by.
import type { Foundation } from '#runtime/door/foundation.ts';
import { openStoreProfiles, type StoreProfiles } from '#runtime/door/store_profile.ts';

/** IANA names. */
export type StoreZones = StoreProfiles<string>;

export const openZones = (foundation: Pick<Foundation, 'ask' | 'clock'>): StoreZones =>
  openStoreProfiles(foundation, ({ timezone }) => timezone);
