// Offers and an in-memory cart for tests of the pure cores.

import { Refusal, type Tenant } from '#runtime/call/call.ts';
import type { Event } from '#runtime/event/event.ts';
import { CART } from '#services/cart/actor.ts';
import type { CartAppraisal } from '#services/cart/appraisal.ts';
import {
  type CartAnswer,
  type CartCommand,
  type CartFact,
  type CartState,
  cartKey,
  giftCardsOf,
  NO_CART,
} from '#services/cart/cart.ts';
import type { SealedCard } from '#services/cart/gift_card.ts';
import { type CartLine, type LineOffer, unitPriceOf } from '#services/cart/line.ts';
import { currencyOf } from '#values/currency.ts';
import { toMajor } from '#values/money.ts';

export const TENANT: Tenant = { store: '6a1c2f4e-0000-4000-8000-000000000001', environment: 'production' };
export const CUSTOMER = '6a1c2f4e-0000-4000-8000-0000000000c1';
export const SHOP = { currency: 'USD', abandonedAfterMs: 3_600_000 };
export const START = Date.parse('2026-03-01T12:00:00Z');

/** The n-th variant costs n × 10.00 and has 20 units. */
export const offer = (n: number, given: Partial<LineOffer> = {}): LineOffer => {
  const { unit_price = n * 1_000 } = given;
  return { ...article(n), unit_price, prices: unit_price === null ? [] : [{ from: 1, unit_price }], ...given };
};

const article = (n: number) => ({
  variant_id: `6a1c2f4e-0000-4000-8000-00000000a00${n}`,
  product_id: `6a1c2f4e-0000-4000-8000-00000000b00${n}`,
  name: `Thing ${n}`,
  variant_name: null,
  sku: `T-${n}`,
  thumbnail_url: null,
  is_active: true,
  currency: 'USD',
  stock: 20,
});

/** The appraisal of a cart at these offers, without promotions and gift cards unless given. */
export const appraisalOf = (
  { lines }: CartState,
  offers: readonly LineOffer[],
  { basket = {}, cards = [] }: { basket?: Partial<CartAppraisal['basket']>; cards?: CartAppraisal['cards'] } = {},
): CartAppraisal => {
  const code = offers[0]?.currency ?? SHOP.currency;
  const priced = lines.flatMap(({ variant_id, quantity: stored }) => {
    const found = offers.find((each) => each.variant_id === variant_id && each.is_active && each.prices.length > 0);
    if (!found) return [];
    const quantity = found.stock > 0 ? Math.min(stored, found.stock) : stored;
    const unit = unitPriceOf(found, quantity)!;
    const [unit_price, worth] = [unit, unit * quantity].map((minor) => toMajor(minor, currencyOf(code))) as [
      number,
      number,
    ];
    const plain = { discount: 0, tax_amount: 0, price_list_id: null };
    return [{ variant_id, quantity, unit_price, subtotal: worth, total: worth, ...plain }];
  });
  return {
    variants: new Map(offers.map((each) => [each.variant_id, each])),
    basket: {
      currency: code,
      tax_inclusive: false,
      lines: priced,
      subtotal: 0,
      discount_total: 0,
      shipping_total: 0,
      shipping_tax: 0,
      tax_total: 0,
      total: 0,
      applied_promotions: [],
      rejected_codes: [],
      unusable_codes: [],
      expired_codes: [],
      ...basket,
    },
    cards,
  };
};

export interface LivingCart {
  readonly state: CartState;
  readonly facts: readonly CartFact[];
  readonly events: readonly Event[];
  now: number;
  tell(command: CartCommand, commandId?: string): CartAnswer | Refusal;
  /** Same as `tell`, for commands that must succeed. */
  do(command: CartCommand, commandId?: string): CartAnswer;
  add(offer: LineOffer, quantity: number): CartAnswer;
}

export const livingCart = (key = cartKey({ session: 'abc' })): LivingCart => {
  let state: CartState = NO_CART;
  let count = 0;
  const facts: CartFact[] = [];
  const events: Event[] = [];
  const cart: LivingCart = {
    get state() {
      return state;
    },
    facts,
    events,
    now: START,
    tell(command, commandId = `command ${++count}`) {
      const context = { tenant: TENANT, id: key, now: cart.now, commandId };
      const decision = CART.decide(state, command, context);
      if (decision instanceof Refusal) return decision;
      for (const fact of decision.facts) {
        state = CART.evolve(state, fact);
        facts.push(fact);
        events.push(...(CART.announce?.(state, fact, context) ?? []));
      }
      return decision.answer;
    },
    do(command, commandId) {
      const answer = cart.tell(command, commandId);
      if (answer instanceof Refusal) throw new Error(`${answer.code}: ${answer.message}`);
      return answer;
    },
    add: (what, quantity) => cart.do({ type: 'AddItem', settings: SHOP, offer: what, param: 'variant_id', quantity }),
  };
  return cart;
};

export const addOf = (what: LineOffer | null, quantity: number): CartCommand => ({
  type: 'AddItem',
  settings: SHOP,
  offer: what,
  param: 'variant_id',
  quantity,
});
export const setTo = (line: CartLine | undefined, what: LineOffer | null, quantity: number): CartCommand => ({
  type: 'SetQuantity',
  settings: SHOP,
  item_id: line?.id ?? 'none',
  offer: what,
  quantity,
});

export const card = (n: number): SealedCard => ({ id: `card ${n}`, sealed: `sealed ${n}`, last4: `000${n}` });
export const keepCard = (n: number): CartCommand => ({ type: 'AddGiftCard', settings: SHOP, card: card(n) });

export const convertOf = (looked: CartState): CartCommand => ({
  type: 'Convert',
  id: looked.id,
  version: looked.version,
  bought: {
    lines: looked.lines.map(({ variant_id, quantity }) => ({ variant_id, quantity })),
    codes: looked.codes,
    giftCards: giftCardsOf(looked).map(({ id }) => id),
  },
});
