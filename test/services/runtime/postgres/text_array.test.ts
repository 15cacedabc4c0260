// Arrays of texts: Postgres reads every one as it was written.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Postgres } from '#runtime/postgres/database.ts';
import { textArray } from '#runtime/postgres/text_array.ts';
import { freshDatabase, openPostgres, type TestDatabase } from '#test/support/server.ts';

let database: TestDatabase;
let postgres: Postgres;

beforeAll(async () => {
  database = await freshDatabase();
  postgres = openPostgres(database.url);
});
afterAll(async () => {
  await postgres.close();
  await database.drop();
});

const readBack = async (texts: readonly (string | null)[]): Promise<(string | null)[]> => {
  const rows = await postgres.sql<{ text: string | null }[]>`
    select text from unnest(${texts as string[]}::text[]) with ordinality as written (text, place) order by place`;
  return rows.map(({ text }) => text);
};

const HARD = [
  '',
  'null',
  'NULL',
  '{a,b}',
  '"',
  '\\',
  '\\"',
  '\\n',
  'a\nb',
  '\t',
  '\u007f',
  '\u2028',
  'é',
  '\u{1f600}',
  ',',
];

test('come out as they went in', async () => {
  expect(await readBack(HARD)).toEqual(HARD);
  for (const text of HARD) expect(await readBack([text, null, text])).toEqual([text, null, text]);
  expect(await readBack([])).toEqual([]);
});

test('stores texts of any characters that a database accepts', async () => {
  const text = fc.string({ unit: 'grapheme' }).map((made) => made.replaceAll('\0', ''));
  await fc.assert(
    fc.asyncProperty(fc.array(fc.option(text), { maxLength: 8 }), async (texts) => {
      expect(await readBack(texts)).toEqual(texts);
    }),
    { numRuns: 50 },
  );
});

test.each([
  [['{"a":"b"}', null], '{"{\\"a\\":\\"b\\"}",null}'],
  [['a\nb'], null],
  [['\ud800'], null],
  [[1], null],
])('%j is written as %j; what JSON writes another way is left to the library', (texts, written) => {
  expect(textArray(texts)).toBe(written);
});
