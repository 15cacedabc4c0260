// Options, variant names and specifications of a product over HTTP, in each language of a store.
import { beforeAll, describe, expect, test } from 'vitest';
import { type Merchant, openMerchant } from '#test/support/catalog.ts';
import { type Stoa, sharedStoa } from '#test/support/stoa.ts';

const TERMS = { Colour: 'Farbe', Red: 'Rot', 'Red, large': 'Rot, groß', Material: 'Material', Wool: 'Wolle', cm: 'cm' };

let stoa: Stoa;
let shop: Merchant;
let shirt: string;
beforeAll(async () => {
  stoa = await sharedStoa();
  shop = await openMerchant(stoa);
  await shop.secret('PATCH', '/v1/store', { languages: ['de', 'fr'] });
  const { id } = await shop.createProduct({
    name: 'Shirt',
    variants: [
      { price: 10, variant_name: 'Red, large', variant_attributes: { Colour: 'Red', Size: 4 } },
      { price: 12, variant_name: 'Blue', variant_attributes: { Colour: 'Blue', Size: 4 } },
    ],
    specifications: [
      { group: 'Material', name: 'Fabric', value: 'Wool' },
      { name: 'Colour', value: true, unit: 'cm' },
    ],
    translations: { de: { name: 'Hemd', terms: TERMS } },
  });
  shirt = id;
});

const read = async (path: string, language: string) =>
  (await shop.publishable('GET', `${path}?language=${language}`)).body;

describe('a translation', () => {
  test('names options and variants of a product in its language alone', async () => {
    const variantsIn = async (language: string) =>
      (await read(`/v1/products/${shirt}`, language)).variants.map(
        ({ variant_name, variant_attributes }: Record<string, unknown>) => [variant_name, variant_attributes],
      );
    expect(await variantsIn('de')).toEqual([
      ['Rot, groß', { Farbe: 'Rot', Size: 4 }],
      ['Blue', { Farbe: 'Blue', Size: 4 }],
    ]);
    for (const language of ['en', 'fr'])
      expect(await variantsIn(language)).toEqual([
        ['Red, large', { Colour: 'Red', Size: 4 }],
        ['Blue', { Colour: 'Blue', Size: 4 }],
      ]);
    const german = await read(`/v1/products/${shirt}`, 'de');
    expect([german.name, german.terms, german.translations]).toEqual(['Hemd', undefined, undefined]);
    const { products } = await read('/v1/products', 'de');
    expect([products[0].variant_name, products[0].variant_attributes.Farbe]).toEqual(['Rot, groß', 'Rot']);
  });

  test('names specifications, and leaves numbers and booleans', async () => {
    const path = `/v1/products/${shirt}/specifications`;
    expect((await read(path, 'de')).specifications).toEqual([
      { group: 'Material', name: 'Fabric', value: 'Wolle', unit: null },
      { group: null, name: 'Farbe', value: true, unit: 'cm' },
    ]);
    expect((await read(path, 'fr')).specifications[1].name).toBe('Colour');
    expect((await shop.secret('GET', path)).body.specifications[1].name).toBe('Colour');
  });

  test('names the items of a cart', async () => {
    const { body } = await shop.publishable('GET', `/v1/products/${shirt}`);
    const headers = { 'X-Session-Id': `terms-${shirt}`, 'Accept-Language': 'de' };
    const item = { variant_id: body.variants[0].variant_id };
    await shop.secret('POST', '/v1/inventory/adjustments', { ...item, on_hand: 3, reason: 'Delivery' });
    const added = await shop.publishable('POST', '/v1/cart/items', item, { headers });
    const [line] = added.body.cart.items;
    expect([line.name, line.variant_name]).toEqual(['Hemd', 'Rot, groß']);
  });

  test.each([
    ['a number', { Red: 5 }, 'translations.de.terms.Red'],
    ['an empty text', { Red: '' }, 'translations.de.terms.Red'],
    ['a list', ['Rot'], 'translations.de.terms'],
    ['too many', Object.fromEntries(Array.from({ length: 301 }, (_, at) => [`x${at}`, 'y'])), 'translations.de.terms'],
  ])('is refused and leaves nothing if its terms have %s', async (_name, terms, param) => {
    const before = (await shop.secret('GET', `/v1/products/${shirt}`)).text;
    const reply = await shop.secret('PATCH', `/v1/products/${shirt}`, { translations: { de: { terms } } });
    expect([reply.status, reply.body.error.param]).toEqual([400, param]);
    expect((await shop.secret('GET', `/v1/products/${shirt}`)).text).toBe(before);
  });

  test('retains its terms when another field changes, replaces them together, and removes them for null', async () => {
    const change = async (de: object | null) =>
      (await shop.secret('PATCH', `/v1/products/${shirt}`, { translations: { de } })).body.translations?.de;
    expect(await change({ name: 'Das Hemd' })).toEqual({ name: 'Das Hemd', terms: TERMS });
    expect(await change({ terms: { Red: 'Rot' } })).toEqual({ name: 'Das Hemd', terms: { Red: 'Rot' } });
    expect(await change({ terms: null })).toEqual({ name: 'Das Hemd' });
    expect(await change({ name: 'Hemd', terms: TERMS })).toEqual({ name: 'Hemd', terms: TERMS });
  });
});
