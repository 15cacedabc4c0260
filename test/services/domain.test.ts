// Tests the choice of domains on a host.
import { expect, test } from 'vitest';
import { chooseDomains } from '#services/domain.ts';

test('hosts all domains where none is named, else the named ones', () => {
  expect(chooseDomains([]).length).toBeGreaterThan(20);
  expect(chooseDomains(['cart', 'stock'])).toHaveLength(2);
  expect(() => chooseDomains(['cart', 'carts'])).toThrow('no domain "carts"');
});

test('refuses a host that resets sandboxes without all other domains', () => {
  expect(() => chooseDomains(['sandbox', 'cart'])).toThrow('"sandbox" is served where all domains are');
  const all = chooseDomains([]).map(({ name }) => name);
  expect(chooseDomains(all)).toHaveLength(all.length);
});
