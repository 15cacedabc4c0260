// Facts of conversions.
import { describe, expect, test } from 'vitest';
import { CART } from '#services/cart/actor.ts';
import { type CartState, cartKey, giftCardsOf, outcomeOf } from '#services/cart/cart.ts';
import { CUSTOMER, convertOf, keepCard, livingCart, offer, SHOP } from './shopper.ts';

const held = (state: CartState): Record<string, number> =>
  Object.fromEntries(state.lines.map(({ name, quantity }) => [name, quantity]));

describe('an order', () => {
  test('takes its lines, codes and gift cards; what came in after it looked is in the next cart', () => {
    const cart = livingCart(cartKey({ customer: CUSTOMER }));
    cart.add(offer(1), 2);
    cart.add(offer(2), 1);
    cart.do({ type: 'AddCode', settings: SHOP, code: 'SPRING' });
    cart.do(keepCard(1));
    const looked = cart.state;
    cart.add(offer(1), 3);
    cart.add(offer(3), 1);
    cart.do({ type: 'AddCode', settings: SHOP, code: 'LATER' });
    cart.do(keepCard(2));
    cart.do(convertOf(looked));
    expect(held(cart.state)).toEqual({ 'Thing 1': 3, 'Thing 3': 1 });
    expect(cart.state).toMatchObject({ status: 'active', generation: 1, version: 1, codes: ['LATER'] });
    expect(giftCardsOf(cart.state)).toHaveLength(1);
    expect(outcomeOf(cart.state, looked.id)).toMatchObject({ status: 'converted' });
    expect(CART.dueAt(cart.state)).toBe(cart.now + SHOP.abandonedAfterMs);
    cart.do(convertOf(looked));
    expect(held(cart.state)).toEqual({ 'Thing 1': 3, 'Thing 3': 1 });
  });

  test('leaves nothing of a cart that lost lines meanwhile', () => {
    const cart = livingCart();
    cart.add(offer(1), 2);
    cart.add(offer(2), 1);
    const looked = cart.state;
    cart.do({ type: 'RemoveItem', settings: SHOP, item_id: looked.lines[1]!.id });
    cart.do(convertOf(looked));
    expect(cart.state).toMatchObject({ status: 'converted', lines: [] });
  });

  test('removes a merged cart’s units from the target, once', () => {
    const cart = livingCart(cartKey({ customer: CUSTOMER }));
    cart.add(offer(1), 1);
    const source = livingCart();
    source.add(offer(1), 2);
    source.add(offer(2), 4);
    const { id, version, lines } = source.state;
    const taken = lines.map((line, at) => ({ line, offer: offer(at + 1) }));
    cart.do({ type: 'MergeIn', settings: SHOP, source: id, version, lines: taken, codes: [], giftCards: [] });
    expect(held(cart.state)).toEqual({ 'Thing 1': 3, 'Thing 2': 4 });
    const pieces = [{ variant_id: lines[0]!.variant_id, quantity: 9 }];
    cart.do({ type: 'RemoveMerged', source: id, lines: pieces });
    cart.do({ type: 'RemoveMerged', source: id, lines: pieces });
    expect(held(cart.state)).toEqual({ 'Thing 1': 1, 'Thing 2': 4 });
    cart.do({ type: 'RemoveMerged', source: id, lines: null });
    expect(held(cart.state)).toEqual({ 'Thing 1': 1 });
    cart.do({ type: 'RemoveMerged', source: 'another', lines: null });
    expect(held(cart.state)).toEqual({ 'Thing 1': 1 });
  });
});
