// Names delivery options for a shopper. Pure.
import { ENGLISH, type Text } from './wording.ts';

/** Id of rates for a place, which have the name of their zone instead of a delivery method's. */
const PLACE = 'place';
const UNNAMED = 'Delivery';
const PICKUP = 'pickup:';

/** In English by default. */
export const deliveryName = (id: string | null, name: string, text: Text = ENGLISH.text): string => {
  if (id === PLACE) return text('standard_delivery');
  return id?.startsWith(PICKUP) ? text('pickup', { name }) : name;
};

export const zoneOf = (id: string, name: string): string | null => (id === PLACE && name !== UNNAMED ? name : null);

export const isDeliveryFree = (promotions: readonly { readonly amount: number }[]): boolean =>
  promotions.some(({ amount }) => amount === 0);
