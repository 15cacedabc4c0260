// Renames fields in the core's refusals to paths in the UCP request.
import { deliveryIn, instrumentAt } from './checkout.ts';
import type { CompletionInput, Fulfillment } from './schema.ts';

export type Naming = (param: string) => string;

type Names = readonly (readonly [RegExp, string])[];

const ADDRESS: Names = [
  [/\.line1$/, '.street_address'],
  [/\.line2$/, '.extended_address'],
  [/\.city$/, '.address_locality'],
  [/\.state$/, '.address_region'],
  [/\.country$/, '.address_country'],
  [/\.phone$/, '.phone_number'],
];

const FIELDS: Names = [
  [/^items\[(\d+)\]\.variant_id$/, 'line_items[$1].item.id'],
  [/^items\b/, 'line_items'],
  [/^email$/, 'buyer.email'],
  [/^buyer\.phone$/, 'buyer.phone_number'],
  [/^promotion_codes\b/, 'discounts.codes'],
  [/^cart_draft_id$/, 'cart_id'],
];

const renamedBy = (names: Names, param: string): string =>
  names.reduce((path, [pattern, name]) => path.replace(pattern, name), param);

const withinAddress = (param: string, name: string, path: string): string =>
  renamedBy(ADDRESS, param.replace(new RegExp(`^${name}\\b`), path));

export const checkoutNaming = (fulfillment?: Fulfillment): Naming => {
  const delivery = deliveryIn(fulfillment);
  const place = delivery?.place?.path ?? 'fulfillment.methods[0].destinations[0]';
  const option = delivery?.option?.path ?? 'fulfillment.methods[0].groups[0].selected_option_id';
  return (param) => {
    if (param.startsWith('shipping_address')) return withinAddress(param, 'shipping_address', place);
    return param === 'shipping_option_id' ? option : renamedBy(FIELDS, param);
  };
};

export const cartNaming: Naming = (param) => (param === 'cart_draft_id' ? 'id' : renamedBy(FIELDS, param));

export const paymentNaming = (sent: CompletionInput): Naming => {
  const instrument = `payment.instruments[${Math.max(0, instrumentAt(sent))}]`;
  const rest = checkoutNaming();
  return (param) => {
    if (param.startsWith('billing_address'))
      return withinAddress(param, 'billing_address', `${instrument}.billing_address`);
    return param === 'token' ? `${instrument}.credential.token` : rest(param);
  };
};

export const shippingNaming: Naming = (param) =>
  param.startsWith('address') ? withinAddress(param, 'address', 'destination') : renamedBy(FIELDS, param);

export const searchNaming: Naming = (param) =>
  renamedBy(
    [
      [/^(min|max)_price$/, 'filters.price.$1'],
      [/^categories\b/, 'filters.categories'],
      [/^(cursor|limit)$/, 'pagination.$1'],
      [/^/, 'catalog.'],
    ],
    param,
  );
