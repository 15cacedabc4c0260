// Names as they are stored and compared.
import { describe, expect, test } from 'vitest';
import { externalText, nameKey, normalCode, plainPostcode, typedName } from '#values/text.ts';

test.each([
  ['SW1A 1AA', 'SW1A1AA'],
  ['sw1a-1aa', 'SW1A1AA'],
  [' 00 100 ', '00100'],
  ['〒100-0001', '1000001'],
  ['１００－０００１', '1000001'],
  ['〒１００ー０００１', '1000001'],
  ['１００−０００１', '1000001'],
  ['1100–148', '1100148'],
  ['ＳＷ１Ａ　１ＡＡ', 'SW1A1AA'],
  ['١١٥٦٤', '11564'],
  ['۱۱۳۶۹', '11369'],
  ['११०००१', '110001'],
  ['\u200e10115\u200f', '10115'],
  ['1000 AB', '1000AB'],
  ['-', ''],
  ['〒', ''],
])('%s is %s', (text, plain) => expect(plainPostcode(text)).toBe(plain));

test.each([
  [' spring ', 'SPRING'],
  ['Spring-10%', 'SPRING-10%'],
  ['e\u0301te\u0301', '\u00c9T\u00c9'],
  ['   ', ''],
])('the code %j is stored as %j', (entered, stored) => expect(normalCode(entered)).toBe(stored));

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

test.each<[unknown, string]>([
  ['Bike', 'Bike'],
  ['a\0b', 'ab'],
  ['\0', ''],
  ['a\ud800', 'a\ufffd'],
  ['abc\u{1f6b2}', 'abc\ufffd'],
  ['ab\u{1f6b2}c', 'ab\u{1f6b2}'],
  ['', ''],
  [5, ''],
  [null, ''],
  [undefined, ''],
])('%j is stored as %j', (value, stored) => {
  expect(externalText(value, 4)).toBe(stored);
});
