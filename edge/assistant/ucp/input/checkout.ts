// What UCP's clients send of carts and checkouts, as the core reads it. An update replaces the whole resource: what it
// leaves out is cleared.
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
type Begun = RpcRequest<'AgentSession/BeginCheckout'>['checkout'];
type BegunCart = RpcRequest<'AgentSession/BeginCart'>['cart'];

const itemsOf = (lines: LineItems) => lines.map(({ item, quantity }) => ({ variant_id: item.id, quantity }));

const buyerOf = (buyer: Buyer | undefined): NonNullable<Change['buyer']> | null =>
  buyer?.first_name || buyer?.last_name || buyer?.phone_number
    ? {
        first_name: buyer.first_name ?? null,
        last_name: buyer.last_name ?? null,
        phone: buyer.phone_number ?? null,
      }
    : null;

export const addressOf = (given: PostalAddress): AddressInput => ({
  line1: given.street_address ?? '',
  line2: given.extended_address ?? null,
  city: given.address_locality ?? '',
  state: given.address_region ?? null,
  country: given.address_country ?? '',
  postal_code: given.postal_code ?? null,
  first_name: given.first_name ?? null,
  last_name: given.last_name ?? null,
  phone: given.phone_number ?? null,
});

const chosenOf = (method: Method): string | null =>
  method.groups?.map(({ selected_option_id }) => selected_option_id).find(Boolean) ?? null;

/** Whether an id is of an option of ours that is picked up. */
const isPickup = (id: string | null | undefined): boolean => id?.startsWith('pickup:') === true;

/** The method that the buyer chose: one with a choice made, else one with a place, else the first. */
const methodOf = (methods: readonly Method[]): Method | undefined =>
  methods.find((method) => chosenOf(method) ?? isPickup(method.selected_destination_id)) ??
  methods.find(({ destinations }) => destinations?.length) ??
  methods[0];

/** Where to and how; an address that is not named again stays as it was. */
const wayOf = (fulfillment: Fulfillment | undefined): Pick<Change, 'shipping_address' | 'shipping_option_id'> => {
  const method = methodOf(fulfillment?.methods ?? []);
  if (!method) return { shipping_address: null, shipping_option_id: null };
  const { selected_destination_id: selected } = method;
  const option = chosenOf(method) ?? (isPickup(selected) ? selected : null);
  const places = (fulfillment?.methods ?? []).flatMap(({ type, destinations = [] }) =>
    type === 'pickup' ? [] : destinations,
  );
  const place =
    places.find(({ id }) => id !== undefined && id === selected) ??
    places.find(({ address_country }) => address_country);
  // Our own name for the one that stands.
  if (!place?.address_country && (place === undefined || place.id === DESTINATION))
    return { shipping_option_id: option ?? null };
  return { shipping_address: addressOf(place!), shipping_option_id: option ?? null };
};

export const cartOf = ({ line_items, buyer, discounts }: CartInput): BegunCart => ({
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
  ...wayOf(fulfillment),
});

const NOTHING = refuse('invalid_request', '`line_items` or `cart_id` is needed.', { param: 'checkout.line_items' });

export const newCheckoutOf = ({
  cart_id,
  line_items = [],
  buyer,
  fulfillment,
  discounts,
}: NewCheckoutInput): Begun | Refusal => {
  if (!cart_id && line_items.length === 0) return NOTHING;
  return {
    ...(cart_id ? { cart_draft_id: cart_id } : { items: itemsOf(line_items) }),
    ...(buyer?.email && { email: buyer.email }),
    buyer: buyerOf(buyer),
    ...(discounts?.codes && { promotion_codes: discounts.codes }),
    ...wayOf(fulfillment),
  };
};

/** What pays: the instrument that the buyer selected, else the first with a credential. */
export const paymentOf = ({ payment }: CompletionInput): { token: string | null; billing: AddressInput | null } => {
  const instruments = payment?.instruments ?? [];
  const chosen =
    instruments.find(({ selected }) => selected) ?? instruments.find(({ credential }) => credential?.token);
  const billing = chosen?.billing_address;
  return {
    token: chosen?.credential?.token ?? null,
    billing: billing?.address_country ? addressOf(billing) : null,
  };
};
