// The currency of a cart: the one that its shopper chose, while the store sells in it, else the store's.
import type { Actors } from '#runtime/actor/host.ts';
import { type Call, Refusal } from '#runtime/call/call.ts';
import { rethrowRetryable } from '#runtime/call/fault.ts';
import type { Clock } from '#runtime/process/clock.ts';
import { sellingCurrency } from '#services/commerce/selling_currency.ts';
import { CART } from './actor.ts';
import { effect, readCall } from './actor_call.ts';
import type { CartPricing } from './appraisal.ts';
import { type CartAnswer, type CartSettings, type CartState, ownerOf } from './cart.ts';
import type { CartCatalogue, StoreSettings } from './catalogue.ts';

/** Attempts to change the currency of a cart whose items change meanwhile. */
const ATTEMPTS_MAX = 3;

export interface CartCurrency {
  /** Reads the cart only in a store with further currencies. */
  pricingOf(actors: Actors, call: Call, key: string): Promise<CartPricing | Refusal>;
  /** Returns the pricing of a cart that was read. */
  pricingFor(call: Call, store: StoreSettings, cart: CartState): CartPricing;
  /** Returns the pricing in a currency that a reader names; refuses one in which the store cannot sell now. */
  pricingIn(call: Call, store: StoreSettings, code: string): CartPricing | Refusal;
  /** Returns the pricing of a cart into which another one is merged: in the other's currency if it holds nothing. */
  pricingOfMerge(actors: Actors, call: Call, source: string, target: string): Promise<CartPricing | Refusal>;
  change(
    actors: Actors,
    call: Call,
    key: string,
    code: string,
  ): Promise<{ readonly pricing: CartPricing; readonly answer: CartAnswer | Refusal } | Refusal>;
}

export const openCartCurrency = (catalogue: CartCatalogue, clock: Pick<Clock, 'now'>): CartCurrency => {
  const readCart = (actors: Actors, call: Call, key: string): Promise<CartAnswer | Refusal> =>
    actors.tell(CART, call.tenant, key, { type: 'Read' }, readCall(call)).catch(rethrowRetryable);

  const nowMs = ({ tenant }: Call): number => clock.now(tenant).getTime();

  const pricingFor: CartCurrency['pricingFor'] = (call, store, { currency }) => {
    const { abandonedAfterMs, currency: own, currencies } = store;
    if (currencies.prices.size === 0)
      return { settings: { abandonedAfterMs, currency: own }, exchange: null, obstacle: null };
    // A cart of a currency that the store no longer has is shown in the store's.
    if (!currencies.prices.has(currency))
      return { settings: { abandonedAfterMs, currency: own, seen: currency }, exchange: null, obstacle: null };
    const settings: CartSettings = { abandonedAfterMs, currency, seen: currency };
    const selling = sellingCurrency(currencies, call.tenant, currency, nowMs(call));
    if (selling instanceof Refusal) return { settings, exchange: null, obstacle: selling };
    return { settings, exchange: selling?.exchange ?? null, obstacle: null };
  };

  const pricingOfMerge: CartCurrency['pricingOfMerge'] = async (actors, call, source, target) => {
    const store = await catalogue.settings(call);
    const into = await readCart(actors, call, target);
    if (into instanceof Refusal) return into;
    const own = pricingFor(call, store, into.cart);
    if (store.currencies.prices.size === 0 || (into.cart.status === 'active' && into.cart.lines.length > 0)) return own;
    const from = await readCart(actors, call, source);
    if (from instanceof Refusal) return from;
    if (from.cart.currency === '') return own;
    const taken = pricingFor(call, store, from.cart);
    return { ...taken, settings: { ...taken.settings, seen: into.cart.currency } };
  };

  const pricingIn: CartCurrency['pricingIn'] = (call, { abandonedAfterMs, currency: own, currencies }, code) => {
    const selling = sellingCurrency(currencies, call.tenant, code, nowMs(call));
    if (selling instanceof Refusal) return selling;
    const settings: CartSettings = { abandonedAfterMs, currency: selling?.currency.code ?? own };
    return { settings, exchange: selling?.exchange ?? null, obstacle: null, isRequested: true };
  };

  const change: CartCurrency['change'] = async (actors, call, key, code) => {
    const store = await catalogue.settings(call);
    const selling = sellingCurrency(store.currencies, call.tenant, code, nowMs(call));
    if (selling instanceof Refusal) return selling;
    const exchange = selling?.exchange ?? null;
    const currency = selling?.currency.code ?? store.currency;
    for (let attempt = 1; ; attempt++) {
      const before = await readCart(actors, call, key);
      if (before instanceof Refusal) return before;
      const { cart } = before;
      const settings: CartSettings = { abandonedAfterMs: store.abandonedAfterMs, currency, seen: cart.currency };
      const pricing: CartPricing = { settings, exchange, obstacle: null };
      const ids = cart.lines.map(({ variant_id }) => variant_id);
      const offers = [...(await catalogue.offers(call, ids, ownerOf(key).customer_id, currency)).values()];
      const { version } = cart;
      const setCurrency = { type: 'SetCurrency', settings, version, isOwn: exchange === null, offers } as const;
      const answer = await actors.tell(CART, call.tenant, key, setCurrency, effect(call));
      const isOutdated = answer instanceof Refusal && answer.code === 'conflict';
      if (!isOutdated || attempt === ATTEMPTS_MAX) return { pricing, answer };
    }
  };

  return {
    pricingFor,
    pricingIn,
    pricingOfMerge,
    change,
    pricingOf: async (actors, call, key) => {
      const store = await catalogue.settings(call);
      // The state of a cart in a store with one currency changes nothing.
      if (store.currencies.prices.size === 0)
        return {
          settings: { abandonedAfterMs: store.abandonedAfterMs, currency: store.currency },
          exchange: null,
          obstacle: null,
        };
      const answer = await readCart(actors, call, key);
      return answer instanceof Refusal ? answer : pricingFor(call, store, answer.cart);
    },
  };
};
