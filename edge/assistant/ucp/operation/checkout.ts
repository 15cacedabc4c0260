// Operations of checkouts, each of which reserves its goods while it lives, and of the orders that come of them.
import { Type } from '@sinclair/typebox';
import { checkoutDocument } from '#edge/assistant/ucp/document/checkout.ts';
import { failureOf } from '#edge/assistant/ucp/document/message.ts';
import { orderDocument } from '#edge/assistant/ucp/document/order.ts';
import { bounded, Checkout, Failure, Order } from '#edge/assistant/ucp/document/schema.ts';
import { changeOf, newCheckoutOf, paymentOf } from '#edge/assistant/ucp/input/checkout.ts';
import { checkoutNaming, paymentNaming } from '#edge/assistant/ucp/input/path.ts';
import {
  namesStanding,
  unknownInChange,
  unknownInNew,
  unknownInstrument,
} from '#edge/assistant/ucp/input/reference.ts';
import { CheckoutInput, CompletionInput, NewCheckoutInput } from '#edge/assistant/ucp/input/schema.ts';
import { notFound, Refusal, renamed } from '#runtime/call/call.ts';
import { refusedForCart } from './cart.ts';
import {
  CHANGES,
  CREATES,
  ENDS,
  type Given,
  given,
  type OperationCall,
  operation,
  READS,
  refusedWith,
} from './operation.ts';
import { isProtocol, malformed, settled } from './outcome.ts';

const Id = bounded({ minLength: 1, maxLength: 300 });
const OUTPUT = [Checkout, Failure] as const;

/** The checkout as it stands, with what it was not allowed; where there is none, that alone. */
const refusedAt = async (call: OperationCall, id: string, refusal: Refusal): Promise<Given | Refusal> => {
  if (isProtocol(refusal)) return refusal;
  const stands = await call.core.checkout(id);
  if (stands instanceof Refusal) return settled(refusal);
  return refusedWith(checkoutDocument(call, stands, { refused: refusal }));
};

/** The platform hears of the checkout's order. Where that cannot be promised, a retry under the same key promises it again. */
const follow = async ({ core, agent, found, orderUrl }: OperationCall, id: string): Promise<Refusal | null> =>
  orderUrl === null
    ? null
    : core.followCheckout({
        checkout_intent_id: id,
        url: orderUrl,
        found_at: `${found}/.well-known/ucp`,
        platform: agent.name,
      });

/** The platform may read the order. Where that cannot be noted, a retry under the same key notes it again. */
const note = async ({ core, profile }: OperationCall, id: string): Promise<Refusal | null> =>
  profile === null ? null : core.notePlatform(id, profile);

const createCheckout = operation(
  {
    name: 'create_checkout',
    title: 'Begin a checkout',
    description:
      'Begins a checkout from line items or a cart. Its prices stand and its goods are reserved until expires_at. messages tell what is missing and whether the assistant or the buyer can give it.',
    trait: CREATES,
    input: Type.Object({ checkout: NewCheckoutInput }),
    output: OUTPUT,
  },
  async (call, { checkout }) => {
    const wanted = newCheckoutOf(checkout);
    if (wanted instanceof Refusal) return wanted;
    const unknown = unknownInNew(checkout);
    if (unknown) return malformed(unknown, 'checkout') ?? settled(unknown);
    const begun = await call.core.beginCheckout(call.agent, wanted, call.retry);
    if (begun instanceof Refusal) {
      const refused = await refusedForCart(call, checkout.cart_id ?? '', begun);
      const named = renamed(refused, checkoutNaming(checkout.fulfillment));
      return malformed(named, 'checkout') ?? settled(named);
    }
    const { id } = begun.value;
    return (await note(call, id)) ?? (await follow(call, id)) ?? given(checkoutDocument(call, begun.value));
  },
);

const getCheckout = operation(
  {
    name: 'get_checkout',
    title: 'Read a checkout',
    description: 'Shows a checkout as it stands, whichever protocol began it.',
    trait: READS,
    input: Type.Object({ id: Id }),
    output: OUTPUT,
  },
  async (call, { id }) => {
    const checkout = await call.core.checkout(id);
    return checkout instanceof Refusal ? settled(checkout) : given(checkoutDocument(call, checkout));
  },
);

