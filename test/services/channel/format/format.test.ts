// Tests the formats of channels; ACP's against its published schema where available.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv2020 from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import type { Product } from '#proto/gen/product.ts';
import { linesOf } from '#services/channel/format/format.ts';
import { DATA_FOLDER } from '#test/support/icecat.ts';

const SCHEMA = join(DATA_FOLDER, '../protocols/acp-2026-04-17/spec/2026-04-17/json-schema/schema.feed.json');
const SHOP = { name: 'Acme', website_url: 'https://acme.example.com/shop/' };

const variant = (more: object) => ({
  variant_id: '00000000-0000-4000-8000-00000000000a',
  sku: 'L-1',
  variant_name: 'Red',
  variant_attributes: { Colour: 'Red', size: 'M', nested: { x: 1 } },
  is_default: true,
  price: 19.99,
  sale_price: 15.5,
  selling_price: 15.5,
  stock: 3,
  low_stock_threshold: null,
  condition: 'new',
  gtin: '4006381333931',
  mpn: null,
  weight_grams: 500,
  dimensions_cm: null,
  last_restocked: null,
  thumbnail_url: 'https://cdn.example.com/red.jpg',
  media: [{ type: 'image', url: 'https://cdn.example.com/red-2.jpg' }],
  ...more,
});

const MARKUP = '<p class="lead"><strong>Care:</strong> wash &amp; dry</p>';

const product = (more: object = {}): Product =>
  ({
    id: '00000000-0000-4000-8000-000000000001',
    product_id: '00000000-0000-4000-8000-000000000001',
    name: 'Lamp',
    description: 'A lamp.',
    category_name: 'Lighting',
    brand: 'Lumen',
    thumbnail_url: 'https://cdn.example.com/lamp.jpg',
    media: [],
    product_slug: 'lamp-1a2b3c4d',
    google_product_category: 'Home > Lamps',
    has_variants: true,
    display_currency: 'USD',
    variants: [
      variant({}),
      variant({ variant_id: '00000000-0000-4000-8000-00000000000b', variant_name: 'Blue', stock: 0 }),
    ],
    ...more,
  }) as unknown as Product;

test('Stoa’s format equals the product’s API document', () => {
  expect(linesOf('stoa', SHOP, product())).toEqual([product()]);
});

test('Google’s format has one offer per variant, grouped by product', () => {
  const [red, blue] = linesOf('google', SHOP, product()) as Record<string, unknown>[];
  expect(red).toEqual({
    offerId: '00000000-0000-4000-8000-00000000000a',
    itemGroupId: '00000000-0000-4000-8000-000000000001',
    channel: 'online',
    title: 'Lamp - Red',
    description: 'A lamp.',
    link: 'https://acme.example.com/shop/products/lamp-1a2b3c4d',
    imageLink: 'https://cdn.example.com/red.jpg',
    additionalImageLinks: ['https://cdn.example.com/lamp.jpg', 'https://cdn.example.com/red-2.jpg'],
    availability: 'in_stock',
    price: { value: '19.99', currency: 'USD' },
    salePrice: { value: '15.50', currency: 'USD' },
    condition: 'new',
    brand: 'Lumen',
    gtin: '4006381333931',
    identifierExists: true,
    googleProductCategory: 'Home > Lamps',
    productTypes: ['Lighting'],
    color: 'Red',
    sizes: ['M'],
  });
  expect(blue).toMatchObject({ title: 'Lamp - Blue', availability: 'out_of_stock' });
});

test('Google’s and ACP’s formats contain valid GTINs only', () => {
  const of = (format: 'google' | 'acp', gtin: string) =>
    (linesOf(format, SHOP, product({ variants: [variant({ gtin })] })) as Record<string, unknown>[])[0];
  const received = (gtin: string) => of('google', gtin);
  expect(received('0-306-40615-X')).toMatchObject({ gtin: '0-306-40615-X', identifierExists: true });
  expect(received('barcode')).toMatchObject({ identifierExists: false });
  expect(received('barcode')).not.toHaveProperty('gtin');
  expect(of('acp', '0-306-40615-X')).toMatchObject({ variants: [{ barcodes: [{ value: '0-306-40615-X' }] }] });
  expect(JSON.stringify(of('acp', 'barcode'))).not.toContain('barcode');
});

describe('the ACP format', () => {
  test('uses minor units of each currency', () => {
    const [line] = linesOf('acp', SHOP, product()) as { variants: { price: unknown; list_price?: unknown }[] }[];
    expect(line!.variants[0]).toMatchObject({
      price: { amount: 1_550, currency: 'USD' },
      list_price: { amount: 1_999, currency: 'USD' },
      availability: { available: true, status: 'in_stock' },
    });
    const yen = product({ display_currency: 'JPY', variants: [variant({ price: 1_200, selling_price: 1_200 })] });
    const [other] = linesOf('acp', SHOP, yen) as { variants: { price: unknown }[] }[];
    expect(other!.variants[0]!.price).toEqual({ amount: 1_200, currency: 'JPY' });
  });

  test.skipIf(!existsSync(SCHEMA))('matches its published schema', () => {
    const ajv = new Ajv2020({ strict: false, allErrors: true });
    formats(ajv);
    const schema = JSON.parse(readFileSync(SCHEMA, 'utf8'));
    const validate = ajv.compile({ ...schema, $ref: '#/$defs/Product' });
    const simple = product({
      has_variants: false,
      variants: undefined,
      variant_id: '00000000-0000-4000-8000-00000000000c',
      price: null,
      selling_price: null,
      stock: 0,
      condition: 'used',
      description: '',
      thumbnail_url: 'not a url',
      product_slug: null,
    });
    for (const each of [product(), simple]) {
      const [line] = linesOf('acp', SHOP, each);
      expect(validate(JSON.parse(JSON.stringify(line))), JSON.stringify(validate.errors)).toBe(true);
    }
  });
});

test('plain fields contain the description’s text, HTML fields its sanitised HTML', () => {
  const marked = product({ description: MARKUP });
  expect(linesOf('google', SHOP, marked)).toMatchObject([{ description: 'Care: wash & dry' }, {}]);
  expect(linesOf('acp', SHOP, marked)).toMatchObject([
    { description: { plain: 'Care: wash & dry', html: '<p><strong>Care:</strong> wash &amp; dry</p>' } },
  ]);
});
