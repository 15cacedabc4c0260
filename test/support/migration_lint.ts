// Refuses statements in a migration that would harm the previous release, which still serves: those that rewrite a table,
// lock writers out for long, or drop a column or table that it reads. A table that the migration creates itself has no
// readers yet.

export interface MigrationFlaw {
  readonly statement: string;
  readonly why: string;
}

/** The first line of one that takes away, a release after the last one that used it. */
const CONTRACT = /^-- Contract: /m;
const NAME = '(?:if (?:not )?exists )?(?:only )?([\\w".]+)';

interface Rule {
  readonly of: RegExp;
  readonly why: string;
  /** Allowed in a contraction only. */
  readonly contracts?: true;
}

/** Rules for statements on an existing table. */
const RULES: readonly Rule[] = [
  {
    of: /^create (unique )?index (?!concurrently)/,
    why: 'locks writers out while it builds: create index concurrently',
  },
  {
    of: /^alter table .*\balter (column )?[\w"]+ (set data )?type\b/,
    why: 'rewrites the table: add a column and fill it in slices',
  },
  {
    of: /\badd (column )?.*\bdefault (?:gen_random_uuid|uuidv7|clock_timestamp|timeofday|random|nextval)\b/,
    why: 'rewrites the table: its default differs from row to row',
  },
  { of: /\badd (column )?.*\bgenerated (always|by default) as\b/, why: 'rewrites the table' },
  {
    of: /\badd (column )?(?!constraint|check|foreign|unique|primary)(?=.*\bnot null\b)(?!.*\bdefault\b)/,
    why: 'refuses rows that are there: give it a default',
  },
  { of: /\bset not null\b/, why: 'reads the whole table under a lock: add a check that is not valid, and validate it' },
  {
    of: /\badd (constraint [\w"]+ )?(check|foreign key)\b(?!.*\bnot valid\b)/,
    why: 'reads the whole table under a lock: not valid first, validated afterwards',
  },
  { of: /\badd (constraint [\w"]+ )?(unique|primary key)\b(?! using index)/, why: 'builds an index under a lock' },
  { of: /^(update|delete from) /, why: 'changes every row in one transaction: do it in slices, beside' },
  { of: /^(vacuum full|cluster|lock table|reindex (?!.*concurrently))/, why: 'keeps everyone out' },
  {
    of: /^alter table .*\b(drop column|rename|set schema)\b|^drop (table|schema|function|trigger)\b/,
    why: 'takes away what the release before reads: a release later, under a line `-- Contract: `',
    contracts: true,
  },
];

const OUTSIDE = /^-- Outside of a transaction\b/;
const VALIDATES = /\bvalidate constraint\b/;
const WITH_ITS_LOCK =
  'reads the whole table while the statement before it in this transaction keeps writers out: validate it in a file whose first line begins with `-- Outside of a transaction`';

/** Without comments and without the bodies of functions, which run later. */
const statementsOf = (text: string): string[] =>
  text
    .replace(/--.*$/gm, '')
    .replace(/\$(\w*)\$[\s\S]*?\$\1\$/g, "''")
    .split(';')
    .map((statement) => statement.trim().replace(/\s+/g, ' ').toLowerCase())
    .filter(Boolean);

const TARGETS = [
  new RegExp(`^create (?:unique )?index (?:concurrently )?(?:if not exists )?(?:[\\w".]+ )?on ${NAME}`),
  new RegExp(`^(?:alter table|update|delete from|drop table|lock table|cluster|vacuum full) ${NAME}`),
];
const targetOf = (statement: string): string | null => {
  for (const target of TARGETS) {
    const found = target.exec(statement)?.[1];
    if (found) return found.replaceAll('"', '');
  }
  return null;
};

export const lintMigration = (text: string): MigrationFlaw[] => {
  const statements = statementsOf(text);
  const made = new Set(
    statements.flatMap((statement) => {
      const name = new RegExp(`^create table ${NAME}`).exec(statement)?.[1];
      return name ? [name.replaceAll('"', '')] : [];
    }),
  );
  const contracts = CONTRACT.test(text);
  const locked = new Set<string>();
  return statements.flatMap((statement) => {
    const target = targetOf(statement);
    if (target !== null && made.has(target)) return [];
    const validates = VALIDATES.test(statement);
    const late = validates && target !== null && locked.has(target) && !OUTSIDE.test(text);
    if (!validates && target !== null && statement.startsWith('alter table')) locked.add(target);
    const broken = RULES.filter((rule) => rule.of.test(statement) && !(rule.contracts && contracts));
    const whys = [...broken.map(({ why }) => why), ...(late ? [WITH_ITS_LOCK] : [])];
    return whys.map((why) => ({ statement: statement.slice(0, 120), why }));
  });
};
