// The rpc handlers of carts.

import type { CartResponse, CartRpcs, GetCartRequest } from '#proto/gen/cart.ts';
import type { Actors } from '#runtime/actor/host.ts';
import { type Call, Refusal, refuse } from '#runtime/call/call.ts';
import { rethrowRetryable } from '#runtime/call/fault.ts';
import { command, type Handlers, read } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { normalCode } from '#values/text.ts';
import { CART } from './actor.ts';
import { afterEffect, effect, readCall } from './actor_call.ts';
import type { Appraiser } from './appraisal.ts';
import { type CartAnswer, type CartCommand, type CartSettings, cartKey, ownerOf } from './cart.ts';
import { cartDocument } from './cart_document.ts';
import type { CartCatalogue } from './catalogue.ts';
import { giftCardId } from './gift_card.ts';
import type { LineOffer } from './line.ts';
import { mergeCart } from './merge.ts';
import { findOffer } from './named_offer.ts';

type Named = { readonly customer_id?: string | null };

const keyOf = ({ session }: Call, { customer_id }: Named): string | Refusal => {
  if (customer_id) return cartKey({ customer: customer_id.toLowerCase() });
  if (session) return cartKey({ session });
  return refuse('invalid_request', 'The cart is not named. Send the header X-Session-Id or `customer_id`.', {
    param: 'X-Session-Id',
  });
};

const NO_SESSION = refuse(
  'invalid_request',
  'The anonymous cart is not named. Send `session_id` or the header X-Session-Id.',
  { param: 'session_id' },
);

const readCode = (text: string): string | Refusal =>
  normalCode(text) || refuse('invalid_request', '`code` must not be blank.', { param: 'code' });

export const cartHandlers = (
  { actors }: Pick<Runtime, 'actors'>,
  catalogue: CartCatalogue,
  appraiser: Appraiser,
): Handlers<CartRpcs> => {
  const shown = async (
    call: Call,
    key: string,
    settings: CartSettings,
    answer: CartAnswer | Refusal,
    known: readonly (LineOffer | null)[] = [],
  ): Promise<CartResponse | Refusal> => {
    if (answer instanceof Refusal) return answer;
    const { cart, reductions } = answer;
    const offers = known.filter((offer) => offer !== null);
    const appraisal = await appraiser.appraise(call, cart, settings.currency, offers);
    return { cart: cartDocument(cart, { tenant: call.tenant, id: key }, settings.currency, appraisal, reductions) };
  };

  const tell = async (
    actors: Actors,
    call: Call,
    named: Named,
    make: (settings: CartSettings) => CartCommand | Promise<CartCommand>,
  ): Promise<CartResponse | Refusal> => {
    const key = keyOf(call, named);
    if (key instanceof Refusal) return key;
    const settings = await catalogue.settings(call);
    const answer = await actors.tell(CART, call.tenant, key, await make(settings), effect(call));
    return shown(call, key, settings, answer).catch(afterEffect);
  };

  return {
    GetCart: read(async (call, input: GetCartRequest) => {
      const key = keyOf(call, input);
      if (key instanceof Refusal) return key;
      const [settings, answer] = await Promise.all([
        catalogue.settings(call),
        actors.tell(CART, call.tenant, key, { type: 'Read' }, readCall(call)).catch(rethrowRetryable),
      ]);
      return shown(call, key, settings, answer);
    }),

    EmptyCart: command((actors, call, input) => tell(actors, call, input, (settings) => ({ type: 'Empty', settings }))),

    AddItem: command(async (actors, call, input) => {
      const { quantity = 1 } = input;
      const key = keyOf(call, input);
      if (key instanceof Refusal) return key;
      const [settings, found] = await Promise.all([
        catalogue.settings(call),
        findOffer(catalogue, call, input, ownerOf(key).customer_id),
      ]);
      if (found instanceof Refusal) return found;
      const addItem: CartCommand = { type: 'AddItem', settings, ...found, quantity };
      const answer = await actors.tell(CART, call.tenant, key, addItem, effect(call));
      return shown(call, key, settings, answer, [found.offer]).catch(afterEffect);
    }),

    UpdateItem: command(async (actors, call, input) => {
      const { quantity } = input;
      const item_id = input.item_id.toLowerCase();
      const key = keyOf(call, input);
      if (key instanceof Refusal) return key;
      const [settings, before] = await Promise.all([
        catalogue.settings(call),
        actors.tell(CART, call.tenant, key, { type: 'Read' }, readCall(call)).catch(rethrowRetryable),
      ]);
      if (before instanceof Refusal) return before;
      const line = before.cart.lines.find(({ id }) => id === item_id);
      const offer = line ? await catalogue.offer(call, line.variant_id, ownerOf(key).customer_id) : null;
      const setQuantity: CartCommand = { type: 'SetQuantity', settings, item_id, offer, quantity };
      const answer = await actors.tell(CART, call.tenant, key, setQuantity, effect(call));
      return shown(call, key, settings, answer, [offer]).catch(afterEffect);
    }),

    RemoveItem: command((actors, call, input) =>
      tell(actors, call, input, (settings) => ({ type: 'RemoveItem', settings, item_id: input.item_id.toLowerCase() })),
    ),

    AddPromotion: command((actors, call, input) => {
      const code = readCode(input.code);
      if (code instanceof Refusal) return code;
      return tell(actors, call, input, (settings) => ({ type: 'AddCode', settings, code }));
    }),

    RemovePromotion: command((actors, call, input) =>
      tell(actors, call, input, (settings) => ({ type: 'RemoveCode', settings, code: normalCode(input.code) })),
    ),

    AddGiftCard: command((actors, call, input) =>
      tell(actors, call, input, async (settings) => {
        const card = await appraiser.giftCard(call, input.code, settings.currency);
        return { type: 'AddGiftCard', settings, card };
      }),
    ),

    RemoveGiftCard: command((actors, call, input) =>
      tell(actors, call, input, (settings) => {
        const last4 = input.code.trim().toUpperCase();
        return { type: 'RemoveGiftCard', settings, id: giftCardId(call.tenant, input.code), last4 };
      }),
    ),

    MergeCart: command(async (actors, call, input) => {
      const customer = input.customer_id.toLowerCase();
      const target = cartKey({ customer });
      const session = input.session_id ?? call.session;
      if (!session) return NO_SESSION;
      const settings = await catalogue.settings(call);
      const merged = await mergeCart(actors, catalogue, call, settings, {
        source: cartKey({ session }),
        target,
        customer,
      });
      if (merged instanceof Refusal) return merged;
      return shown(call, target, settings, merged.answer, merged.offers).catch(afterEffect);
    }),
  };
};
