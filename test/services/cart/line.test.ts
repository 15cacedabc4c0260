// Lines of a cart and their arithmetic.
import { describe, expect, test } from 'vitest';
import {
  availableUnits,
  type CartLine,
  LIMITS,
  limitRefusal,
  lineOf,
  replaceLines,
  shortage,
  unitCount,
} from '#services/cart/line.ts';
import { offer } from './shopper.ts';

const line = (id: string, quantity: number, unitPrice = 1_000): CartLine => ({
  ...lineOf(id, offer(1), quantity),
  unit_price: unitPrice,
});
const ids = (lines: readonly CartLine[]): string[] => lines.map(({ id }) => id);

test.each([
  ['as much as is in stock', offer(1, { stock: 3 }), 3],
  ['nothing of what is out of stock', offer(1, { stock: 0 }), 0],
  ['nothing of what more than all is held of', offer(1, { stock: -2 }), 0],
  ['nothing of what is not published', offer(1, { is_active: false }), 0],
  ['nothing of what has no price', offer(1, { unit_price: null }), 0],
  ['nothing of what is unknown', null, 0],
])('%s can be bought', (_, what, expected) => expect(availableUnits(what)).toBe(expected));

describe('a line', () => {
  test('a line stores the catalogue’s data', () => {
    expect(lineOf('x', offer(2, { variant_name: 'M', thumbnail_url: 'https://a.example/p.jpg' }), 3)).toEqual({
      id: 'x',
      product_id: offer(2).product_id,
      variant_id: offer(2).variant_id,
      name: 'Thing 2',
      variant_name: 'M',
      sku: 'T-2',
      thumbnail_url: 'https://a.example/p.jpg',
      quantity: 3,
      unit_price: 2_000,
    });
  });

  test('does not keep an endless address of a picture', () => {
    const endless = `https://a.example/${'p'.repeat(LIMITS.thumbnailCharactersMax)}`;
    expect(lineOf('x', offer(1, { thumbnail_url: endless }), 1).thumbnail_url).toBeNull();
  });
});

test('lines are put in the place of those with the same id, taken out, and added at the end', () => {
  const lines = [line('a', 1), line('b', 2), line('c', 3)];
  const after = replaceLines(lines, [line('d', 9), line('a', 5)], ['b']);
  expect(ids(after)).toEqual(['a', 'c', 'd']);
  expect(unitCount(after)).toBe(5 + 3 + 9);
});

describe('cart limits', () => {
  const many = (count: number, quantity: number, unitPrice?: number): CartLine[] =>
    Array.from({ length: count }, (_, at) => line(`${at}`, quantity, unitPrice));

  test.each([
    ['as many lines as there may be', many(LIMITS.linesMax, 1), null],
    ['a line more', many(LIMITS.linesMax + 1, 1), 'conflict'],
    ['as many pieces of one item as there may be', many(1, LIMITS.quantityMax), null],
    ['a piece more of it', many(1, LIMITS.quantityMax + 1), 'invalid_request'],
    ['as many pieces as there may be', [...many(10, 9_999), line('x', 9)], null],
    ['a piece more of all', [...many(10, 9_999), line('x', 10)], 'invalid_request'],
    ['more worth than amounts can say', many(2, 9_999, 99_999_999_990), 'invalid_request'],
  ])('is said of %s: %#', (_, lines, code) => expect(limitRefusal(lines)?.code ?? null).toBe(code));

  test('stays within exact amounts for the highest prices', () => {
    expect(limitRefusal([...many(10, 9_999, 9_999_999_999), line('x', 9, 9_999_999_999)])).toBeNull();
  });
});

test.each([
  [offer(1, { stock: 3 }), 3, null],
  [offer(1, { stock: 3 }), 4, 'Only 3 units of this item can be sold, not 4. Send a lower quantity.'],
  [offer(1, { stock: 0 }), 1, 'This item is not available. Choose another one.'],
  [null, 1, 'This item is not available. Choose another one.'],
])('of %o, %i pieces: %s', (what, quantity, message) => {
  const refusal = shortage(what, quantity);
  expect(refusal?.message ?? null).toBe(message);
  if (refusal) expect(refusal.code).toBe('insufficient_stock');
});
