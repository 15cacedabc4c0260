// Owners of carts, and state that survives each fact.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Refusal } from '#runtime/call/call.ts';
import { CART } from '#services/cart/actor.ts';
import { type CartCommand, type CartState, cartKey, NO_CART, ownerOf } from '#services/cart/cart.ts';
import { addOf, CUSTOMER, card, keepCard, livingCart, offer, SHOP, setTo } from './shopper.ts';

test.each([
  [{ customer: CUSTOMER }, { customer_id: CUSTOMER, session_id: null }],
  [{ session: 'c:not a customer' }, { customer_id: null, session_id: 'c:not a customer' }],
])('the key of %o names it', (shopper, owner) => expect(ownerOf(cartKey(shopper))).toEqual(owner));

describe('every sequence of commands', () => {
  const n = fc.integer({ min: 1, max: 5 });
  const at = fc.nat(5);
  const stock = fc.constantFrom(0, 3, 20);
  const step = fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({ step: fc.constant('add' as const), n, stock, quantity: fc.integer({ min: 1, max: 12 }) }),
    },
    { weight: 2, arbitrary: fc.record({ step: fc.constant('set' as const), at, stock, quantity: fc.nat(12) }) },
    fc.record({ step: fc.constant('remove' as const), at }),
    fc.record({ step: fc.constantFrom('empty' as const, 'close' as const, 'due' as const) }),
    fc.record({ step: fc.constant('keep' as const), code: fc.constantFrom('A', 'B', 'C') }),
    fc.record({ step: fc.constantFrom('keep card' as const, 'drop card' as const), n }),
    fc.record({
      step: fc.constant('take' as const),
      n,
      stock,
      quantity: fc.integer({ min: 1, max: 12 }),
      source: fc.constantFrom('x', 'y'),
      version: fc.integer({ min: 1, max: 3 }),
    }),
  );
  type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

  const commandOf = (state: CartState, each: Step): CartCommand => {
    switch (each.step) {
      case 'add':
        return addOf(offer(each.n, { stock: each.stock }), each.quantity);
      case 'set': {
        const line = state.lines[each.at];
        const number = line ? Number(line.variant_id.at(-1)) : 1;
        return setTo(line, offer(number, { stock: each.stock }), each.quantity);
      }
      case 'remove':
        return { type: 'RemoveItem', settings: SHOP, item_id: state.lines[each.at]?.id ?? 'none' };
      case 'empty':
        return { type: 'Empty', settings: SHOP };
      case 'close':
        return {
          type: 'Convert',
          id: state.id,
          version: state.version,
          bought: { lines: [], codes: [], giftCards: [] },
        };
      case 'due':
        return { type: 'Due' };
      case 'keep':
        return { type: 'AddCode', settings: SHOP, code: each.code };
      case 'keep card':
        return keepCard(each.n);
      case 'drop card':
        return { type: 'RemoveGiftCard', settings: SHOP, id: card(each.n).id, last4: '' };
      case 'take': {
        const there = livingCart();
        there.add(offer(each.n), each.quantity);
        const lines = [{ line: there.state.lines[0]!, offer: offer(each.n, { stock: each.stock }) }];
        const { source, version } = each;
        return { type: 'MergeIn', settings: SHOP, source, version, lines, codes: [], giftCards: [card(each.n)] };
      }
    }
  };

  test.each([cartKey({ session: 'abc' }), cartKey({ customer: CUSTOMER })])(
    'a variant has one line in %s, versions count, refusals change nothing, and replayed facts are the cart that lived',
    (key) => {
      fc.assert(
        fc.property(fc.array(fc.tuple(step, fc.nat(2 * SHOP.abandonedAfterMs)), { maxLength: 25 }), (steps) => {
          const cart = livingCart(key);
          for (const [each, passed] of steps) {
            cart.now += passed;
            const before = cart.state;
            const factsBefore = cart.facts.length;
            const answer = cart.tell(commandOf(before, each));
            if (answer instanceof Refusal) {
              expect(cart.state).toBe(before);
              expect(cart.facts).toHaveLength(factsBefore);
              continue;
            }
            expect(answer.cart).toEqual(cart.state);
            const { lines, version, id } = cart.state;
            expect(new Set(lines.map(({ variant_id }) => variant_id)).size).toBe(lines.length);
            expect(lines.every(({ quantity }) => quantity > 0)).toBe(true);
            expect(lines.length > 0 && cart.state.status !== 'active').toBe(false);
            if (id === before.id && before.id !== '') {
              const changed = cart.facts
                .slice(factsBefore)
                .filter(({ type }) => type === 'Changed' || type === 'Closed');
              expect(version).toBe(before.version + changed.length);
            }
          }
          expect(cart.facts.reduce(CART.evolve, NO_CART)).toEqual(cart.state);
          expect(JSON.parse(JSON.stringify(cart.state))).toEqual(cart.state);
          const created = cart.events.filter(({ type }) => type === 'cart.created');
          expect(created).toHaveLength(cart.facts.filter(({ type }) => type === 'Opened').length);
        }),
      );
    },
  );
});
