// Secrets that last are sealed anew under the first master key while several are set, so that the others can go. A stretch of a
// table's blocks at a time: none of it waits, or is waited for.
import type { Environment, Tenant } from '#runtime/call/call.ts';
import type { Log } from '#runtime/process/log.ts';
import type { Seal } from '#runtime/process/seal.ts';
import type { Sql } from './sql.ts';

/** A column of sealed bytes that outlast any rotation of keys. Its table has a `store` and an `environment`. */
export interface SealedColumn {
  /** With its schema. */
  readonly table: string;
  readonly column: string;
  /** The column that tells a tenant's rows apart; null: there is one. */
  readonly id: string | null;
  /** What its bytes are sealed for. */
  readonly context: (tenant: Tenant, id: string) => string;
}

export interface Resealed {
  /** Sealed under the first key now, and were under another. */
  readonly changed: number;
  /** None of the keys opens them. */
  readonly unreadable: number;
}

const BLOCKS_AT_ONCE = 256;
const PAUSE_MS = 10;
/** Fewer bytes are none that were sealed: what was deleted is empty. */
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

const rowsIn = (sql: Sql, { table, column, id }: SealedColumn, seal: Seal, from: number) =>
  sql<Row[]>`
    select ctid::text as place, store, environment, ${id === null ? sql`''` : sql`${sql(id)}::text`} as id,
      ${sql(column)} as sealed
    from ${sql(table)}
    where ${within(sql, from)}
      and octet_length(${sql(column)}) >= ${SEALED_BYTES_MIN}
      ${seal.currentKeyId === null ? sql`` : sql`and substring(${sql(column)} from 2 for 1) <> ${Buffer.of(seal.currentKeyId)}`}`;

/** Rows that were written meanwhile are left for the next time. */
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

/** Rows of a table that are looked at for one that is sealed. */
const SAMPLED_MAX = 1_000;

/**
 * Whether any of the keys is this database's, by a secret of each column: null where none is there yet. A wrong key would
 * show in nothing but in every request's failure.
 */
export const canOpenAny = async (sql: Sql, seal: Seal, columns: readonly SealedColumn[]): Promise<boolean | null> => {
  let found = false;
  for (const { table, column, id, context } of columns) {
    const [row] = await sql<Row[]>`
      select '' as place, store, environment, id, sealed
      from (
        select store, environment, ${id === null ? sql`''` : sql`${sql(id)}::text`} as id, ${sql(column)} as sealed
        from ${sql(table)} limit ${SAMPLED_MAX}
      ) as sample
      where octet_length(sealed) >= ${SEALED_BYTES_MIN} limit 1`;
    if (!row) continue;
    found = true;
    try {
      seal.openBytes(row.sealed, context(row, row.id));
      return true;
    } catch {
      // It may be of a key that is changed just now, and another column's not.
    }
  }
  return found ? false : null;
};

/** All of them; says in the log what is left to wait for before a key may go. */
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
        'no master key opens these secrets',
      );
  }
  if (changed > 0) log.info({ secrets: changed }, 'secrets were sealed anew under the first master key');
  else if (closed === 0) log.info('every lasting secret is sealed under the first master key');
  return { changed, unreadable: closed };
};
