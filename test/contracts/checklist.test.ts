// Checks the list of tests in the guide on connect: every row names tests, and each of them exists.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

const guide = read('edge/pages/guide/connect.md');
const rows = guide
  .slice(guide.indexOf('## What is checked'))
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .slice(1)
  .map((line) => line.slice(2, -2).split(' | '));
const files = [...new Set([...guide.matchAll(/`(test\/[a-z_/]+\.test\.ts)`/g)].map(([, file]) => file!))];
const texts = files.map(read);

/** The title of a test of many is a pattern: what stands for its gaps is in the file, too. */
const isTitle = (name: string, text: string): boolean =>
  text.includes(name) ||
  [...text.matchAll(/\('([^'\n]*%s[^'\n]*)'/g)].some(([, title]) => {
    const pattern = new RegExp(title!.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll('%s', '(.+?)'));
    return [...`${name} `.matchAll(new RegExp(pattern, 'g'))].some(([, gap]) => text.includes(`'${gap}'`));
  });

describe.each(rows)('"%s": %s', (...[, , shown = '']) => {
  test('names tests that show it', () => {
    const names = [...shown.matchAll(/"([^"]+)"/g)].map(([, name]) => name!);
    expect([...names, ...shown.matchAll(/`test\/|the same/g)]).not.toEqual([]);
    for (const name of names)
      expect(
        texts.some((text) => isTitle(name, text)),
        name,
      ).toBe(true);
  });
});

test('the files are those of connect', () => {
  expect(files.length).toBeGreaterThan(3);
});
