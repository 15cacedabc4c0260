// One spelling for postcodes that mean the same.
import { expect, test } from 'vitest';
import { plainPostcode } from '#values/postcode.ts';

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
