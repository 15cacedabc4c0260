// Names delivery options for a shopper. Pure.

/** Id of rates for a place, which have the name of their zone instead of a delivery method's. */
const PLACE = 'place';
const UNNAMED = 'Delivery';
const PICKUP = 'pickup:';

export const deliveryName = (id: string | null, name: string): string => {
  if (id === PLACE) return 'Standard delivery';
  return id?.startsWith(PICKUP) ? `Pickup: ${name}` : name;
};

export const zoneOf = (id: string, name: string): string | null => (id === PLACE && name !== UNNAMED ? name : null);

export const isDeliveryFree = (promotions: readonly { readonly amount: number }[]): boolean =>
  promotions.some(({ amount }) => amount === 0);
