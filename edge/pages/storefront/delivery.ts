// What a way of delivery is called for a shopper. Pure.

/** The rate of a place is named after its zone, which says where and not how. */
const PLACE = 'place';
const UNNAMED = 'Delivery';
const PICKUP = 'pickup:';

export const deliveryName = (id: string | null, name: string): string => {
  if (id === PLACE) return 'Standard delivery';
  return id?.startsWith(PICKUP) ? `Pickup: ${name}` : name;
};

/** The zone of a place's rate; null for other ways, and where the rate has none. */
export const zoneOf = (id: string, name: string): string | null => (id === PLACE && name !== UNNAMED ? name : null);

/** A promotion that takes nothing off the goods gives free delivery. */
export const isDeliveryFree = (promotions: readonly { readonly amount: number }[]): boolean =>
  promotions.some(({ amount }) => amount === 0);
