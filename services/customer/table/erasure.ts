// Deletes a customer's account with its sessions, password and proofs, and the failed logins of its addresses.
import type { ErasureRule } from '#runtime/domain/personal_data.ts';
import { codeFailureKey, passwordFailureKey } from '#services/commerce/login_failure.ts';
import { deleteFailures } from './login.ts';

export const customerErasures: readonly ErasureRule[] = [
  {
    what: 'account',
    stage: 'record',
    erase: async ({ sql }, { tenant, id, emails }) => {
      await sql`
        delete from customer.customer
        where store = ${tenant.store} and environment = ${tenant.environment} and id = ${id}
          and deleted_at is not null`;
      for (const email of emails)
        for (const key of [passwordFailureKey(email), codeFailureKey(email)]) await deleteFailures(sql, tenant, key);
      return { ids: [], next: null };
    },
  },
];