const updateCheckout = operation(
  {
    name: 'update_checkout',
    title: 'Change a checkout',
    description:
      'Replaces all that a checkout says of its buyer, line items, fulfillment and discounts: what is left out is gone. Line items that stay keep their prices.',
    trait: CHANGES,
    input: Type.Object({ id: Id, checkout: CheckoutInput }),
    output: OUTPUT,
  },
  async (call, { id, checkout }) => {
    const stands = namesStanding(checkout) ? await call.core.checkout(id) : null;
    if (stands instanceof Refusal) return settled(stands);
    const unknown = stands ? unknownInChange(checkout, stands) : unknownInNew(checkout);
    if (unknown) return malformed(unknown, 'checkout') ?? refusedAt(call, id, unknown);
    const changed = await call.core.changeCheckout(id, changeOf(checkout), call.retry);
    if (!(changed instanceof Refusal)) return given(checkoutDocument(call, changed.value));
    const named = renamed(changed, checkoutNaming(checkout.fulfillment));
    return malformed(named, 'checkout') ?? refusedAt(call, id, named);
  },
);

const completeCheckout = operation(
  {
    name: 'complete_checkout',
    title: 'Place the order',
    description:
      'Places the order of a checkout that is ready_for_complete and pays it with the token of a payment instrument: both, or neither. Only for a buyer who has agreed to this total. Send an idempotency key, so that a retry places no second order.',
    trait: { readOnly: false, destructive: true, idempotent: true },
    input: Type.Object({ id: Id, checkout: Type.Optional(CompletionInput) }),
    output: OUTPUT,
  },
  async (call, { id, checkout = {} }) => {
    const unknown = unknownInstrument(checkout);
    if (unknown) return refusedAt(call, id, unknown);
    // What another began is heard of by the one who completes it, too: before there is an order to tell of.
    const stands = call.orderUrl === null ? null : await call.core.checkout(id);
    const unheard = stands === null || stands instanceof Refusal ? null : await follow(call, id);
    if (unheard) return unheard;
    const { token, billing } = paymentOf(checkout);
    const completion = { token, billing_address: billing };
    const done = await call.core.completeCheckout(id, call.agent, completion, call.retry);
    if (done instanceof Refusal) {
      const named = renamed(done, paymentNaming(checkout));
      // What else is missing is the checkout's own, which shows it.
      const wrong = named.extra.param?.startsWith('payment.') ? malformed(named, 'checkout') : null;
      return wrong ?? refusedAt(call, id, named);
    }
    const unnoted = await note(call, id);
    if (unnoted) return unnoted;
    return given(checkoutDocument(call, done.checkout, { orderNumber: done.order.order_number }));
  },
);

const cancelCheckout = operation(
  {
    name: 'cancel_checkout',
    title: 'Cancel a checkout',
    description: 'Ends a checkout; its goods can be bought by others again.',
    trait: ENDS,
    input: Type.Object({ id: Id }),
    output: OUTPUT,
  },
  async (call, { id }) => {
    const over = await call.core.cancelCheckout(id, call.retry);
    return over instanceof Refusal ? refusedAt(call, id, over) : given(checkoutDocument(call, over.value));
  },
);

const NO_ORDER = notFound('order', 'id');

/** An id alone does not prove that its sender may see who bought what: a secret key does, and the platform's signature. */
const readableOrder = async (call: OperationCall, id: string) => {
  const { core, profile, secret, signed } = call;
  if (!secret && !(signed && profile !== null)) return NO_ORDER;
  const order = await core.order(id);
  if (order instanceof Refusal || secret) return order;
  const own = await core.isPlatforms(order, profile!);
  if (own instanceof Refusal) return own;
  return own ? order : NO_ORDER;
};

const getOrder = operation(
  {
    name: 'get_order',
    title: 'Read an order',
    description:
      'Shows an order: its line items, shipments and refunds. It takes a secret key of the store, or the signature of the platform that placed it.',
    trait: READS,
    input: Type.Object({ id: Id }),
    output: [Order, Failure],
  },
  async (call, { id }) => {
    const order = await readableOrder(call, id);
    if (!(order instanceof Refusal)) return given(orderDocument(call, order));
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
