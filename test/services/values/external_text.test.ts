// Texts of other systems, cut and cleaned for storage.
import { expect, test } from 'vitest';
import { externalText } from '#values/external_text.ts';

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
