// Delivery: zones, distances, places of the store, carriers, and what an address would pay.
import type { Screens } from '#edge/pages/dashboard/screen.ts';
import { Carriers } from './carrier.tsx';
import { FallbackScreen } from './fallback.tsx';
import { LocationScreen } from './location.tsx';
import { DeliveryOverview } from './overview.tsx';
import { TierScreen } from './tier.tsx';
import { AddressTrial } from './trial.tsx';
import { ZoneScreen } from './zone.tsx';

/** The id `new` begins an item. */
export const screens: Screens = {
  '': DeliveryOverview,
  try: AddressTrial,
  carriers: Carriers,
  fallback: FallbackScreen,
  'zones/:id': ZoneScreen,
  'tiers/:id': TierScreen,
  'locations/:id': LocationScreen,
};
