// A write that stands still in the middle of its transaction for as long as a test wants.
import type { Postgres } from '#runtime/postgres/database.ts';

/** Of the advisory lock that a halted write waits for, in its file's own database. */
export const HALT = 4_712;

/** A write into the table waits, in the middle of its transaction, until it is released. */
export const halted = async (
  { sql, session }: Pick<Postgres, 'sql' | 'session'>,
  table: string,
  run: (release: () => void) => Promise<void>,
): Promise<void> => {
  await sql.unsafe(`
    create or replace function halt() returns trigger language plpgsql as
      'begin perform pg_advisory_xact_lock_shared(${HALT}); return new; end';
    create trigger halt before insert on ${table} for each row execute function halt()`);
  const gate = await session();
  await gate.sql`select pg_advisory_lock(${HALT})`;
  try {
    await run(() => gate.close());
  } finally {
    gate.close();
    await sql.unsafe(`drop trigger halt on ${table}`);
  }
};
