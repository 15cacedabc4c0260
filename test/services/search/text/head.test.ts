// The head noun of a product name.
import { expect, test } from 'vitest';
import type { Product } from '#proto/gen/product.ts';
import { documentOf } from '#services/search/product_document.ts';
import { headOf, kindsOf } from '#services/search/text/head.ts';
import { askingDocuments } from '#test/services/search/engine/named_product.ts';

test.each([
  ['Kensington Gel Mouse Pad Blue', ['Kensington', 'Blue'], 'pad'],
  ['Lenovo Laser mouse USB Type-A 2000 DPI', ['Lenovo', 'USB Type-A', 'Laser'], 'mouse'],
  ['Philips Headset for iPhone with remote', ['Philips'], 'headset'],
  ['Sharp LC-20SD4E TV 50.8 cm (20") Silver', ['Sharp', 'Silver'], 'tv'],
  // The noun that a value qualifies is not the value: "USB Type-A" may describe a hub.
  ['Acme USB Hub', ['USB Type-A'], 'hub'],
  ['StarTech USB to VGA cable 2 m', ['StarTech'], 'cable'],
  ['Griffin phone and tablet stand', [], 'stand'],
  ['Icy Box Enclosure w/ fan', ['Icy Box'], 'enclosure'],
  ['Brother Toner cartridge 1 pc(s) Black', ['Brother', 'Black'], 'cartridge'],
  ['Étui pour tablette', [], 'tablette'],
  ['HP 364XL Original Magenta', ['HP', 'Original', 'Magenta'], ''],
  ['42', [], ''],
  ['', [], ''],
])('of "%s" is told by what stands behind it', (name, values, head) => {
  expect(headOf(name, values)).toBe(head);
});

test.each([
  ['Tablets & readers', ['tablets', 'readers']],
  ['Mouse pads', ['pads']],
  ['Cables for printers', ['cables']],
  ['', []],
])('a category "%s" is of the kinds that it names', (category, kinds) => {
  expect(kindsOf(category)).toEqual(kinds);
});

const product = (number: number, name: string): Product =>
  ({
    id: `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
    name,
    description: '',
    brand: 'Acme',
    is_active: true,
    attributes: { colour: 'Black' },
    selling_price: 10,
    stock: 1,
    created_at: new Date(number).toISOString(),
  }) as unknown as Product;

test.each([
  ['mouse', ['Acme Wired Mouse Black', 'Acme Mouse Pad Black', 'Acme Mouse Bag Black']],
  ['tablet', ['Acme Slim Tablet Black', 'Acme Tablet Sleeve Black', 'Acme Case for Tablet Black']],
  ['drum', ['Acme Snare Drum Black', 'Acme Drum Sticks Black', 'Acme Drum Stool Black']],
])('a query for a "%s" finds that kind of thing before what goes with it', (query, [thing, ...others]) => {
  const documents = [thing!, ...others].map((name, at) => documentOf(product(at, name)));
  const { names } = askingDocuments(documents)(query);
  expect(names).toHaveLength(3);
  expect(names[0]).toBe(thing);
});
