// The part of a write that the audit log shows: changed fields alone, short, without secrets and persons.
import { expect, test } from 'vitest';
import { auditChange } from '#runtime/audit/change.ts';

const change = (before: object | null, after: object | null, persons = false) =>
  auditChange(persons, before as never, after as never);

test.each([
  ['changed fields', { a: 1, b: 2 }, { a: 1, b: 3 }, { b: 2 }, { b: 3 }],
  ['fields of one side', { a: 1 }, { b: 2 }, { a: 1, b: null }, { a: null, b: 2 }],
  ['no time of the change', { a: 1, updated_at: 'x' }, { a: 2, updated_at: 'y' }, { a: 1 }, { a: 2 }],
  ['fields within fields', { a: { b: 1, c: 2 } }, { a: { b: 1, c: 3 } }, { a: { c: 2 } }, { a: { c: 3 } }],
  [
    'items by their ids',
    {
      list: [
        { id: 1, n: 1 },
        { id: 2, n: 2 },
        { id: 3, n: 3 },
      ],
    },
    {
      list: [
        { id: 3, n: 4 },
        { id: 1, n: 1 },
        { id: 5, n: 5 },
      ],
    },
    {
      list: [
        { id: 2, n: 2 },
        { id: 3, n: 3 },
      ],
    },
    {
      list: [
        { id: 3, n: 4 },
        { id: 5, n: 5 },
      ],
    },
  ],
  ['whole lists without ids', { tags: ['a', 'b'] }, { tags: ['b'] }, { tags: ['a', 'b'] }, { tags: ['b'] }],
  ['nothing where nothing changed', { a: [1] }, { a: [1] }, {}, {}],
])('shows %s', (_, before, after, shownBefore, shownAfter) => {
  expect(change(before, after)).toEqual({ before: shownBefore, after: shownAfter, shortened: false });
});

test('shows a whole record that was made or deleted', () => {
  expect(change(null, { id: 1, name: 'Mug' })).toEqual({
    before: null,
    after: { id: 1, name: 'Mug' },
    shortened: false,
  });
  expect(change({ id: 1 }, null)).toEqual({ before: { id: 1 }, after: null, shortened: false });
});

test('hides secrets by name and by form, whether they changed or not', () => {
  const { after, before } = change(
    { api_key: 'old', url: 'https://u:p@feed.invalid/?token=abc&page=2', nested: { password: 'x' } },
    { api_key: 'new', url: 'https://feed.invalid/', nested: { password: 'y' }, note: 'is svc_sk_live_0123456789' },
  );
  expect(before).toEqual({
    api_key: '…',
    url: 'https://…@feed.invalid/?token=…&page=2',
    nested: { password: '…' },
    note: null,
  });
  expect(after).toEqual({ api_key: '…', url: 'https://feed.invalid/', nested: { password: '…' }, note: 'is …' });
});

test('hides persons in records that have them alone', () => {
  const record = { status: 'open', email: 'ada@example.com', shipping_address: { city: 'Nairobi' }, phone: null };
  expect(change(null, record, true).after).toEqual({ status: 'open', email: '…', shipping_address: '…', phone: null });
  expect(change(null, record).after).toEqual(record);
});

test('cuts long values and leaves out what finds no room', () => {
  const long = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`field_${at}`, 'x'.repeat(5_000)]));
  const made = change(null, long);
  expect(made.shortened).toBe(true);
  expect(JSON.stringify(made).length).toBeLessThan(8_192);
  const changed = change(long, Object.fromEntries(Object.keys(long).map((name) => [name, ['y'.repeat(5_000)]])));
  expect(changed.shortened).toBe(true);
  expect(JSON.stringify(changed).length).toBeLessThan(8_192);
});

test('cuts no character in half', () => {
  const { after } = change(null, { name: '😀'.repeat(500) });
  expect((after!.name as string).isWellFormed()).toBe(true);
});
