// SQL of clients.
import type { Sql } from '#runtime/postgres/sql.ts';

export interface ClientRecord {
  readonly id: string;
  /** Null: public. */
  readonly secret_hash: Uint8Array | null;
  readonly name: string;
  readonly redirect_uris: readonly string[];
  /** The store that registered it; null of a confidential one. */
  readonly store: string | null;
  readonly created_at: Date;
}

export const insertClient = async (sql: Sql, { redirect_uris, ...client }: ClientRecord): Promise<void> => {
  await sql`insert into connect.client ${sql({ ...client, redirect_uris: sql.json([...redirect_uris]) })}`;
};

export const findClient = async (sql: Sql, id: string): Promise<ClientRecord | null> => {
  const [client] = await sql<ClientRecord[]>`
    select id, secret_hash, name, redirect_uris, store, created_at from connect.client where id = ${id}`;
  return client ?? null;
};
