// Converts UCP carts and checkouts to inputs of the core. An update replaces the resource, so absent fields are
// cleared.
import { DESTINATION } from '#edge/assistant/ucp/document/fulfillment.ts';
import type { Buyer, PostalAddress } from '#edge/assistant/ucp/document/schema.ts';
import type { RpcRequest } from '#proto/gen/rpcs.ts';
import type { AddressInput } from '#proto/gen/shared.ts';
import { type Refusal, refuse } from '#runtime/call/call.ts';
import type {
  CartInput,
  CheckoutInput,
  CompletionInput,
  Fulfillment,
  LineItems,
  Method,
  NewCheckoutInput,
} from './schema.ts';

type Change = Omit<RpcRequest<'AgentSession/ChangeCheckout'>, 'id'>;
type NewCheckout = RpcRequest<'AgentSession/BeginCheckout'>['checkout'];
type NewCart = RpcRequest<'AgentSession/BeginCart'>['cart'];

const itemsOf = (lines: LineItems) => lines.map(({ item, quantity }) => ({ variant_id: item.id, quantity }));

const buyerOf = (buyer: Buyer | undefined): NonNullable<Change['buyer']> | null =>
  buyer?.first_name || buyer?.last_name || buyer?.phone_number
    ? {
        first_name: buyer.first_name ?? null,
        last_name: buyer.last_name ?? null,
        phone: buyer.phone_number ?? null,
      }
    : null;

export const addressOf = (address: PostalAddress): AddressInput => ({
  line1: address.street_address ?? '',
  line2: address.extended_address ?? null,
  city: address.address_locality ?? '',
  state: address.address_region ?? null,
  country: address.address_country ?? '',
  postal_code: address.postal_code ?? null,
  first_name: address.first_name ?? null,
  last_name: address.last_name ?? null,
  phone: address.phone_number ?? null,
});

export const isPickup = (id: string | null | undefined): boolean => id?.startsWith('pickup:') === true;

interface Located<T> {
  readonly value: T;
  readonly path: string;
}

type SentAddress = NonNullable<Method['destinations']>[number];

const optionIn = ({ groups = [], selected_destination_id: selected }: Method, path: string): Located<string> | null => {
  const at = groups.findIndex(({ selected_option_id }) => selected_option_id);
  if (at >= 0) return { value: groups[at]!.selected_option_id!, path: `${path}.groups[${at}].selected_option_id` };
  return selected && isPickup(selected) ? { value: selected, path: `${path}.selected_destination_id` } : null;
};

const chosenAt = (methods: readonly Method[]): number => {
  const decided = methods.findIndex((method) => optionIn(method, '') !== null);
  if (decided >= 0) return decided;
  const placed = methods.findIndex(({ destinations }) => destinations?.length);
  return placed >= 0 ? placed : Math.min(0, methods.length - 1);
};

const placeIn = ({ destinations = [], selected_destination_id: selected }: Method, path: string) => {
  const at = destinations.findIndex(({ id, address_country }) =>
    selected ? id === selected : address_country !== undefined && address_country !== '',
  );
  return at < 0 ? null : { value: destinations[at]!, path: `${path}.destinations[${at}]` };
};

const pathOf = (at: number): string => `fulfillment.methods[${at}]`;

export const deliveryIn = (fulfillment: Fulfillment | undefined) => {
  const methods = fulfillment?.methods ?? [];
  const at = chosenAt(methods);
  const method = methods[at];
  if (!method) return null;
  // A pickup order may also have a shipping address.
  const placed = method.type === 'pickup' ? methods.findIndex(({ type }) => type !== 'pickup') : at;
  const place: Located<SentAddress> | null = methods[placed] ? placeIn(methods[placed], pathOf(placed)) : null;
  return { option: optionIn(method, pathOf(at)), place };
};

/** Keeps the stored address if the request has none. */
const deliveryOf = (fulfillment: Fulfillment | undefined): Pick<Change, 'shipping_address' | 'shipping_option_id'> => {
  const delivery = deliveryIn(fulfillment);
  if (delivery === null) return { shipping_address: null, shipping_option_id: null };
  const shipping_option_id = delivery.option?.value ?? null;
  const place = delivery.place?.value;
  if (!place?.address_country && (place === undefined || place.id === DESTINATION)) return { shipping_option_id };
  return { shipping_address: addressOf(place), shipping_option_id };
};

export const cartOf = ({ line_items, buyer, discounts }: CartInput): NewCart => ({
  items: itemsOf(line_items),
  email: buyer?.email ?? null,
  buyer: buyerOf(buyer),
  promotion_codes: discounts?.codes ?? [],
});

export const changeOf = ({ line_items, buyer, fulfillment, discounts }: CheckoutInput): Change => ({
  items: itemsOf(line_items),
  email: buyer?.email ?? null,
  buyer: buyerOf(buyer),
  promotion_codes: discounts?.codes ?? [],
  ...deliveryOf(fulfillment),
});

const NO_ITEMS = refuse('invalid_request', '`line_items` or `cart_id` is needed.', { param: 'checkout.line_items' });

export const newCheckoutOf = ({
  cart_id,
  line_items = [],
  buyer,
  fulfillment,
  discounts,
}: NewCheckoutInput): NewCheckout | Refusal => {
  if (!cart_id && line_items.length === 0) return NO_ITEMS;
  return {
    ...(cart_id ? { cart_draft_id: cart_id } : { items: itemsOf(line_items) }),
    ...(buyer?.email && { email: buyer.email }),
    buyer: buyerOf(buyer),
    ...(discounts?.codes && { promotion_codes: discounts.codes }),
    ...deliveryOf(fulfillment),
  };
};

export const instrumentAt = ({ payment }: CompletionInput): number => {
  const instruments = payment?.instruments ?? [];
  const selected = instruments.findIndex((each) => each.selected);
  return selected >= 0 ? selected : instruments.findIndex(({ credential }) => credential?.token);
};

export const paymentOf = (sent: CompletionInput): { token: string | null; billing: AddressInput | null } => {
  const chosen = sent.payment?.instruments?.[instrumentAt(sent)];
  const billing = chosen?.billing_address;
  return {
    token: chosen?.credential?.token ?? null,
    billing: billing?.address_country ? addressOf(billing) : null,
  };
};
