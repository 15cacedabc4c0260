// Codes: what a feed's address calls a store.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { codeBeside, codeOf } from '#services/store/code.ts';

describe('codes', () => {
  test.each([
    ['Acme Outdoor', 'acme-outdoor'],
    ['  Čapek & Söhne!  ', 'capek-sohne'],
    ['100% Wool', '100-wool'],
    ['Łódź Straße', 'lodz-strasse'],
    ['日本', 'store'],
    ['---', 'store'],
    ['a'.repeat(80), 'a'.repeat(32)],
    ['123e4567-e89b-12d3-a456-426614174000', '123e4567-e89b-12d3-a456-42661417'],
  ])('%j is %s', (name, code) => {
    expect(codeOf(name)).toBe(code);
  });

  test('fit a URL, and are never taken for an id', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'grapheme' }), fc.uuid()), (name) => {
        for (const code of [codeOf(name), codeBeside(codeOf(name))]) {
          expect(code).toMatch(/^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/);
          expect(code).not.toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
        }
      }),
    );
  });

  test('a taken one gets company', () => {
    expect(codeBeside('acme')).toMatch(/^acme-[0-9a-f]{8}$/);
  });
});
