// Checkout operations, which hold stock until the checkout expires, and reads of the orders that result.
import { Type } from '@sinclair/typebox';
import { checkoutDocument } from '#edge/assistant/ucp/document/checkout.ts';
import type { Setting } from '#edge/assistant/ucp/document/envelope.ts';
import { failureOf } from '#edge/assistant/ucp/document/message.ts';
import { bounded, Checkout, Failure, Order } from '#edge/assistant/ucp/document/schema.ts';
import { changeOf, newCheckoutOf, paymentOf } from '#edge/assistant/ucp/input/checkout.ts';
import { checkoutNaming, paymentNaming } from '#edge/assistant/ucp/input/path.ts';
import {
  namesExisting,
  unknownInChange,
  unknownInNew,
  unknownInstrument,
} from '#edge/assistant/ucp/input/reference.ts';
import { CheckoutInput, CompletionInput, NewCheckoutInput } from '#edge/assistant/ucp/input/schema.ts';
import type { StoreOrder } from '#proto/gen/order.ts';
import { notFound, Refusal, renamed } from '#runtime/call/call.ts';
import { ucpOrder } from '#services/commerce/ucp_order.ts';
import { refusedForCart } from './cart.ts';
import {
  CHANGES,
  CREATES,
  ENDS,
  type OperationCall,
  type OperationResult,
  operation,
  READS,
  refusedWith,
  succeededWith,
} from './operation.ts';
import { isProtocol, malformed, outcomeOf } from './outcome.ts';

export const orderDocument = ({ base }: Pick<Setting, 'base'>, order: StoreOrder): Order => ucpOrder(order, base);

const Id = bounded({ minLength: 1, maxLength: 300 });
const OUTPUT = [Checkout, Failure] as const;

/**
 * Returns the current checkout with the refusal as a message; returns only the refusal if there is no such checkout.
 */
const refusedAt = async (call: OperationCall, id: string, refusal: Refusal): Promise<OperationResult | Refusal> => {
  if (isProtocol(refusal)) return refusal;
  const existing = await call.core.checkout(id);
  if (existing instanceof Refusal) return outcomeOf(refusal);
  return refusedWith(checkoutDocument(call, existing, { refused: refusal }));
};

/** Subscribes the platform to the order of the checkout. If this fails, a retry under the same key tries it again. */
const follow = async ({ core, agent, found, orderUrl }: OperationCall, id: string): Promise<Refusal | null> =>
  orderUrl === null
    ? null
    : core.followCheckout({
        checkout_intent_id: id,
        url: orderUrl,
        found_at: `${found}/.well-known/ucp`,
        platform: agent.name,
      });

const note = async ({ core, profile }: OperationCall, id: string): Promise<Refusal | null> =>
  profile === null ? null : core.notePlatform(id, profile);

type NewCheckout = Exclude<ReturnType<typeof newCheckoutOf>, Refusal>;

/** Begins a checkout in the preferred currency; in the store's own if the store does not sell in that now. */
const beginIn = async (
  { core, agent, retry, shop }: OperationCall,
  checkout: NewCheckout,
  preferred: string | undefined,
): ReturnType<OperationCall['core']['beginCheckout']> => {
  const currency = preferred?.toUpperCase();
  if (currency === undefined || !shop.currencies.includes(currency)) return core.beginCheckout(agent, checkout, retry);
  const created = await core.beginCheckout(agent, { ...checkout, currency }, retry);
  return created instanceof Refusal && created.code === 'currency_not_available'
    ? core.beginCheckout(agent, checkout, retry)
    : created;
};

const createCheckout = operation(
  {
    name: 'create_checkout',
    title: 'Create a checkout',
    description:
      'Creates a checkout from line items or a cart, with prices fixed and stock reserved until expires_at. The field messages lists missing data and whether the assistant or the buyer has to provide them. At most 500 line items.',
    trait: CREATES,
    input: Type.Object({ checkout: NewCheckoutInput }),
    output: OUTPUT,
  },
  async (call, { checkout }) => {
    const newCheckout = newCheckoutOf(checkout);
    if (newCheckout instanceof Refusal) return newCheckout;
    const unknown = unknownInNew(checkout);
    if (unknown) return malformed(unknown, 'checkout') ?? outcomeOf(unknown);
    const created = await beginIn(call, newCheckout, checkout.context?.currency);
    if (created instanceof Refusal) {
      const refused = await refusedForCart(call, checkout.cart_id ?? '', created);
      const named = renamed(refused, checkoutNaming(checkout.fulfillment));
      return malformed(named, 'checkout') ?? outcomeOf(named);
    }
    const { id } = created.value;
    return (await note(call, id)) ?? (await follow(call, id)) ?? succeededWith(checkoutDocument(call, created.value));
  },
);

