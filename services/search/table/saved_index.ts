// SQL of saved search indexes.
import type { Tenant } from '#runtime/call/call.ts';
import type { Sql } from '#runtime/postgres/sql.ts';

export interface SavedPart {
  readonly part: string;
  readonly format: string;
  readonly bytes: Uint8Array;
}

export const savedParts = (sql: Sql, { store, environment }: Tenant, format: string): Promise<SavedPart[]> =>
  sql<SavedPart[]>`
    select part, format, bytes from search.saved_index
    where store = ${store} and environment = ${environment} and format = ${format}`;

export const lastSaved = (sql: Sql, format: string, limit: number): Promise<Tenant[]> =>
  sql<Tenant[]>`
    select store, environment from search.saved_index where format = ${format}
    group by store, environment order by max(saved_at) desc limit ${limit}`;

/**
 * Saves parts in a transaction, in the order of their names, so that of two writers one waits and then replaces all
 * parts of the other.
 */
export const saveParts = async (
  sql: Sql,
  { store, environment }: Tenant,
  parts: readonly SavedPart[],
): Promise<void> => {
  for (const part of [...parts].sort((a, b) => (a.part < b.part ? -1 : 1))) {
    await sql`
      insert into search.saved_index ${sql({ store, environment, ...part })}
      on conflict (store, environment, part) do update
        set format = excluded.format, bytes = excluded.bytes, saved_at = excluded.saved_at`;
  }
};
