// Which domains a host serves.
import { expect, test } from 'vitest';
import { chooseDomains } from '#services/domain.ts';

test('all of them where none is named, else those that are', () => {
  expect(chooseDomains([]).length).toBeGreaterThan(20);
  expect(chooseDomains(['cart', 'stock'])).toHaveLength(2);
  expect(() => chooseDomains(['cart', 'carts'])).toThrow('no domain "carts"');
});

test('none clears a sandbox, or moves its clock, without the others beside it', () => {
  expect(() => chooseDomains(['sandbox', 'cart'])).toThrow('"sandbox" is served where all domains are');
  const all = chooseDomains([]).map(({ name }) => name);
  expect(chooseDomains(all)).toHaveLength(all.length);
});
