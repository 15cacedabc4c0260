// The table of messages: a refusal in the source is a row with its code, message, param and hint.
import { describe, expect, it } from 'vitest';
import { messagesIn, messageTables } from '#test/support/message_table.ts';

const rowsOf = (...sources: string[]): readonly string[] =>
  messageTables(messagesIn(sources))
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('| Message'));

describe('a row', () => {
  it('shows param and hint beside the message', () => {
    const source =
      "const A = refuse('conflict', 'The slug is taken.', { param: 'slug', hint: 'Choose another one.' });";
    expect(rowsOf(source)).toEqual(['| The slug is taken. | `slug` | Choose another one. |']);
  });

  it('names a hole of the message, and fills in constants', () => {
    const source =
      'const MAX = 1000; invalid(path, `At most $' + '{MAX} of $' + '{row.total} | $' + '{nameOf(row)}.`);';
    expect(rowsOf(source)).toEqual(['| At most 1000 of {total} \\| {nameOf}. | `{path}` |  |']);
  });

  it('shows what is quoted and counted', () => {
    const source = "invalid('text', `No $" + '{quoted(text)} in $' + "{counted(row.size, 'unit')}.`);";
    expect(rowsOf(source)).toEqual(['| No "{text}" in {size} units. | `text` |  |']);
  });

  it('joins the params of equal messages', () => {
    expect(rowsOf("notFound('order', 'order_id')", "notFound('order', 'id')")).toEqual([
      '| No such order. | `id`, `order_id` |  |',
    ]);
  });

  it('shows both messages of a condition', () => {
    const source = "refuse('not_found', late ? 'The order has ended.' : 'No such order.')";
    expect(rowsOf(source)).toEqual(['| No such order. |  |  |', '| The order has ended. |  |  |']);
  });

  it('stands under its code', () => {
    expect(messageTables(messagesIn(["refuse('forbidden', 'This key may not read orders.')"]))).toMatch(
      /^## forbidden\n/,
    );
  });
});
