// The library that speaks to Postgres, named here alone.
import postgres from 'postgres';

export { postgres };

/** The tag that a statement is written with: sql`select …`. Amounts and revisions (int8) come as numbers. */
export type Sql = postgres.ISql;

/** A part of a statement. */
export type SqlFragment = postgres.Fragment;
