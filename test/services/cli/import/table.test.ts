// A CSV file that is cut off, damaged or without content is refused, with the row.
import { expect, test } from 'vitest';
import { readTable } from '#services/cli/import/table.ts';

test.each([
  ['a row with fewer cells, at the end', 'a,b,c\n1,2,3\n4,5', 'Row 3 has 2 cells, and the first line names 3 columns'],
  ['a row with fewer cells, in the middle', 'a,b,c\n1,2\n4,5,6\n', 'Row 2 has 2 cells'],
  ['a row with more cells', 'a,b\n1,2\n\n3,4,5\n', 'Row 4 has 3 cells'],
  ['a quote that is never closed', 'a,b\n1,2\n3,"4\n5,6\n', 'A quote is opened in row 3 and never closed'],
  ['a first line alone', 'a,b\n\n', 'no rows below its first line'],
  ['rows of empty cells alone', 'a,b\n,\n,\n', 'no rows below its first line'],
])('refuses %s', (_, text, message) => expect(() => readTable(text)).toThrow(message));

test('accepts empty cells beyond the last column, and quotes inside a text', () => {
  const { records } = readTable('a;b\n1;5" pipe;;\n');
  expect(records.map(({ row, text }) => [row, text('A'), text('b')])).toEqual([[2, '1', '5" pipe']]);
});

test('lists the values of columns that no reader asked for', () => {
  const table = readTable('a,b,,c\n1,2,3,4\n5,,,6\n');
  for (const { text } of table.records) text('none', 'a', 'c');
  expect(table.unread()).toEqual([
    { row: 2, name: 'b', value: '2' },
    { row: 2, name: 'column 3', value: '3' },
  ]);
});
