// SQL of failed logins, for the table of each domain that has logins. `account` is the hash under which an account's failed
// passwords or failed codes are counted.
import type { Tenant } from '#runtime/call/call.ts';
import { inSlices } from '#runtime/flow/slice.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import { type LoginFailures, NO_FAILURES } from './login_failure.ts';

interface Row {
  readonly failed_at: readonly Date[];
  readonly admitted_at: Date | null;
}

const failuresOf = (row: Row | undefined): LoginFailures =>
  row ? { failed: row.failed_at, admitted: row.admitted_at } : NO_FAILURES;

export interface LoginFailureTable {
  findFailures(sql: Sql, tenant: Tenant, account: Uint8Array): Promise<LoginFailures>;
  /**
   * Locks an account's failures until the transaction ends. `forFailure` creates the row if it is missing, because a
   * failure will be counted.
   */
  lockFailures(sql: Sql, tenant: Tenant, account: Uint8Array, forFailure: boolean, now: Date): Promise<LoginFailures>;
  updateFailures(sql: Sql, tenant: Tenant, account: Uint8Array, failures: LoginFailures, now: Date): Promise<void>;
  deleteFailures(sql: Sql, tenant: Tenant, account: Uint8Array): Promise<void>;
  deleteOldFailures(sql: Sql, before: Date): Promise<number>;
}

export const loginFailureTable = (table: string): LoginFailureTable => ({
  async findFailures(sql, { store, environment }, account) {
    const [row] = await sql<Row[]>`
      select failed_at, admitted_at from ${sql(table)}
      where store = ${store} and environment = ${environment} and account = ${account}`;
    return failuresOf(row);
  },

  async lockFailures(sql, { store, environment }, account, forFailure, now) {
    const [row] = forFailure
      ? await sql<Row[]>`
          insert into ${sql(table)} as existing (store, environment, account, failed_at, changed_at)
          values (${store}, ${environment}, ${account}, '{}', ${now})
          on conflict (store, environment, account) do update set changed_at = existing.changed_at
          returning failed_at, admitted_at`
      : await sql<Row[]>`
          select failed_at, admitted_at from ${sql(table)}
          where store = ${store} and environment = ${environment} and account = ${account}
          for update`;
    return failuresOf(row);
  },

  async updateFailures(sql, { store, environment }, account, { failed, admitted }, now) {
    await sql`
      update ${sql(table)}
      set failed_at = ${failed.map((at) => at.toISOString())}::text[]::timestamptz[], admitted_at = ${admitted},
        changed_at = ${now}
      where store = ${store} and environment = ${environment} and account = ${account}`;
  },

  async deleteFailures(sql, { store, environment }, account) {
    await sql`
      delete from ${sql(table)} where store = ${store} and environment = ${environment} and account = ${account}`;
  },

  deleteOldFailures: (sql, before) =>
    inSlices(async (limit) => {
      const gone = await sql`
        delete from ${sql(table)} where ctid = any(array(
          select ctid from ${sql(table)} where changed_at < ${before} limit ${limit}))`;
      return gone.count;
    }),
});
