// Names delivery options for a shopper. Pure.
import type { CheckoutIntent, ShippingChoice } from '#proto/gen/client/message.ts';
import { ENGLISH, type Text, type Words } from './wording.ts';

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

/** When a delivery arrives, in the store's own words and as the days that it promises. */
export const arrivalOf = (
  { estimate, delivery_from: from, delivery_to: to }: ShippingChoice,
  { days }: Pick<Words, 'days'> = ENGLISH,
): string => [estimate, from && to && days(from, to)].filter(Boolean).join(', ');

/**
 * Returns whether a promotion pays for the delivery: the chosen option has a fee, and the total of delivery is 0. Until an
 * option is chosen, such a promotion has the amount 0.
 */
export const isDeliveryFree = (
  intent: Pick<CheckoutIntent, 'applied_promotions' | 'shipping_option_id' | 'shipping_options' | 'shipping_total'>,
): boolean => {
  const chosen = intent.shipping_options.find(({ id }) => id === intent.shipping_option_id);
  if (chosen && chosen.fee > 0) return intent.shipping_total === 0;
  return intent.applied_promotions.some(({ amount }) => amount === 0);
};
