// Named values of a product: texts, numbers and objects stay what they are in the form.
import { expect, test } from 'vitest';
import {
  addLine,
  readAttributes,
  readSpecifications,
  writeAttributes,
  writeList,
  writeSpecifications,
} from '#edge/pages/dashboard/product/named_value.ts';

test('attributes are written as they were read', () => {
  const attributes = { colour: 'red', year: 2026, code: '007', washable: true, sizes: ['S', 'M'] };
  expect(writeAttributes(readAttributes(attributes))).toEqual(attributes);
  expect(writeAttributes([])).toBeNull();
  expect(writeAttributes([{ name: ' ', value: 'x', isText: true }])).toBeNull();
});

test('a number that becomes a word is written as a text', () => {
  const [year] = readAttributes({ year: 2026 });
  expect(writeAttributes([{ ...year!, value: 'unknown' }])).toEqual({ year: 'unknown' });
});

test('specifications are written in their order, with an added line in the same group', () => {
  const lines = [
    { group: 'Size', name: 'Height', value: 12, unit: 'cm' },
    { group: null, name: 'Colour', value: 'blue', unit: null },
  ];
  expect(writeSpecifications(readSpecifications(lines))).toEqual(lines);
  const added = addLine(readSpecifications(lines).toReversed());
  expect(added.map(({ key, group }) => [key, group])).toEqual([
    ['1', ''],
    ['0', 'Size'],
    ['2', 'Size'],
  ]);
  expect(writeSpecifications(added)).toHaveLength(2);
});

test('a list of words has each of them once', () => {
  expect(writeList(' new, sale ,, new')).toEqual(['new', 'sale']);
});
