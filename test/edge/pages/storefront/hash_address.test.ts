// Addresses of the time when the part after `#` named the shop's screen lead to the paths of today.
import { expect, test } from 'vitest';
import { pathOfHash } from '#edge/pages/storefront/hash_address.ts';

test.each([
  ['#/', '/'],
  ['#/products', '/products'],
  ['#/products?query=blue+mug&stock=yes', '/search?q=blue+mug&stock=yes'],
  ['#/products?category=1&category=2', '/products?category=1&category=2'],
  ['#/product/blue-mug', '/products/blue-mug'],
  ['#/collection/mornings', '/collections/mornings'],
  ['#/cart', '/cart'],
  ['#/placed/7f3a', '/orders/7f3a'],
  ['#/account/1001', '/account/1001'],
])('translates %s into %s', (hash, path) => expect(pathOfHash(hash)).toBe(path));

test.each(['', '#content', '#product/blue-mug'])('leaves %o to the browser', (hash) =>
  expect(pathOfHash(hash)).toBeNull(),
);
