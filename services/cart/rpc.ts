// The rpc handlers of carts.
import type { CartRpcs, GetCartRequest } from '#proto/gen/cart.ts';
import { Refusal, refuse } from '#runtime/call/call.ts';
import { rethrowRetryable } from '#runtime/call/fault.ts';
import { command, type Handlers, read } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { normalCode } from '#values/text.ts';
import { CART } from './actor.ts';
import { afterEffect, effect, readCall } from './actor_call.ts';
import type { Appraiser } from './appraisal.ts';
import { type CartCommand, cartKey, ownerOf } from './cart.ts';
import { keyOf, openCartChanges } from './cart_change.ts';
import { openCartCurrency } from './cart_currency.ts';
import type { CartCatalogue } from './catalogue.ts';
import { giftCardId } from './gift_card.ts';
import { mergeCart } from './merge.ts';
import { findOffer } from './named_offer.ts';

const NO_SESSION = refuse(
  'invalid_request',
  'The anonymous cart is not named. Send `session_id` or the header X-Session-Id.',
  { param: 'session_id' },
);

const readCode = (text: string): string | Refusal =>
  normalCode(text) || refuse('invalid_request', '`code` must not be blank.', { param: 'code' });

export const cartHandlers = (
  { actors, clock }: Pick<Runtime, 'actors' | 'clock'>,
  catalogue: CartCatalogue,
  appraiser: Appraiser,
): Handlers<CartRpcs> => {
  const currencies = openCartCurrency(catalogue, clock);

  const { shown, remove, add } = openCartChanges(appraiser, currencies);

  return {
    GetCart: read(async (call, input: GetCartRequest) => {
      const key = keyOf(call, input);
      if (key instanceof Refusal) return key;
      const [store, answer] = await Promise.all([
        catalogue.settings(call),
        actors.tell(CART, call.tenant, key, { type: 'Read' }, readCall(call)).catch(rethrowRetryable),
      ]);
      if (answer instanceof Refusal) return answer;
      const { currency } = input;
      const pricing = currency
        ? currencies.pricingIn(call, store, currency)
        : currencies.pricingFor(call, store, answer.cart);
      return pricing instanceof Refusal ? pricing : shown(call, key, pricing, answer, input);
    }),

    UpdateCart: command(async (actors, call, input) => {
      const key = keyOf(call, input);
      if (key instanceof Refusal) return key;
      const changed = await currencies.change(actors, call, key, input.currency);
      return changed instanceof Refusal
        ? changed
        : shown(call, key, changed.pricing, changed.answer, input).catch(afterEffect);
    }),

    EmptyCart: command((actors, call, input) =>
      remove(actors, call, input, (settings) => ({ type: 'Empty', settings })),
    ),

    AddItem: command(async (actors, call, input) => {
      const { quantity = 1 } = input;
      const key = keyOf(call, input);
      if (key instanceof Refusal) return key;
      const offerIn = (currency: string | null) =>
        findOffer(catalogue, call, input, ownerOf(key).customer_id, currency);
      const [pricing, own] = await Promise.all([currencies.pricingOf(actors, call, key), offerIn(null)]);
      if (pricing instanceof Refusal) return pricing;
      if (pricing.obstacle) return pricing.obstacle;
      const { settings, exchange } = pricing;
      const found = exchange ? await offerIn(settings.currency) : own;
      if (found instanceof Refusal) return found;
      const addItem: CartCommand = { type: 'AddItem', settings, ...found, quantity };
      const answer = await actors.tell(CART, call.tenant, key, addItem, effect(call));
      return shown(call, key, pricing, answer, input, [found.offer]).catch(afterEffect);
    }),

    UpdateItem: command(async (actors, call, input) => {
      const { quantity } = input;
      const item_id = input.item_id.toLowerCase();
      const key = keyOf(call, input);
      if (key instanceof Refusal) return key;
      const [store, before] = await Promise.all([
        catalogue.settings(call),
        actors.tell(CART, call.tenant, key, { type: 'Read' }, readCall(call)).catch(rethrowRetryable),
      ]);
      if (before instanceof Refusal) return before;
      const pricing = currencies.pricingFor(call, store, before.cart);
      const { settings } = pricing;
      if (pricing.obstacle && quantity > 0) return pricing.obstacle;
      const line = before.cart.lines.find(({ id }) => id === item_id);
      const offer =
        line && quantity > 0
          ? await catalogue.offer(call, line.variant_id, ownerOf(key).customer_id, settings.currency)
          : null;
      const setQuantity: CartCommand = { type: 'SetQuantity', settings, item_id, offer, quantity };
      const answer = await actors.tell(CART, call.tenant, key, setQuantity, effect(call));
      return shown(call, key, pricing, answer, input, [offer]).catch(afterEffect);
    }),

    RemoveItem: command((actors, call, input) =>
      remove(actors, call, input, (settings) => ({
        type: 'RemoveItem',
        settings,
        item_id: input.item_id.toLowerCase(),
      })),
    ),

    AddPromotion: command((actors, call, input) => {
      const code = readCode(input.code);
      if (code instanceof Refusal) return code;
      return add(actors, call, input, ({ settings }) => ({ type: 'AddCode', settings, code }));
    }),

    RemovePromotion: command((actors, call, input) =>
      remove(actors, call, input, (settings) => ({ type: 'RemoveCode', settings, code: normalCode(input.code) })),
    ),

    AddGiftCard: command((actors, call, input) =>
      add(actors, call, input, async (pricing) => {
        const card = await appraiser.giftCard(call, input.code, pricing);
        return { type: 'AddGiftCard', settings: pricing.settings, card };
      }),
    ),

    RemoveGiftCard: command((actors, call, input) =>
      remove(actors, call, input, (settings) => {
        const last4 = input.code.trim().toUpperCase();
        return { type: 'RemoveGiftCard', settings, id: giftCardId(call.tenant, input.code), last4 };
      }),
    ),

    MergeCart: command(async (actors, call, input) => {
      const customer = input.customer_id.toLowerCase();
      const target = cartKey({ customer });
      const session = input.session_id ?? call.session;
      if (!session) return NO_SESSION;
      const source = cartKey({ session });
      const pricing = await currencies.pricingOfMerge(actors, call, source, target);
      if (pricing instanceof Refusal) return pricing;
      if (pricing.obstacle) return pricing.obstacle;
      const merged = await mergeCart(actors, catalogue, call, pricing.settings, { source, target, customer });
      if (merged instanceof Refusal) return merged;
      return shown(call, target, pricing, merged.answer, input, merged.offers).catch(afterEffect);
    }),
  };
};
