// Sightings: how they are named, and what becomes of several of one session and product.
import { expect, test } from 'vitest';
import { DEEDS, joined, type Sighting, sessionOf } from '#services/recommendation/sighting.ts';

const sighting = (more: Partial<Sighting> = {}): Sighting => ({
  session: sessionOf('session', 'one'),
  product: 'tent',
  deeds: DEEDS.view,
  customer: null,
  verified: false,
  channel: 'storefront',
  seenAt: new Date(1_000),
  ...more,
});

test('a session is known by its digest, and none can be named as an order is', () => {
  expect(sessionOf('session', 'one')).toEqual(sessionOf('session', 'one'));
  expect(sessionOf('session', 'one')).not.toEqual(sessionOf('session', 'two'));
  expect(sessionOf('session', 'one')).not.toEqual(sessionOf('order', 'one'));
  expect(Buffer.from(sessionOf('session', 'one')).toString()).not.toContain('one');
});

test('what was done with one product in one session is joined', () => {
  const rows = joined([
    sighting({ seenAt: new Date(2_000) }),
    sighting({ deeds: DEEDS.add_to_cart, customer: 'ada', verified: true }),
    sighting({ deeds: DEEDS.add_to_wishlist }),
    sighting({ product: 'bag' }),
    sighting({ session: sessionOf('session', 'two') }),
  ]);
  expect(rows.length).toBe(3);
  expect(rows.find(({ product, customer }) => product === 'tent' && customer === 'ada')).toMatchObject({
    deeds: DEEDS.view | DEEDS.add_to_cart | DEEDS.add_to_wishlist,
    verified: true,
    seenAt: new Date(2_000),
  });
});

test('they are in one order, whatever joins them', () => {
  const some = ['c', 'a', 'b'].map((product) => sighting({ product }));
  expect(joined(some)).toEqual(joined([...some].reverse()));
});
