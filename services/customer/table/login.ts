// SQL of customers' failed logins, and the statement that reads an account with them.
import type { Tenant } from '#runtime/call/call.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import type { LoginFailures } from '#services/commerce/login_failure.ts';
import { loginFailureTable } from '#services/commerce/login_failure_table.ts';
import type { CustomerRecord } from '#services/customer/customer.ts';
import { customerColumns } from './customer.ts';

export interface AccountRecord extends CustomerRecord {
  readonly hash: string | null;
}

export interface Login {
  readonly account: AccountRecord | null;
  readonly failures: LoginFailures;
}

interface Row extends Omit<AccountRecord, 'id'> {
  readonly id: string | null;
  readonly failed_at: readonly Date[] | null;
  readonly admitted_at: Date | null;
}

/** `account` is the key of the address's failed logins, whether or not the address has an account. */
export const findLogin = async (sql: Sql, tenant: Tenant, email: string, account: Uint8Array): Promise<Login> => {
  const [row] = await sql<Row[]>`
    select ${customerColumns(sql)}, p.hash, f.failed_at, f.admitted_at
    from (values (${tenant.store}::uuid, ${tenant.environment})) as login (store, environment)
    left join customer.customer c on c.store = login.store and c.environment = login.environment
      and c.email = ${email} and c.deleted_at is null
    left join customer.password p on p.store = c.store and p.environment = c.environment and p.customer = c.id
    left join customer.login_failure f on f.store = login.store and f.environment = login.environment
      and f.account = ${account}`;
  const { failed_at, admitted_at, id, ...rest } = row!;
  return {
    account: id === null ? null : { ...rest, id },
    failures: { failed: failed_at ?? [], admitted: admitted_at },
  };
};

export const { findFailures, lockFailures, updateFailures, deleteFailures, deleteOldFailures } =
  loginFailureTable('customer.login_failure');
