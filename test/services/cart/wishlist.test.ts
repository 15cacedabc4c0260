// Decisions of wishlists.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Refusal } from '#runtime/call/call.ts';
import { WISHLIST } from '#services/cart/actor.ts';
import {
  ENTRIES_MAX,
  NO_WISHLIST,
  type WishlistCommand,
  type WishlistEntry,
  type WishlistState,
} from '#services/cart/wishlist.ts';
import { CUSTOMER, offer, START, TENANT } from './shopper.ts';

let commands = 0;
const tell = (state: WishlistState, command: WishlistCommand, now = START): WishlistState | Refusal => {
  const context = { tenant: TENANT, id: CUSTOMER, now, commandId: `command ${++commands}` };
  const decision = WISHLIST.decide(state, command, context);
  if (decision instanceof Refusal) return decision;
  const after = decision.facts.reduce(WISHLIST.evolve, state);
  expect(decision.answer).toEqual(after);
  return after;
};
const done = (answer: WishlistState | Refusal): WishlistState => {
  if (answer instanceof Refusal) throw new Error(answer.message);
  return answer;
};

const entry = (n: number, ofVariant = false): Omit<WishlistEntry, 'id' | 'addedAt'> => ({
  product_id: offer(n).product_id,
  variant_id: ofVariant ? offer(n).variant_id : null,
  name: `Thing ${n}`,
  price: 1_000,
  currency: 'USD',
});
const keep = (n: number, ofVariant = false): WishlistCommand => ({
  type: 'Add',
  entry: entry(n, ofVariant),
  param: ofVariant ? 'variant_id' : 'product_id',
});

test('a new entry comes first, with its time and price', () => {
  const one = done(tell(NO_WISHLIST, keep(1)));
  const two = done(tell(one, keep(2), START + 5));
  expect(two.entries.map(({ name, addedAt }) => [name, addedAt])).toEqual([
    ['Thing 2', START + 5],
    ['Thing 1', START],
  ]);
  expect(two.entries[1]).toMatchObject({ ...entry(1), id: one.entries[0]!.id });
});

test('the same product or variant is kept once, a variant beside its product', () => {
  const both = done(tell(done(tell(NO_WISHLIST, keep(1))), keep(1, true)));
  expect(both.entries).toHaveLength(2);
  expect(done(tell(done(tell(both, keep(1))), keep(1, true)))).toBe(both);
});

test('a retry of one command makes the same id', () => {
  const context = { tenant: TENANT, id: CUSTOMER, now: START, commandId: 'one' };
  const [first, second] = [0, 1].map(() => WISHLIST.decide(NO_WISHLIST, keep(1), context));
  expect(first).toEqual(second);
});

test.each([
  ['product_id', 'No such product.'],
  ['variant_id', 'No such variant.'],
] as const)('an unknown %s is not found', (param, message) => {
  expect(tell(NO_WISHLIST, { type: 'Add', entry: null, param })).toMatchObject({
    code: 'not_found',
    message,
    extra: { param },
  });
});

test('an item is dropped by its id alone', () => {
  const two = done(tell(done(tell(NO_WISHLIST, keep(1))), keep(2)));
  const one = done(tell(two, { type: 'Remove', item_id: two.entries[0]!.id }));
  expect(one.entries.map(({ name }) => name)).toEqual(['Thing 1']);
  expect(tell(one, { type: 'Remove', item_id: two.entries[0]!.id })).toMatchObject({
    code: 'not_found',
    extra: { param: 'item_id' },
  });
  const none = done(tell(one, { type: 'Remove', item_id: one.entries[0]!.id }));
  expect(WISHLIST.isDisposable(none)).toBe(true);
});

test('a full list takes nothing more', () => {
  const full: WishlistState = {
    entries: Array.from({ length: ENTRIES_MAX }, (_, at) => ({
      ...entry(1),
      product_id: `p${at}`,
      id: `w${at}`,
      addedAt: 0,
    })),
  };
  expect(tell(full, keep(2))).toMatchObject({ code: 'conflict' });
});

test('replayed facts are the list that lived, each thing once', () => {
  const command = fc.oneof(
    fc.record({ n: fc.integer({ min: 1, max: 4 }), ofVariant: fc.boolean() }),
    fc.record({ drop: fc.nat(5) }),
  );
  fc.assert(
    fc.property(fc.array(command, { maxLength: 30 }), (given) => {
      let state = NO_WISHLIST;
      const facts = [];
      for (const [at, each] of given.entries()) {
        const events: WishlistCommand =
          'n' in each
            ? keep(each.n, each.ofVariant)
            : { type: 'Remove', item_id: state.entries[each.drop]?.id ?? 'none' };
        const context = { tenant: TENANT, id: CUSTOMER, now: START + at, commandId: `${at}` };
        const decision = WISHLIST.decide(state, events, context);
        if (decision instanceof Refusal) continue;
        facts.push(...decision.facts);
        state = decision.facts.reduce(WISHLIST.evolve, state);
      }
      expect(facts.reduce(WISHLIST.evolve, NO_WISHLIST)).toEqual(state);
      const things = state.entries.map(({ product_id, variant_id }) => `${product_id} ${variant_id}`);
      expect(new Set(things).size).toBe(things.length);
      expect(new Set(state.entries.map(({ id }) => id)).size).toBe(things.length);
    }),
  );
});
