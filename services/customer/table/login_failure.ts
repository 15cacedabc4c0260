// SQL of customers' failed logins.
import { loginFailureTable } from '#services/commerce/login_failure_table.ts';

export const { findFailures, lockFailures, updateFailures, deleteFailures, deleteOldFailures } =
  loginFailureTable('customer.login_failure');
