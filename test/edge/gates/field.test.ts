// Tests field filtering: exactly the requested fields, and refusals that name unknown ones.
import { describe, expect, test } from 'vitest';
import { readFields, selectFields } from '#edge/gates/field.ts';
import type { FieldTree } from '#proto/route.ts';
import { Refusal } from '#runtime/call/call.ts';

const tree: FieldTree = {
  id: true,
  name: true,
  attributes: 'any',
  price_range: { min: true, max: true },
  variants: { sku: true, price: true, variant_attributes: 'any' },
};
const product = {
  id: '1',
  name: 'Mug',
  attributes: { colour: 'red', size: 'L' },
  price_range: { min: 1, max: 2 },
  variants: [
    { sku: 'a', price: 1, variant_attributes: { size: 'S' } },
    { sku: 'b', price: 2, variant_attributes: { size: 'M' } },
  ],
};

const filter = (fields: string, value: unknown = product, envelope = ''): unknown => {
  const wanted = readFields(fields, tree);
  if (wanted instanceof Refusal) return wanted.message;
  return JSON.parse(
    new TextDecoder().decode(selectFields(new TextEncoder().encode(JSON.stringify(value)), envelope, wanted)),
  );
};

describe('fields', () => {
  test.each([
    ['name', { name: 'Mug' }],
    [' id , name ', { id: '1', name: 'Mug' }],
    ['attributes.colour', { attributes: { colour: 'red' } }],
    ['attributes.colour,attributes', { attributes: { colour: 'red', size: 'L' } }],
    ['attributes.missing', { attributes: {} }],
    ['price_range', { price_range: { min: 1, max: 2 } }],
    ['variants.sku', { variants: [{ sku: 'a' }, { sku: 'b' }] }],
    [
      'variants.variant_attributes.size',
      { variants: [{ variant_attributes: { size: 'S' } }, { variant_attributes: { size: 'M' } }] },
    ],
    ['name,name', { name: 'Mug' }],
  ])('%s keeps %j', (fields, remaining) => {
    expect(filter(fields)).toEqual(remaining);
  });

  test.each([
    'nope',
    'id,nope',
    'id.x',
    'variants.nope',
    'price_range.min.x',
    'toString',
    '__proto__',
    'id,,name',
    'attributes.',
  ])('%s is refused', (fields) => {
    expect(filter(fields)).toMatch(/names an unknown field/);
  });

  test('more than 200 names are refused', () => {
    expect(filter(Array.from({ length: 201 }, () => 'id').join(','))).toMatch(/at most 200/);
  });

  test('cut what stands in the envelope and leave the rest', () => {
    const list = { products: [product, { id: '2', name: 'Cup' }], pagination: { limit: 20 } };
    expect(filter('id', list, 'products')).toEqual({ products: [{ id: '1' }, { id: '2' }], pagination: { limit: 20 } });
  });
});
