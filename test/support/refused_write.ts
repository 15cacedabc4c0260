// Makes Postgres refuse one store's writes to a table until the test allows them.
import type { Postgres } from '#runtime/postgres/database.ts';
import type { Keys } from '#test/support/stoa.ts';

/** Has Postgres refuse writes, such as `update on runtime.sandbox`, with this error. Returns how to have it take them again. */
export const refuseWrites = async (
  { sql }: Pick<Postgres, 'sql'>,
  write: string,
  { store_id: store }: Pick<Keys, 'store_id'>,
  error: string,
  when = 'true',
): Promise<() => Promise<unknown>> => {
  await sql.unsafe(`
    create or replace function refuse_${error}() returns trigger language plpgsql as
      'begin raise ${error}; end';
    create trigger refuse_${error} before ${write} for each row
      when (new.store = '${store}' and ${when}) execute function refuse_${error}()`);
  return () => sql.unsafe(`drop trigger refuse_${error} on ${write.split(' on ')[1]}`);
};
