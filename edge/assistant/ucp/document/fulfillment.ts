// Formats fulfillment: one method for shipping and one for pickup, each with one group of options.
import type { CheckoutIntent } from '#proto/gen/agent.ts';
import type { ShippingChoice } from '#proto/gen/shipping.ts';
import { postalAddressOf, present } from '#services/commerce/ucp_basket.ts';
import type { FulfillmentMethod, FulfillmentOption, PostalAddress } from './schema.ts';

export const SHIPPING = 'shipping';
export const PICKUP = 'pickup';
export const DESTINATION = 'destination';

export const optionOf = (choice: ShippingChoice, minor: (major: number) => number): FulfillmentOption => ({
  id: choice.id,
  title: choice.name,
  ...(choice.estimate && { description: choice.estimate }),
  totals: [{ type: 'total', amount: minor(choice.fee) }],
});

const isPickup = ({ method }: Pick<ShippingChoice, 'method'>): boolean => method === 'pickup';

const locationAddress = ({ location }: ShippingChoice): PostalAddress =>
  location
    ? present<PostalAddress>({
        street_address: location.address.line1,
        address_locality: location.address.city,
        address_region: location.address.state,
        postal_code: location.address.postal_code,
        address_country: location.address.country,
      })
    : {};

type IntentDelivery = Pick<
  CheckoutIntent,
  'lines' | 'shipping_options' | 'shipping_option_id' | 'shipping_address' | 'requires_shipping'
>;

const shippingMethod = (intent: IntentDelivery, minor: (major: number) => number, ids: string[]): FulfillmentMethod => {
  const { shipping_address: address, shipping_option_id: chosen } = intent;
  const options = intent.shipping_options.filter((option) => !isPickup(option) && option.available);
  const isChosen = chosen !== null && !chosen.startsWith('pickup:');
  return {
    id: SHIPPING,
    type: 'shipping',
    line_item_ids: ids,
    ...(address && {
      destinations: [{ ...postalAddressOf(address), id: DESTINATION }],
      selected_destination_id: DESTINATION,
    }),
    groups: [
      {
        id: SHIPPING,
        line_item_ids: ids,
        options: options.map((option) => optionOf(option, minor)),
        selected_option_id: isChosen ? chosen : null,
      },
    ],
  };
};

const pickupMethod = (intent: IntentDelivery, minor: (major: number) => number, ids: string[]): FulfillmentMethod => {
  const { shipping_option_id: chosen } = intent;
  const options = intent.shipping_options.filter((option) => isPickup(option) && option.available);
  const selected = chosen?.startsWith('pickup:') ? chosen : null;
  return {
    id: PICKUP,
    type: 'pickup',
    line_item_ids: ids,
    destinations: options.map((option) => ({
      id: option.id,
      name: option.location?.name ?? option.name,
      address: locationAddress(option),
    })),
    selected_destination_id: selected,
    groups: [
      {
        id: PICKUP,
        line_item_ids: ids,
        options: options.map((option) => optionOf(option, minor)),
        selected_option_id: selected,
      },
    ],
  };
};

export const fulfillmentOf = (
  intent: IntentDelivery,
  minor: (major: number) => number,
): { readonly methods: FulfillmentMethod[] } | undefined => {
  if (!intent.requires_shipping) return undefined;
  const all = intent.lines.map(({ id }) => id);
  const pickedUp = intent.shipping_option_id?.startsWith('pickup:') === true;
  const methods = [shippingMethod(intent, minor, pickedUp ? [] : all)];
  if (pickedUp || intent.shipping_options.some(isPickup))
    methods.push(pickupMethod(intent, minor, pickedUp ? all : []));
  // The chosen method must come first, because messages refer to the first one.
  return { methods: pickedUp ? methods.reverse() : methods };
};
