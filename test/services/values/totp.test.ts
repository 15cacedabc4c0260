// Codes of authenticator apps: the values of RFC 6238's and RFC 4648's own tables, and which steps are taken.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { acceptedStep, toBase32, totpCode, totpStep } from '#values/totp.ts';

const SECRET = Buffer.from('12345678901234567890');

describe('a code', () => {
  test.each([
    [59, '94287082'],
    [1_111_111_109, '07081804'],
    [1_111_111_111, '14050471'],
    [1_234_567_890, '89005924'],
    [2_000_000_000, '69279037'],
    [20_000_000_000, '65353130'],
  ])('at %i seconds is %s, as RFC 6238 says', (seconds, code) => {
    expect(totpCode(SECRET, totpStep(seconds * 1_000), 8)).toBe(code);
    expect(totpCode(SECRET, totpStep(seconds * 1_000))).toBe(code.slice(2));
  });

  test('counts one step early or late, once, and in no other form', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 2 ** 31 }), fc.integer({ min: -3, max: 3 }), (step, off) => {
        const code = totpCode(SECRET, step + off);
        const found = acceptedStep(SECRET, code, step * 30_000, 0);
        // Two steps may have the same code.
        if (found !== null) expect([totpCode(SECRET, found), Math.abs(found - step) <= 1]).toEqual([code, true]);
        if (Math.abs(off) <= 1) expect(found).not.toBeNull();
        if (found !== null && found === step + 1) expect(acceptedStep(SECRET, code, step * 30_000, found)).toBeNull();
      }),
    );
    for (const text of ['', '12345', '1234567', '12345a', '١٢٣٤٥٦'])
      expect(acceptedStep(SECRET, text, 0, 0)).toBeNull();
  });
});

describe('Base32', () => {
  test.each([
    ['', ''],
    ['f', 'MY'],
    ['fo', 'MZXQ'],
    ['foo', 'MZXW6'],
    ['foob', 'MZXW6YQ'],
    ['fooba', 'MZXW6YTB'],
    ['foobar', 'MZXW6YTBOI'],
  ])('of %j is %j, as RFC 4648 says', (text, encoded) => expect(toBase32(Buffer.from(text))).toBe(encoded));
});
