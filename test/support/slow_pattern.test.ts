// Which regular expressions count as slow.
import { expect, test } from 'vitest';
import { slowPatterns } from './slow_pattern.ts';

test.each([
  String.raw`/(a+)+$/`,
  String.raw`/^(\w*\s?)*$/`,
  String.raw`/[ \t]+$/gm`,
  String.raw`/^\S+@\S+\.\S+$/`,
  String.raw`/\[([^\]]+)\]\(/g`,
  String.raw`/<\/rss>\s*(?:<!--[\s\S]*?-->\s*)*$/`,
  String.raw`/(?:.*,)+x/`,
])('names %s, within a function too', (pattern) => {
  expect(slowPatterns(`const f = (t: string) => t.replace(${pattern}, '');`, false)).toEqual([pattern]);
});

test.each([
  String.raw`/(?<![ \t])[ \t]+$/gm`,
  String.raw`/^[\w-]+(?:\.[\w-]+)*$/`,
  String.raw`/"(?:[^"\\]|\\.)*"/g`,
  String.raw`/\[([^[\]]+)\]\(/g`,
  String.raw`/^\d{4}-\d{2}-\d{2}$/`,
])('names no %s', (pattern) => {
  expect(slowPatterns(`const p = ${pattern};`, false)).toEqual([]);
});
