// Blocks a write in the middle of its transaction until the test lets it continue.
import type { Postgres } from '#runtime/postgres/database.ts';

/** Advisory lock that a blocked write waits for, in its test file's own database. */
export const BLOCKED_WRITE_LOCK = 4_712;
/** Advisory lock of the first of several writes. */
const FIRST_WRITE_LOCK = 4_711;

type Database = Pick<Postgres, 'sql' | 'session'>;
type Run = (release: () => void) => Promise<void>;

const withBlockingTrigger = async (
  { sql, session }: Database,
  table: string,
  condition: string,
  run: Run,
  trigger = 'before insert',
  each = 'row',
): Promise<void> => {
  await sql.unsafe(`
    create or replace function block_write() returns trigger language plpgsql as
      'begin if ${condition} then perform pg_advisory_xact_lock_shared(${BLOCKED_WRITE_LOCK}); end if; return new; end';
    create trigger block_write ${trigger} on ${table} for each ${each} execute function block_write()`);
  const gate = await session();
  await gate.sql`select pg_advisory_lock(${BLOCKED_WRITE_LOCK})`;
  try {
    await run(() => gate.close());
  } finally {
    gate.close();
    await sql.unsafe(`drop trigger block_write on ${table}`);
  }
};

/** A write into the table waits, in the middle of its transaction, until it is released. */
export const withWritesBlocked = (database: Database, table: string, run: Run): Promise<void> =>
  withBlockingTrigger(database, table, 'true', run);

/** Blocks the first write only; later writes continue. */
export const withFirstWriteBlocked = (database: Database, table: string, run: Run): Promise<void> =>
  withBlockingTrigger(database, table, `pg_try_advisory_xact_lock(${FIRST_WRITE_LOCK})`, run);

/** Blocks the first update that contains this text before it locks a row; other updates continue. */
export const withFirstUpdateBlocked = (database: Database, table: string, text: string, run: Run): Promise<void> =>
  withBlockingTrigger(
    database,
    table,
    `current_query() like ''%${text}%'' and pg_try_advisory_xact_lock(${FIRST_WRITE_LOCK})`,
    run,
    'before update',
    'statement',
  );

/** Whether a write waits. */
export const isWriteBlocked = async ({ sql }: Database): Promise<boolean> => {
  const waiting =
    await sql`select from pg_locks where locktype = 'advisory' and objid = ${BLOCKED_WRITE_LOCK} and not granted`;
  return waiting.length > 0;
};
