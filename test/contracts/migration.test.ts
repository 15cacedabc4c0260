// The rule by examples, and the house's own migrations by the rule.
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { lintMigration } from '#test/support/migration_lint.ts';

const FOLDER = new URL('../../migrations/', import.meta.url);
/** From before the rule, and applied long ago. None is added. */
const EXCUSED = new Set([
  '0009_actor_lapse.sql',
  '0012_store_usage.sql',
  '0027_customer_list.sql',
  '0040_payment_look.sql',
  '0061_runtime_event.sql',
  '0066_order_withdrawn.sql',
  '0068_payment_refund_reached.sql',
  '0073_payment_review.sql',
  '0074_order_restocked.sql',
  '0075_redemption_address.sql',
  '0092_return.sql',
  '0151_channel_whole.sql',
  '0161_payment_group.sql',
]);

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

const files = readdirSync(FOLDER).filter((name) => name.endsWith('.sql'));

test.each(files.filter((name) => !EXCUSED.has(name)))('%s lets the release before serve beside it', (name) => {
  expect(lintMigration(readFileSync(new URL(name, FOLDER), 'utf8'))).toEqual([]);
});

test('only what would be found is excused', () => {
  for (const name of EXCUSED) expect(lintMigration(readFileSync(new URL(name, FOLDER), 'utf8')), name).not.toEqual([]);
});
