// Tests the price per unit: the lowest of base, sale and applicable list price.
import { describe, expect, test } from 'vitest';
import { type PriceContext, priceLadder, unitPrice } from '#services/pricing/price.ts';
import { BUYER, priceList, variant } from './price_book.ts';

const trade: PriceContext = { ...BUYER, group: 'trade' };
const euro: PriceContext = { ...BUYER, currency: 'EUR' };

test.each<[string, Parameters<typeof variant>[0], number, PriceContext, number | null]>([
  ['a base price is what it costs', {}, 1, BUYER, 1_000],
  ['a lower sale price wins', { salePrice: 900 }, 1, BUYER, 900],
  ['a higher sale price has no effect', { salePrice: 1_100 }, 1, BUYER, 1_000],
  ['an equal sale price has no effect', { salePrice: 1_000 }, 1, BUYER, 1_000],
  ['a sale price alone is a price', { price: null, salePrice: 700 }, 1, BUYER, 700],
  ['nothing is no price', { price: null }, 1, BUYER, null],
  ['a lower list price wins', { lists: [priceList([1, 800])] }, 1, BUYER, 800],
  ['a higher list price does not', { lists: [priceList([1, 1_200])] }, 1, BUYER, 1_000],
  ['a list can be free of charge', { lists: [priceList([1, 0])] }, 1, BUYER, 0],
  ['sale under list', { salePrice: 700, lists: [priceList([1, 800])] }, 1, BUYER, 700],
  ['the lowest of two lists', { lists: [priceList([1, 800]), priceList([1, 750])] }, 1, BUYER, 750],
  ['below the first break a list says nothing', { lists: [priceList([10, 800])] }, 9, BUYER, 1_000],
  ['at the break it does', { lists: [priceList([10, 800])] }, 10, BUYER, 800],
  [
    'of the breaks that are reached the lowest counts',
    {
      lists: [priceList([1, 900, 10, 800, 100, 700])],
    },
    99,
    BUYER,
    800,
  ],
  [
    'where a smaller one is cheaper, that one',
    {
      lists: [priceList([10, 700, 100, 750])],
    },
    100,
    BUYER,
    700,
  ],
  ['a group’s list is not everybody’s', { lists: [priceList([1, 500], { group: 'trade' })] }, 1, BUYER, 1_000],
  ['a group’s list is the group’s', { lists: [priceList([1, 500], { group: 'trade' })] }, 1, trade, 500],
  ['another group’s is not', { lists: [priceList([1, 500], { group: 'staff' })] }, 1, trade, 1_000],
  ['everybody’s list is the group’s too', { lists: [priceList([1, 800])] }, 1, trade, 800],
  ['a list begins with its first moment', { lists: [priceList([1, 800], { startsAt: 1_000 })] }, 1, BUYER, 800],
  ['and not before', { lists: [priceList([1, 800], { startsAt: 1_001 })] }, 1, BUYER, 1_000],
  ['it ends with its last moment', { lists: [priceList([1, 800], { endsAt: 1_001 })] }, 1, BUYER, 800],
  ['which is the one before its end', { lists: [priceList([1, 800], { endsAt: 1_000 })] }, 1, BUYER, 1_000],
  ['a list in another currency is none', { lists: [priceList([1, 800], { currency: 'EUR' })] }, 1, BUYER, 1_000],
  ['in another currency only its lists count', { lists: [priceList([1, 800], { currency: 'EUR' })] }, 1, euro, 800],
  ['without one there is no price in it', {}, 1, euro, null],
])('%s', (_sentence, given, quantity, buyer, unit) =>
  expect(unitPrice(variant(given), quantity, buyer)?.unit ?? null).toBe(unit),
);

test('names the price list that set the price, the first of equal ones', () => {
  const [first, second] = [priceList([1, 800]), priceList([1, 800])];
  expect(unitPrice(variant({ lists: [first, second] }), 1, BUYER)?.listId).toBe(first.list.id);
  expect(unitPrice(variant({ salePrice: 800, lists: [first] }), 1, BUYER)?.listId).toBeNull();
});

describe('a price ladder', () => {
  test('lists a rung at each quantity where the price changes', () => {
    const lists = [priceList([5, 900, 50, 700]), priceList([20, 950]), priceList([10, 100], { group: 'trade' })];
    expect(priceLadder(variant({ lists }), BUYER)).toEqual([
      { from: 1, unit: 1_000 },
      { from: 5, unit: 900 },
      { from: 50, unit: 700 },
    ]);
  });

  test('never goes up with the quantity', () =>
    expect(priceLadder(variant({ lists: [priceList([10, 700, 100, 750])] }), BUYER)).toEqual([
      { from: 1, unit: 1_000 },
      { from: 10, unit: 700 },
    ]));

  test('begins at the first quantity with a price and is empty without one', () => {
    expect(priceLadder(variant({ price: null, lists: [priceList([10, 5])] }), BUYER)).toEqual([{ from: 10, unit: 5 }]);
    expect(priceLadder(variant({ price: null }), BUYER)).toEqual([]);
  });
});
