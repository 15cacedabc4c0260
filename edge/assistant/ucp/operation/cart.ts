// Cart operations. Carts are priced at each read and reserve no stock.
import { Type } from '@sinclair/typebox';
import { cartDocument } from '#edge/assistant/ucp/document/cart.ts';
import { bounded, Cart, Failure } from '#edge/assistant/ucp/document/schema.ts';
import { cartOf } from '#edge/assistant/ucp/input/checkout.ts';
import { cartNaming } from '#edge/assistant/ucp/input/path.ts';
import { unknownLine } from '#edge/assistant/ucp/input/reference.ts';
import { CartInput } from '#edge/assistant/ucp/input/schema.ts';
import type { CartDraft } from '#proto/gen/agent.ts';
import { notFound, Refusal, renamed } from '#runtime/call/call.ts';
import {
  CHANGES,
  CREATES,
  ENDS,
  type OperationCall,
  type OperationResult,
  operation,
  READS,
  succeededWith,
} from './operation.ts';
import { isProtocol, malformed, outcomeOf } from './outcome.ts';

const Id = bounded({ minLength: 1, maxLength: 300 });
const OUTPUT = [Cart, Failure] as const;

const isGone = ({ status }: CartDraft): boolean => status !== 'open' && status !== 'converted';

export const findCart = async ({ core }: Pick<OperationCall, 'core'>, id: string): Promise<CartDraft | Refusal> => {
  const cart = await core.cart(id);
  const gone = cart instanceof Refusal ? cart.code === 'not_found' : isGone(cart);
  return gone ? notFound('cart', 'cart_draft_id') : cart;
};

export const refusedForCart = async (
  call: Pick<OperationCall, 'core'>,
  id: string,
  refusal: Refusal,
): Promise<Refusal> => {
  if (refusal.extra.param !== 'cart_draft_id' || isProtocol(refusal)) return refusal;
  const cart = await findCart(call, id);
  return cart instanceof Refusal && cart.code === 'not_found' ? cart : refusal;
};

const refusedFor = (refusal: Refusal): OperationResult | Refusal => {
  const named = renamed(refusal, cartNaming);
  return malformed(named, 'cart') ?? outcomeOf(named);
};

const createCart = operation(
  {
    name: 'create_cart',
    title: 'Create a cart',
    description:
      'Creates a cart from line items. It expires after 24 hours and reserves no stock. At most 500 line items.',
    trait: CREATES,
    input: Type.Object({ cart: CartInput }),
    output: OUTPUT,
  },
  async ({ core, agent, retry, ...setting }, { cart }) => {
    const created = await core.beginCart(agent, cartOf(cart), retry);
    return created instanceof Refusal ? refusedFor(created) : succeededWith(cartDocument(setting, created.value));
  },
);

const getCart = operation(
  {
    name: 'get_cart',
    title: 'Read a cart',
    description: 'Returns a cart at current prices. Cancelled and expired carts are not found.',
    trait: READS,
    input: Type.Object({ id: Id }),
    output: OUTPUT,
  },
  async ({ core, ...setting }, { id }) => {
    const cart = await findCart({ core }, id);
    return cart instanceof Refusal ? outcomeOf(renamed(cart, cartNaming)) : succeededWith(cartDocument(setting, cart));
  },
);

const unknownLineOf = async (
  call: Pick<OperationCall, 'core'>,
  id: string,
  sent: CartInput,
): Promise<Refusal | null> => {
  if (sent.line_items.every((line) => line.id === undefined)) return null;
  const cart = await findCart(call, id);
  if (cart instanceof Refusal) return cart;
  return unknownLine(
    sent.line_items,
    undefined,
    cart.items.map(({ variant_id }) => ({ id: variant_id })),
  );
};

const updateCart = operation(
  {
    name: 'update_cart',
    title: 'Change a cart',
    description: 'Replaces the contents of a cart. Missing fields are cleared. At most 500 line items.',
    trait: CHANGES,
    input: Type.Object({ id: Id, cart: CartInput }),
    output: OUTPUT,
  },
  async ({ core, retry, ...setting }, { id, cart }) => {
    const unknown = await unknownLineOf({ core }, id, cart);
    const changed = await core.changeCart(id, cartOf(cart), retry, unknown);
    if (unknown && changed === unknown) return outcomeOf(renamed(unknown, cartNaming));
    return changed instanceof Refusal
      ? outcomeOf(renamed(await refusedForCart({ core }, id, changed), cartNaming))
      : succeededWith(cartDocument(setting, changed.value));
  },
);

const cancelCart = operation(
  {
    name: 'cancel_cart',
    title: 'Cancel a cart',
    description: 'Cancels a cart and returns its last contents. A cancelled cart cannot be used again.',
    trait: ENDS,
    input: Type.Object({ id: Id }),
    output: OUTPUT,
  },
  async ({ core, retry, ...setting }, { id }) => {
    const cancelled = await core.cancelCart(id, retry);
    return cancelled instanceof Refusal
      ? outcomeOf(renamed(await refusedForCart({ core }, id, cancelled), cartNaming))
      : succeededWith(cartDocument(setting, cancelled.value));
  },
);

export const CART_OPERATIONS = [createCart, getCart, updateCart, cancelCart];
