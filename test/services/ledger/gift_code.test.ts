// Codes of gift cards as they are made and as people type them.
import { describe, expect, test } from 'vitest';
import { codeHash, makeCode, readCode } from '#services/ledger/gift_code.ts';

describe('a code', () => {
  test('consists of four groups of unambiguous characters, and is read back unchanged', () => {
    const codes = Array.from({ length: 500 }, makeCode);
    for (const code of codes) {
      expect(code).toMatch(/^([0-9A-HJKMNP-TV-Z]{4}-){3}[0-9A-HJKMNP-TV-Z]{4}$/);
      expect(readCode(code)).toBe(code);
    }
    expect(new Set(codes).size).toBe(codes.length);
  });

  test.each([
    ['abcd-efgh-1jk0-mn0p', 'ABCD-EFGH-1JK0-MN0P'],
    [' ABCD EFGH 1JK0 MN0P ', 'ABCD-EFGH-1JK0-MN0P'],
    ['ABCDEFGHIJKOMNOP', 'ABCD-EFGH-1JK0-MN0P'],
    ['ABCD-EFGH-LJKO-MNOP', 'ABCD-EFGH-1JK0-MN0P'],
    ['ABCD-EFGH-1JK0-MN0', null],
    ['ABCD-EFGH-1JK0-MN0PP', null],
    ['ABCD-EFGH-1JK0-MNUP', null],
    ['', null],
    ['🎁'.repeat(16), null],
  ])('typed as "%s" is %s', (typed, code) => expect(readCode(typed)).toBe(code));

  test('hashes to 32 bytes that differ from the hash of another code', () => {
    expect(codeHash('ABCD-EFGH-1JK0-MN0P')).toHaveLength(32);
    expect(codeHash('ABCD-EFGH-1JK0-MN0P')).not.toEqual(codeHash('ABCD-EFGH-1JK0-MN0Q'));
  });
});
