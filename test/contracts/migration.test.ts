// The linter of migrations by examples, and the house's own migrations by the linter.
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { lintMigration } from '#test/support/migration_lint.ts';

const FOLDER = new URL('../../migrations/', import.meta.url);

test.each<[text: string, why: string | null]>([
  ['create table a.b (n integer); create index b_n on a.b (n); alter table a.b add unique (n);', null],
  ['create index concurrently b_n on a.b (n);', null],
  ['create index b_n on a.b (n);', 'locks writers out'],
  ['create unique index b_n on a.b (n);', 'locks writers out'],
  ['alter table a.b add column n integer;', null],
  ["alter table a.b add column n text not null default 'x';", null],
  ['alter table a.b add column n timestamptz not null default now();', null],
  ['alter table a.b add column n uuid not null default gen_random_uuid();', 'rewrites the table'],
  ['alter table a.b add column n integer not null;', 'refuses rows'],
  ['alter table a.b add column n bigint generated always as identity;', 'rewrites the table'],
  ['alter table a.b alter column n type bigint;', 'rewrites the table'],
  ['alter table a.b alter n set data type bigint;', 'rewrites the table'],
  ['alter table a.b alter column n set not null;', 'reads the whole table'],
  ['alter table a.b add check (n > 0);', 'reads the whole table'],
  ['alter table a.b add constraint c check (n > 0) not valid;', null],
  ['alter table a.b validate constraint c;', null],
  ['alter table a.b add check (n > 0) not valid; alter table a.b validate constraint c;', 'keeps writers out'],
  ['alter table a.b add check (n > 0) not valid; alter table a.c validate constraint c;', null],
  [
    '-- Outside of a transaction.\nalter table a.b add check (n > 0) not valid; alter table a.b validate constraint c;',
    null,
  ],
  ['alter table a.b add constraint c unique (n);', 'builds an index'],
  ['alter table a.b add constraint c unique using index b_n;', null],
  ['alter table a.b drop column n;', 'takes away'],
  ['-- Contract: 1.1 was the last to read it.\nalter table a.b drop column n;', null],
  ['alter table a.b rename column n to m;', 'takes away'],
  ['drop table a.b;', 'takes away'],
  ['update a.b set n = 1;', 'changes every row'],
  ['-- update a.b set n = 1;\nselect 1;', null],
  ['create function f() returns void language sql as $$ update a.b set n = 1; $$;', null],
  ['lock table a.b;', 'keeps everyone out'],
])('%s: %s', (text, why) => {
  const found = lintMigration(text);
  if (why === null) expect(found).toEqual([]);
  else expect(found.map((each) => each.why).join()).toContain(why);
});

const files = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.sql'))
  .sort();

test.each(files)('%s lets the release before serve beside it', (name) => {
  expect(lintMigration(readFileSync(new URL(name, FOLDER), 'utf8'))).toEqual([]);
});

test('the baseline is a file for each schema, and later migrations begin at 0030', () => {
  const schemas = files.map((name) => /^\d{4}_(\w+)\.sql$/.exec(name)![1]!);
  const baseline = schemas.slice(0, files.findLastIndex((name) => name < '0030') + 1);
  expect(files.slice(0, baseline.length).map((name) => Number(name.slice(0, 4)))).toEqual(
    baseline.map((_, at) => at + 1),
  );
  for (const [at, schema] of baseline.entries()) {
    const text = readFileSync(new URL(files[at]!, FOLDER), 'utf8');
    const tables = [...text.matchAll(/^create table (\w+)\./gm)].map(([, owner]) => owner);
    expect(new Set(tables), files[at]).toEqual(new Set([schema]));
  }
});
