// Names as they are stored and compared.
import { describe, expect, test } from 'vitest';
import { nameKey, typedName } from '#values/typed_name.ts';

describe('a typed name', () => {
  test.each([
    [' AB-1', 'AB-1'],
    ['AB-1\u00a0\t', 'AB-1'],
    ['AB 1', 'AB 1'],
    ['Cafe\u0301', 'Café'],
    ['  ', ''],
  ])('stored, %j is %j', (typed, stored) => {
    expect(typedName(typed)).toBe(stored);
  });

  test.each([
    ['AB-1', ' ab-1 ', true],
    ['CAFÉ', 'cafe\u0301', true],
    ['ЧАЙ', 'чай', true],
    ['AB-1', 'AB1', false],
    ['Café', 'Cafe', false],
  ])('%j beside %j is the same: %s', (one, other, same) => {
    expect(nameKey(one) === nameKey(other)).toBe(same);
  });
});
