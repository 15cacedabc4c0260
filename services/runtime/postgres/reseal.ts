// Encrypts stored secrets again under the first master key while several are configured, so that old keys can be
// removed. Works through ranges of table blocks, without waiting for or blocking other transactions.
import type { Environment, Tenant } from '#runtime/call/call.ts';
import type { Log } from '#runtime/process/log.ts';
import type { Seal } from '#runtime/process/seal.ts';
import type { Sql } from './sql.ts';

/** A column of encrypted bytes that may outlast a key rotation. The table must have `store`. */
export interface SealedColumn {
  readonly table: string;
  readonly column: string;
  /** Column that identifies a row of the tenant; null: the tenant has one row. */
  readonly id: string | null;
  /** Whether both environments of a store share the row, so that the table has no `environment`. */
  readonly isShared?: true;
  readonly context: (tenant: Tenant, id: string) => string;
}

export interface Resealed {
  readonly changed: number;
  readonly unreadable: number;
}

const BLOCKS_AT_ONCE = 256;
const PAUSE_MS = 10;
/** Length of the shortest encrypted value. Shorter bytes were never encrypted: a deleted secret is empty. */
const SEALED_BYTES_MIN = 30;

interface Row {
  readonly place: string;
  readonly store: string;
  readonly environment: Environment;
  readonly id: string;
  readonly sealed: Uint8Array;
}

const within = (sql: Sql, from: number) =>
  sql`ctid >= ${`(${from},0)`}::tid and ctid < ${`(${from + BLOCKS_AT_ONCE},0)`}::tid`;

const environmentOf = (sql: Sql, { isShared }: SealedColumn) =>
  isShared ? sql`'production' as environment` : sql`environment`;

const rowsIn = (sql: Sql, sealed: SealedColumn, seal: Seal, from: number) => {
  const { table, column, id } = sealed;
  return sql<Row[]>`
    select ctid::text as place, store, ${environmentOf(sql, sealed)}, ${id === null ? sql`''` : sql`${sql(id)}::text`} as id,
      ${sql(column)} as sealed
    from ${sql(table)}
    where ${within(sql, from)}
      and octet_length(${sql(column)}) >= ${SEALED_BYTES_MIN}
      ${seal.currentKeyId === null ? sql`` : sql`and substring(${sql(column)} from 2 for 1) <> ${Buffer.of(seal.currentKeyId)}`}`;
};

const write = async (
  sql: Sql,
  { table, column }: SealedColumn,
  from: number,
  rows: readonly (Row & { after: Uint8Array })[],
): Promise<number> => {
  if (rows.length === 0) return 0;
  const { count } = await sql`
    update ${sql(table)} as target set ${sql(column)} = decode(made.after, 'hex')
    from unnest(${rows.map(({ place }) => place)}::text[], ${rows.map(({ sealed }) => hex(sealed))}::text[],
      ${rows.map(({ after }) => hex(after))}::text[]) as made (place, before, after)
    where ${within(sql, from)} and target.ctid = made.place::tid and target.${sql(column)} = decode(made.before, 'hex')`;
  return count;
};

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

const resealColumn = async (sql: Sql, seal: Seal, of: SealedColumn): Promise<Resealed> => {
  const [{ blocks }] = await sql<[{ blocks: number }]>`
    select (pg_relation_size(${of.table}::regclass) / current_setting('block_size')::int)::int as blocks`;
  let [changed, closed] = [0, 0];
  for (let from = 0; from < blocks; from += BLOCKS_AT_ONCE) {
    const made: (Row & { after: Uint8Array })[] = [];
    for (const row of await rowsIn(sql, of, seal, from))
      try {
        const after = seal.reseal(row.sealed, of.context(row, row.id));
        if (after) made.push({ ...row, after });
      } catch {
        closed++;
      }
    changed += await write(sql, of, from, made);
    await Bun.sleep(PAUSE_MS);
  }
  return { changed, unreadable: closed };
};

export interface SealedCount {
  readonly name: string;
  readonly secrets: number;
  /** How many of them are not sealed under the first key. */
  readonly waiting: number;
}

/** Counts the sealed values of each column. All wait where the first key shares its id with another one. */
export const countSealed = async (
  sql: Sql,
  { currentKeyId }: Pick<Seal, 'currentKeyId'>,
  columns: readonly SealedColumn[],
): Promise<SealedCount[]> => {
  const counts: SealedCount[] = [];
  for (const { table, column } of columns) {
    const isFirst =
      currentKeyId === null ? sql`false` : sql`substring(${sql(column)} from 2 for 1) = ${Buffer.of(currentKeyId)}`;
    const [found] = await sql<Omit<SealedCount, 'name'>[]>`
      select count(*)::int as secrets, (count(*) filter (where not ${isFirst}))::int as waiting
      from ${sql(table)} where octet_length(${sql(column)}) >= ${SEALED_BYTES_MIN}`;
    counts.push({ name: `${table}.${column}`, secrets: 0, waiting: 0, ...found });
  }
  return counts;
};

const SAMPLED_MAX = 1_000;

/**
 * Checks one secret of each column: true if any of them opens, false if none does, null if the database has none. A
 * wrong key would otherwise show only in failing requests.
 */
export const canOpenAny = async (sql: Sql, seal: Seal, columns: readonly SealedColumn[]): Promise<boolean | null> => {
  let found = false;
  for (const sealed of columns) {
    const { table, column, id, context } = sealed;
    const [row] = await sql<Row[]>`
      select '' as place, store, environment, id, sealed
      from (
        select store, ${environmentOf(sql, sealed)}, ${id === null ? sql`''` : sql`${sql(id)}::text`} as id, ${sql(column)} as sealed
        from ${sql(table)} limit ${SAMPLED_MAX}
      ) as sample
      where octet_length(sealed) >= ${SEALED_BYTES_MIN} limit 1`;
    if (!row) continue;
    found = true;
    try {
      seal.openBytes(row.sealed, context(row, row.id));
      return true;
    } catch {
      // Tries the next column, since this column's key may be in rotation.
    }
  }
  return found ? false : null;
};

export const resealAll = async (
  sql: Sql,
  seal: Seal,
  columns: readonly SealedColumn[],
  log: Pick<Log, 'info' | 'error'>,
): Promise<Resealed> => {
  let [changed, closed] = [0, 0];
  for (const column of columns) {
    const done = await resealColumn(sql, seal, column);
    changed += done.changed;
    closed += done.unreadable;
    if (done.unreadable > 0)
      log.error(
        { table: column.table, column: column.column, secrets: done.unreadable },
        'failed to open secrets with any master key',
      );
  }
  if (changed > 0) log.info({ secrets: changed }, 'resealed secrets under the first master key');
  else if (closed === 0) log.info('checked secrets: all are sealed under the first master key');
  return { changed, unreadable: closed };
};
