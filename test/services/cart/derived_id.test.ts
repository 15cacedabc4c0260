// Derived ids.
import { expect, test } from 'vitest';
import { isUuid } from '#proto/format.ts';
import { derivedId } from '#services/cart/derived_id.ts';

test('the same parts make the same id, a name-based UUID', () => {
  const id = derivedId('cart', 's:abc', 0);
  expect(derivedId('cart', 's:abc', 0)).toBe(id);
  expect(isUuid(id)).toBe(true);
  expect(id[14]).toBe('5');
  expect('89ab').toContain(id[19]);
});

test.each([
  [['a', 'b'], ['ab']],
  [
    ['a', 'b'],
    ['b', 'a'],
  ],
  [
    ['a', 1],
    ['a', '1'],
  ],
  [['a', ''], ['a']],
])('%j and %j make different ids', (one, other) => expect(derivedId(...one)).not.toBe(derivedId(...other)));
