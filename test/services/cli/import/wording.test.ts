// The printed progress and report of an import.
import { expect, test } from 'vitest';
import { progressBar } from '#services/cli/import/wording.ts';

const drawn = (isTTY: boolean): string => {
  let text = '';
  const bar = progressBar({
    isTTY,
    write: (part) => {
      text += part;
      return true;
    },
  });
  bar.onProgress('products', 5, 10);
  bar.clear();
  return text;
};

test('a terminal shows how far it is, and is left clean', () => {
  expect(drawn(true)).toBe(`\r\x1b[Kproducts ${'█'.repeat(15)}${'░'.repeat(15)} 5 of 10\r\x1b[K`);
});

test('a file or a pipe has no bar in it', () => expect(drawn(false)).toBe(''));
