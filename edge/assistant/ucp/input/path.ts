// Where a request says what the core refuses: the core's field by the path that UCP's request has it at.
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

/** Of carts and checkouts; the rest is named as the core names it. */
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

/** An address of the core's that stands at this path. */
const withinAddress = (param: string, name: string, path: string): string =>
  renamedBy(ADDRESS, param.replace(new RegExp(`^${name}\\b`), path));

/** Of a request about a cart or a checkout. */
export const checkoutNaming = (fulfillment?: Fulfillment): Naming => {
  const delivery = deliveryIn(fulfillment);
  const place = delivery?.place?.path ?? 'fulfillment.methods[0].destinations[0]';
  const option = delivery?.option?.path ?? 'fulfillment.methods[0].groups[0].selected_option_id';
  return (param) => {
    if (param.startsWith('shipping_address')) return withinAddress(param, 'shipping_address', place);
    return param === 'shipping_option_id' ? option : renamedBy(FIELDS, param);
  };
};

/** Of a request about a cart that is there: its address names the cart. */
export const cartNaming: Naming = (param) => (param === 'cart_draft_id' ? 'id' : renamedBy(FIELDS, param));

/** Of a request that pays. */
export const paymentNaming = (sent: CompletionInput): Naming => {
  const instrument = `payment.instruments[${Math.max(0, instrumentAt(sent))}]`;
  const rest = checkoutNaming();
  return (param) => {
    if (param.startsWith('billing_address'))
      return withinAddress(param, 'billing_address', `${instrument}.billing_address`);
    return param === 'token' ? `${instrument}.credential.token` : rest(param);
  };
};

/** Of a question for ways of delivery. */
export const waysNaming: Naming = (param) =>
  param.startsWith('address') ? withinAddress(param, 'address', 'destination') : renamedBy(FIELDS, param);

/** Of a search, as the operation's own schema names its fields. */
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
