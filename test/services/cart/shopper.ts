// For tests of the pure cores: offers of a catalogue, and a cart that lives through commands as under the actor host.

import { Refusal, type Tenant } from '#runtime/call.ts';
import type { Event } from '#runtime/transaction.ts';
import { CART } from '#services/cart/actor.ts';
import {
  type CartAnswer,
  type CartCommand,
  type CartFact,
  type CartState,
  cartKey,
  NO_CART,
} from '#services/cart/cart.ts';
import type { Offer } from '#services/cart/line.ts';

export const TENANT: Tenant = { store: '6a1c2f4e-0000-4000-8000-000000000001', environment: 'production' };
export const CUSTOMER = '6a1c2f4e-0000-4000-8000-0000000000c1';
export const SHOP = { currency: 'USD', abandonedAfterMs: 3_600_000 };
export const START = Date.parse('2026-03-01T12:00:00Z');

/** The n-th variant of the catalogue, at n × 10.00, with 20 pieces to be had. */
export const offer = (n: number, given: Partial<Offer> = {}): Offer => ({
  variant_id: `6a1c2f4e-0000-4000-8000-00000000a00${n}`,
  product_id: `6a1c2f4e-0000-4000-8000-00000000b00${n}`,
  name: `Thing ${n}`,
  variant_name: null,
  sku: `T-${n}`,
  thumbnail_url: null,
  is_active: true,
  unit_price: n * 1_000,
  currency: 'USD',
  stock: 20,
  ...given,
});

export interface LivingCart {
  readonly state: CartState;
  readonly facts: readonly CartFact[];
  readonly events: readonly Event[];
  now: number;
  tell(command: CartCommand, commandId?: string): CartAnswer | Refusal;
  /** As `tell`, of what must not be refused. */
  do(command: CartCommand, commandId?: string): CartAnswer;
  add(offer: Offer, quantity: number): CartAnswer;
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
        events.push(...CART.announce(state, fact, context));
      }
      return decision.answer;
    },
    do(command, commandId) {
      const answer = cart.tell(command, commandId);
      if (answer instanceof Refusal) throw new Error(`${answer.code}: ${answer.message}`);
      return answer;
    },
    add: (what, quantity) => cart.do({ type: 'AddItem', shop: SHOP, offer: what, param: 'variant_id', quantity }),
  };
  return cart;
};
