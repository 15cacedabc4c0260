// Re-exports the Postgres library, which only this file imports.
import postgres from 'postgres';

export { postgres };

/** The tag of statements: sql`select …`. Amounts and revisions (int8) are numbers. */
export type Sql = postgres.ISql;

export type SqlFragment = postgres.Fragment;
