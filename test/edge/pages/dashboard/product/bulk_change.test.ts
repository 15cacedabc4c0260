// Changes of many products: prices by percent and amount, tags, categories, and products that stay as they are.
import { describe, expect, test } from 'vitest';
import {
  type BulkChange,
  type BulkProduct,
  bulkRows,
  changedPrice,
} from '#edge/pages/dashboard/product/bulk_change.ts';

const updated_at = '2026-03-02T09:00:00.000Z';
const TREE = [
  {
    id: 'top',
    name: 'Shoes',
    slug: 'shoes',
    description: null,
    product_count: 0,
    updated_at,
    subcategories: [{ id: 'sub', name: 'Running', slug: 'running', product_count: 0, updated_at }],
  },
];
const CONTEXT = { tree: TREE, money: (amount: number) => `$${amount.toFixed(2)}`, decimals: 2 };
const CHANGE: BulkChange = {
  kind: 'price',
  shown: true,
  category: '',
  by: 'percent',
  value: 10,
  addTags: [],
  removeTags: [],
};
const product = (given: Partial<BulkProduct>): BulkProduct =>
  ({
    id: 'p',
    name: 'Mug',
    price: 10,
    is_active: true,
    category_id: null,
    subcategory_id: null,
    tags: null,
    has_variants: false,
    variants: [],
    ...given,
  }) as BulkProduct;

describe('a changed price', () => {
  test.each([
    [19.99, 'percent', 10, 2, 21.99],
    [19.99, 'percent', -100, 2, 0],
    [19.99, 'percent', -150, 2, 0],
    [0.1, 'amount', 0.2, 2, 0.3],
    [5, 'amount', -7, 2, 0],
    [1_999, 'percent', 5, 0, 2_099],
  ] as const)('%d by %s of %d is rounded to %d decimals', (price, by, value, decimals, expected) => {
    expect(changedPrice(price, { by, value }, decimals)).toBe(expected);
  });
});

describe('the rows of a change', () => {
  test('change each variant, and skip what has no price or stays', () => {
    const variant = (variant_id: string, price: number | null) =>
      ({ variant_id, variant_name: variant_id, sku: null, price }) as BulkProduct['variants'][number];
    const family = product({ id: 'f', has_variants: true, variants: [variant('s', 20), variant('m', null)] });
    const rows = bulkRows([family, product({ price: 0 }), product({ id: 'q', price: 5 })], CHANGE, CONTEXT);
    expect(rows.map(({ product, variant, after, update }) => [product, variant, after, update])).toEqual([
      ['f', 's', '$22.00', { price: 22 }],
      ['q', null, '$5.50', { price: 5.5 }],
    ]);
  });

  test('add and remove tags without regard to letter case', () => {
    const change: BulkChange = { ...CHANGE, kind: 'tags', addTags: ['sale', 'New'], removeTags: ['OLD'] };
    const rows = bulkRows([product({ tags: ['Old', 'Sale'] }), product({ tags: ['sale', 'New'] })], change, CONTEXT);
    expect(rows.map(({ before, update }) => [before, update])).toEqual([['Old, Sale', { tags: ['Sale', 'New'] }]]);
  });

  test('move into a subcategory with its category, and out of all', () => {
    const placed = product({ category_id: 'top', subcategory_id: 'sub' });
    const into = bulkRows([product({}), placed], { ...CHANGE, kind: 'category', category: 'sub' }, CONTEXT);
    expect(into.map(({ before, after, update }) => [before, after, update])).toEqual([
      ['none', 'Shoes › Running', { category_id: 'top', subcategory_id: 'sub' }],
    ]);
    const out = bulkRows([placed], { ...CHANGE, kind: 'category' }, CONTEXT);
    expect(out[0]!.update).toEqual({ category_id: null, subcategory_id: null });
  });

  test('hide the shown ones alone', () => {
    const change: BulkChange = { ...CHANGE, kind: 'status', shown: false };
    const rows = bulkRows([product({ id: 'a' }), product({ id: 'b', is_active: false })], change, CONTEXT);
    expect(rows.map(({ product, update }) => [product, update])).toEqual([['a', { is_active: false }]]);
  });
});
