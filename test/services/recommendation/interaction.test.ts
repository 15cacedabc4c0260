// Interactions: session digests, and merging.
import { expect, test } from 'vitest';
import {
  ACTIONS,
  mergeInteractions,
  type ProductInteraction,
  sessionOf,
} from '#services/recommendation/interaction.ts';

const interaction = (more: Partial<ProductInteraction> = {}): ProductInteraction => ({
  session: sessionOf('session', 'one'),
  product: 'tent',
  actions: ACTIONS.view,
  customer: null,
  verified: false,
  channel: 'storefront',
  seenAt: new Date(1_000),
  ...more,
});

test('a session’s digest hides its name and differs from an order’s', () => {
  expect(sessionOf('session', 'one')).toEqual(sessionOf('session', 'one'));
  expect(sessionOf('session', 'one')).not.toEqual(sessionOf('session', 'two'));
  expect(sessionOf('session', 'one')).not.toEqual(sessionOf('order', 'one'));
  expect(Buffer.from(sessionOf('session', 'one')).toString()).not.toContain('one');
});

test('merges actions of one session and product', () => {
  const rows = mergeInteractions([
    interaction({ seenAt: new Date(2_000) }),
    interaction({ actions: ACTIONS.add_to_cart, customer: 'ada', verified: true }),
    interaction({ actions: ACTIONS.add_to_wishlist }),
    interaction({ product: 'bag' }),
    interaction({ session: sessionOf('session', 'two') }),
  ]);
  expect(rows.length).toBe(3);
  expect(rows.find(({ product, customer }) => product === 'tent' && customer === 'ada')).toMatchObject({
    actions: ACTIONS.view | ACTIONS.add_to_cart | ACTIONS.add_to_wishlist,
    verified: true,
    seenAt: new Date(2_000),
  });
});

test('merged interactions have the same order for any input order', () => {
  const some = ['c', 'a', 'b'].map((product) => interaction({ product }));
  expect(mergeInteractions(some)).toEqual(mergeInteractions([...some].reverse()));
});
