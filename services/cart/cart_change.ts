// Changes of a named cart, answered with the cart at its current prices.
import type { CartResponse } from '#proto/gen/cart.ts';
import type { Actors } from '#runtime/actor/host.ts';
import { type Call, Refusal, refuse } from '#runtime/call/call.ts';
import { CART } from './actor.ts';
import { afterEffect, effect } from './actor_call.ts';
import type { Appraiser, CartPricing } from './appraisal.ts';
import { type CartAnswer, type CartCommand, type CartSettings, cartKey } from './cart.ts';
import type { CartCurrency } from './cart_currency.ts';
import { cartDocument } from './cart_document.ts';
import type { LineOffer } from './line.ts';

/** Names a cart, and the language to answer in. */
type Named = { readonly customer_id?: string | null; readonly language?: string };

export const keyOf = ({ session }: Call, { customer_id }: Named): string | Refusal => {
  if (customer_id) return cartKey({ customer: customer_id.toLowerCase() });
  if (session) return cartKey({ session });
  return refuse('invalid_request', 'The cart is not named. Send the header X-Session-Id or `customer_id`.', {
    param: 'X-Session-Id',
  });
};

export const openCartChanges = (appraiser: Appraiser, currencies: Pick<CartCurrency, 'pricingOf'>) => {
  const shown = async (
    call: Call,
    key: string,
    pricing: CartPricing,
    answer: CartAnswer | Refusal,
    { language }: Pick<Named, 'language'>,
    known: readonly (LineOffer | null)[] = [],
  ): Promise<CartResponse | Refusal> => {
    if (answer instanceof Refusal) return answer;
    const { cart, reductions } = answer;
    const offers = known.filter((offer) => offer !== null);
    const { isRequested } = pricing;
    const appraisal = { ...(await appraiser.appraise(call, cart, pricing, offers, language)), isRequested };
    const { currency } = pricing.settings;
    return { cart: cartDocument(cart, { tenant: call.tenant, id: key }, currency, appraisal, reductions) };
  };

  /** Removals are possible also while the store cannot sell in the cart's currency. */
  const remove = async (
    actors: Actors,
    call: Call,
    named: Named,
    make: (settings: CartSettings) => CartCommand,
  ): Promise<CartResponse | Refusal> => {
    const key = keyOf(call, named);
    if (key instanceof Refusal) return key;
    const pricing = await currencies.pricingOf(actors, call, key);
    if (pricing instanceof Refusal) return pricing;
    const answer = await actors.tell(CART, call.tenant, key, make(pricing.settings), effect(call));
    return shown(call, key, pricing, answer, named).catch(afterEffect);
  };

  const add = async (
    actors: Actors,
    call: Call,
    named: Named,
    make: (pricing: CartPricing) => CartCommand | Promise<CartCommand>,
  ): Promise<CartResponse | Refusal> => {
    const key = keyOf(call, named);
    if (key instanceof Refusal) return key;
    const pricing = await currencies.pricingOf(actors, call, key);
    if (pricing instanceof Refusal) return pricing;
    if (pricing.obstacle) return pricing.obstacle;
    const answer = await actors.tell(CART, call.tenant, key, await make(pricing), effect(call));
    return shown(call, key, pricing, answer, named).catch(afterEffect);
  };

  return { shown, remove, add };
};
