// Strict JSON: each thing that JSON.parse forgives is a problem with a path here.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseStrict } from '#values/json.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

describe('a body that JSON.parse would forgive', () => {
  test.each([
    ['a duplicate key', '{"a":1,"a":2}', /"a" stands twice/, 'a'],
    ['a duplicate key in a nested object', '{"x":[{"b":1},{"b":1,"b":3}]}', /twice/, 'x[1].b'],
    ['a duplicate written with an escape', '{"a":{"b":1,"\\u0062":3}}', /twice/, 'a.b'],
    ['a duplicate with blanks before its colon', `{"a":1,"a"${' '.repeat(200)}:2}`, /twice/, 'a'],
    ['NUL in a text', '{"a":["\\u0000"]}', /NUL/, 'a[0]'],
    ['NUL in a key', '{"a":{"b\\u0000":1}}', /NUL/, 'a'],
    ['a lone surrogate', '{"a":"\\ud800"}', /surrogate/, 'a'],
    ['a number beyond a double', '{"a":1e999}', /range/, 'a'],
    ['NaN', '{"at":"NaN, \\"NaN","a":{"b":[1, NaN ]}}', /NaN and Infinity/, 'a.b[1]'],
    ['-Infinity', '{"a":-Infinity,"b":2}', /NaN and Infinity/, 'a'],
  ])('%s is refused with its path', (_name, text, message, param) => {
    expect(parseStrict(bytes(text))).toEqual({ ok: false, message: expect.stringMatching(message), param });
  });

  test.each([
    ['nothing', ''],
    ['half an object', '{"a":'],
    ['two values', '{} {}'],
    ['a comment', '{/* */}'],
    ['NaN', 'NaN'],
    ['NaN and half an object', '{"a":NaN'],
    ['a word that begins alike', '{"a":NaNs}'],
    ['a raw control character', '"\u0001"'],
    ['a byte-order mark', '\ufeff{}'],
    ['400,000 levels', '['.repeat(400_000)],
  ])('%s is refused', (_name, text) => {
    expect(parseStrict(bytes(text))).toMatchObject({ ok: false });
  });

  test('invalid UTF-8 is refused, overlong forms and encoded surrogates too', () => {
    for (const middle of [[0xff], [0xc0, 0xaf], [0xed, 0xa0, 0x80]])
      expect(parseStrict(new Uint8Array([0x22, ...middle, 0x22]))).toMatchObject({ ok: false });
  });
});

test('32 levels pass and 33 do not', () => {
  const nested = (levels: number) => bytes('['.repeat(levels) + ']'.repeat(levels));
  expect(parseStrict(nested(32))).toMatchObject({ ok: true });
  expect(parseStrict(nested(33))).toMatchObject({ ok: false });
});

test('keys such as __proto__ are plain data', () => {
  const read = parseStrict(bytes('{"__proto__":{"polluted":true}}'));
  expect(read.ok && Object.keys(read.value as object)).toEqual(['__proto__']);
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
});

test('whatever JSON.stringify writes comes back as it was', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
      const text = JSON.stringify(value);
      expect(parseStrict(bytes(text))).toEqual({ ok: true, value: JSON.parse(text) });
    }),
  );
});

test('a key added a second time anywhere is always found', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue(), { minKeys: 1, maxKeys: 9 }), (object) => {
      const [key] = Object.keys(object) as [string];
      const text = `{${JSON.stringify(key)}:0,${JSON.stringify(object).slice(1)}`;
      expect(parseStrict(bytes(text))).toMatchObject({ ok: false });
    }),
  );
});
