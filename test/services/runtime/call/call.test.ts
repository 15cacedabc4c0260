// Parts of messages: quoted texts of requests, and numbers with their noun.
import { expect, test } from 'vitest';
import { counted, quoted } from '#runtime/call/call.ts';

test.each([
  ['', '""'],
  ['USD', '"USD"'],
  ['x'.repeat(40), `"${'x'.repeat(40)}"`],
  ['x'.repeat(41), `"${'x'.repeat(40)}…"`],
  [`${'x'.repeat(39)}\u{1f6b2}y`, `"${'x'.repeat(39)}\ufffd…"`],
])('%j is quoted as %s, in well-formed Unicode', (text, shown) => {
  expect(quoted(text)).toBe(shown);
  expect(quoted(text).isWellFormed()).toBe(true);
});

test('a number takes the plural of its noun unless it is 1', () => {
  expect([0, 1, 2].map((count) => counted(count, 'unit'))).toEqual(['0 units', '1 unit', '2 units']);
});