const getCheckout = operation(
  {
    name: 'get_checkout',
    title: 'Read a checkout',
    description: 'Returns a checkout with its current status. Checkouts of all protocols can be read.',
    trait: READS,
    input: Type.Object({ id: Id }),
    output: OUTPUT,
  },
  async (call, { id }) => {
    const checkout = await call.core.checkout(id);
    return checkout instanceof Refusal ? outcomeOf(checkout) : succeededWith(checkoutDocument(call, checkout));
  },
);

const updateCheckout = operation(
  {
    name: 'update_checkout',
    title: 'Change a checkout',
    description:
      'Replaces buyer, line items, fulfillment and discounts of a checkout. Missing fields are cleared. Line items that remain keep their prices. Completed, cancelled and expired checkouts cannot change.',
    trait: CHANGES,
    input: Type.Object({ id: Id, checkout: CheckoutInput }),
    output: OUTPUT,
  },
  async (call, { id, checkout }) => {
    const existing = namesExisting(checkout) ? await call.core.checkout(id) : null;
    if (existing instanceof Refusal) return outcomeOf(existing);
    const unknown = existing ? unknownInChange(checkout, existing) : unknownInNew(checkout);
    const changed = await call.core.changeCheckout(id, changeOf(checkout), call.retry, unknown);
    if (!(changed instanceof Refusal)) return succeededWith(checkoutDocument(call, changed.value));
    const named = changed === unknown ? changed : renamed(changed, checkoutNaming(checkout.fulfillment));
    return malformed(named, 'checkout') ?? refusedAt(call, id, named);
  },
);

const completeCheckout = operation(
  {
    name: 'complete_checkout',
    title: 'Place the order',
    description:
      'Places the order of a checkout and pays it with the token of a payment instrument, both or neither. The status must be ready_for_complete, and the buyer must have agreed to the total. Send an idempotency key, so that a retry places no second order.',
    trait: { readOnly: false, destructive: true, idempotent: true },
    input: Type.Object({ id: Id, checkout: Type.Optional(CompletionInput) }),
    output: OUTPUT,
  },
  async (call, { id, checkout = {} }) => {
    const unknown = unknownInstrument(checkout);
    if (unknown) return refusedAt(call, id, unknown);
    // Subscribes before the order is placed. A platform that completes a checkout of another platform then misses no
    // event.
    const existing = call.orderUrl === null ? null : await call.core.checkout(id);
    const followRefusal = existing === null || existing instanceof Refusal ? null : await follow(call, id);
    if (followRefusal) return followRefusal;
    const { token, billing } = paymentOf(checkout);
    const completion = { token, billing_address: billing };
    const completed = await call.core.completeCheckout(id, call.agent, completion, call.retry);
    if (completed instanceof Refusal) {
      const named = renamed(completed, paymentNaming(checkout));
      // A wrong payment field is an error of the request; all other obstacles are shown in the checkout.
      const wrong = named.extra.param?.startsWith('payment.') ? malformed(named, 'checkout') : null;
      return wrong ?? refusedAt(call, id, named);
    }
    const noteRefusal = await note(call, id);
    if (noteRefusal) return noteRefusal;
    return succeededWith(checkoutDocument(call, completed.checkout, { orderNumber: completed.order.order_number }));
  },
);

const cancelCheckout = operation(
  {
    name: 'cancel_checkout',
    title: 'Cancel a checkout',
    description: 'Cancels a checkout and releases its stock. A completed checkout cannot be cancelled.',
    trait: ENDS,
    input: Type.Object({ id: Id }),
    output: OUTPUT,
  },
  async (call, { id }) => {
    const cancelled = await call.core.cancelCheckout(id, call.retry);
    return cancelled instanceof Refusal
      ? refusedAt(call, id, cancelled)
      : succeededWith(checkoutDocument(call, cancelled.value));
  },
);

const NO_ORDER = notFound('order', 'id');

const readableOrder = async (call: OperationCall, id: string) => {
  const { core, profile, secret, signed } = call;
  if (!secret && !(signed && profile !== null)) return NO_ORDER;
  const order = await core.order(id);
  if (order instanceof Refusal || secret) return order;
  const own = await core.isOrderOfPlatform(order, profile!);
  if (own instanceof Refusal) return own;
  return own ? order : NO_ORDER;
};

const getOrder = operation(
  {
    name: 'get_order',
    title: 'Read an order',
    description:
      'Returns an order with its line items, shipments and refunds. Requires a secret key of the store, or the signature of the platform that placed the order.',
    trait: READS,
    input: Type.Object({ id: Id }),
    output: [Order, Failure],
  },
  async (call, { id }) => {
    const order = await readableOrder(call, id);
    if (!(order instanceof Refusal)) return succeededWith(orderDocument(call, order));
    return isProtocol(order) ? order : refusedWith(failureOf(order));
  },
);

export const CHECKOUT_OPERATIONS = [
  createCheckout,
  getCheckout,
  updateCheckout,
  completeCheckout,
  cancelCheckout,
  getOrder,
];
