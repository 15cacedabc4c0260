// SQL of failed logins. `account` is the hash under which an address's failed passwords or failed codes are counted.

import type { Tenant } from '#runtime/call/call.ts';
import { inSlices } from '#runtime/flow/slice.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import { type LoginFailures, NO_FAILURES } from '#services/customer/login_failure.ts';

interface Row {
  readonly failed_at: readonly Date[];
  readonly admitted_at: Date | null;
}

const failuresOf = (row: Row | undefined): LoginFailures =>
  row ? { failed: row.failed_at, admitted: row.admitted_at } : NO_FAILURES;

export const findFailures = async (sql: Sql, tenant: Tenant, account: Uint8Array): Promise<LoginFailures> => {
  const [row] = await sql<Row[]>`
    select failed_at, admitted_at from customer.login_failure
    where store = ${tenant.store} and environment = ${tenant.environment} and account = ${account}`;
  return failuresOf(row);
};

/**
 * Locks an account's failures until the transaction ends. `forFailure` creates the row if it is missing, because a
 * failure will be counted.
 */
export const lockFailures = async (
  sql: Sql,
  tenant: Tenant,
  account: Uint8Array,
  forFailure: boolean,
  now: Date,
): Promise<LoginFailures> => {
  const [row] = forFailure
    ? await sql<Row[]>`
        insert into customer.login_failure as existing (store, environment, account, failed_at, changed_at)
        values (${tenant.store}, ${tenant.environment}, ${account}, '{}', ${now})
        on conflict (store, environment, account) do update set changed_at = existing.changed_at
        returning failed_at, admitted_at`
    : await sql<Row[]>`
        select failed_at, admitted_at from customer.login_failure
        where store = ${tenant.store} and environment = ${tenant.environment} and account = ${account}
        for update`;
  return failuresOf(row);
};

export const updateFailures = async (
  sql: Sql,
  tenant: Tenant,
  account: Uint8Array,
  { failed, admitted }: LoginFailures,
  now: Date,
): Promise<void> => {
  await sql`
    update customer.login_failure
    set failed_at = ${failed.map((at) => at.toISOString())}::text[]::timestamptz[], admitted_at = ${admitted}, changed_at = ${now}
    where store = ${tenant.store} and environment = ${tenant.environment} and account = ${account}`;
};

export const deleteFailures = async (sql: Sql, tenant: Tenant, account: Uint8Array): Promise<void> => {
  await sql`
    delete from customer.login_failure
    where store = ${tenant.store} and environment = ${tenant.environment} and account = ${account}`;
};

export const deleteOldFailures = (sql: Sql, before: Date): Promise<number> =>
  inSlices(async (limit) => {
    const gone = await sql`
      delete from customer.login_failure where ctid = any(array(
        select ctid from customer.login_failure where changed_at < ${before} limit ${limit}))`;
    return gone.count;
  });
