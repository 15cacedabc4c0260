// SQL of failed sign-ins and failed codes of staff.
import { loginFailureTable } from '#services/commerce/login_failure_table.ts';

export const { findFailures, lockFailures, updateFailures, deleteFailures, deleteOldFailures } =
  loginFailureTable('staff.login_failure');
