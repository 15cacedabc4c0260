// A dry run reports the records that the store would refuse, and values that it would change.
import { expect, test } from 'vitest';
import { EMPTY, type FoundProduct, type ImportedProduct } from '#services/cli/import/catalogue.ts';
import { checked } from '#services/cli/import/rule.ts';

const found = (row: number, product: Partial<ImportedProduct>): FoundProduct => {
  const id = product.external_id ?? `p-${row}`;
  return { row, handle: id, collections: [], product: { external_id: id, name: 'Mug', price: 5, ...product } };
};
const judge = (...products: FoundProduct[]) => {
  const { products: brought, problems } = checked({ ...EMPTY, products });
  return {
    brought: brought.map(({ row }) => row),
    problems: problems.map(({ row, param, whole }) => [row, param, whole]),
  };
};

test.each([
  ['a price below nothing', { price: -1 }, 'price', true],
  ['a description of ten million letters', { description: 'x'.repeat(10_000_000) }, 'description', true],
  ['no name', { name: '' }, 'name', true],
  ['no price', { price: undefined }, 'price', false],
  ['a variant without a price', { variants: [{ sku: 'A', price: 5 }, { sku: 'B' }] }, 'price', false],
] as const)('%s is told', (_, product, param, whole) =>
  expect(judge(found(2, product), found(3, {}))).toEqual({
    brought: whole ? [3] : [2, 3],
    problems: [[2, param, whole]],
  }),
);

test('imports the first of two products with one SKU', () =>
  expect(
    judge(
      found(2, { sku: 'A' }),
      found(3, {
        variants: [
          { sku: 'B', price: 1 },
          { sku: 'A', price: 1 },
        ],
      }),
      found(4, { sku: 'B' }),
    ),
  ).toEqual({ brought: [2, 4], problems: [[3, 'sku', true]] }));
