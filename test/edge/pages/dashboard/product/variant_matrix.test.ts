// The matrix of variants: combinations of options, existing rows, and the request for each row.
import { describe, expect, test } from 'vitest';
import {
  combinations,
  type MatrixRow,
  rebaseVariants,
  removedRows,
  stockDifferences,
  variantInput,
  withCombinations,
  withStock,
} from '#edge/pages/dashboard/product/variant_matrix.ts';

const row = (given: Partial<MatrixRow>): MatrixRow => ({
  key: 'k',
  variant: null,
  options: {},
  sku: '',
  price: 10,
  sale_price: null,
  stock: 0,
  isDefault: false,
  ...given,
});
const SIZES = { name: 'Size', values: 'S, M' };

describe('combinations', () => {
  test('pair each value with each other one, and skip unnamed or empty options', () => {
    const options = [
      SIZES,
      { name: ' Colour ', values: 'red, red' },
      { name: '', values: 'x' },
      { name: 'y', values: '' },
    ];
    expect(combinations(options)).toEqual([
      { Size: 'S', Colour: 'red' },
      { Size: 'M', Colour: 'red' },
    ]);
  });

  test('become rows beside those that are there', () => {
    const small = row({ key: 'a', variant: 'a', options: { Size: 'S' }, price: 7 });
    const { rows } = withCombinations({ version: '', options: [SIZES], rows: [small] });
    expect(rows[0]).toBe(small);
    expect(rows.map(({ variant, options, price }) => [variant, options, price])).toEqual([
      ['a', { Size: 'S' }, 7],
      [null, { Size: 'M' }, 7],
    ]);
  });

  test('give the first one to the only variant of a simple product', () => {
    const { rows } = withCombinations({ version: '', options: [SIZES], rows: [row({ variant: 'only', sku: 'X' })] });
    expect(rows.map(({ variant, options, sku }) => [variant, options, sku])).toEqual([
      ['only', { Size: 'S' }, 'X'],
      [null, { Size: 'M' }, ''],
    ]);
  });
});

describe('a written row', () => {
  test('names an existing variant, without its stock', () => {
    const before = row({ variant: 'a', options: { Size: 'S' }, stock: 5 });
    expect(variantInput({ ...before, stock: 3, sku: ' X ' }, before)).toEqual({
      variant_id: 'a',
      sku: 'X',
      price: 10,
      sale_price: null,
      is_default: false,
    });
  });

  test('contains the stock and options of a new variant', () => {
    expect(variantInput(row({ options: { Size: 'L' }, stock: 4 }), undefined)).toMatchObject({
      stock: 4,
      variant_attributes: { Size: 'L' },
      variant_name: 'L',
    });
  });
});

test('stock of existing rows is booked by its difference', () => {
  const before = [row({ variant: 'a', stock: 5 }), row({ variant: 'b', stock: 2 })];
  const after = [row({ variant: 'a', stock: 3 }), row({ variant: 'b', stock: 2 }), row({ stock: 9 })];
  expect(stockDifferences(before, after)).toEqual([{ variant_id: 'a', delta: -2 }]);
  const booked = withStock({ version: '', options: [], rows: before }, { variant_id: 'a', delta: -2 });
  expect(stockDifferences(booked.rows, after)).toEqual([]);
  expect(removedRows(before, after.slice(1)).map(({ variant }) => variant)).toEqual(['a']);
});

describe('what was typed during a save', () => {
  const draft = (version: string, rows: readonly MatrixRow[]) => ({ version, options: [SIZES], rows });
  const small = row({ key: 'a', variant: 'a', options: { Size: 'S' }, price: 7 });
  const fresh = row({ key: 'new', options: { Size: 'M' }, price: 8 });
  const stored = { ...fresh, key: 'b', variant: 'b' };

  test('stays, also in a row that has its variant since', () => {
    const mine = draft('1', [
      { ...small, price: 9 },
      { ...fresh, sku: 'M-1' },
    ]);
    expect(rebaseVariants(draft('1', [small, fresh]), draft('2', [small, stored]), mine)).toEqual(
      draft('2', [
        { ...small, price: 9 },
        { ...stored, sku: 'M-1' },
      ]),
    );
  });

  test('keeps added and removed rows, and takes those of another person', () => {
    const large = row({ key: 'new L', options: { Size: 'L' } });
    const theirs = row({ key: 'c', variant: 'c', options: { Size: 'XS' } });
    const { rows } = rebaseVariants(
      draft('1', [small, fresh]),
      draft('2', [small, stored, theirs]),
      draft('1', [fresh, large]),
    );
    expect(rows).toEqual([stored, large, theirs]);
  });
});
