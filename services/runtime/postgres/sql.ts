// Re-exports the Postgres library, which only this file imports.
import postgres from 'postgres';

export { postgres };

/** The tag of SQL statements: sql`select …`. Values of int8, such as amounts and revisions, are numbers. */
export type Sql = postgres.ISql;

export type SqlFragment = postgres.Fragment;
