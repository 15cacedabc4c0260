// What operators ask of the books.
import type { LedgerAdminRpcs } from '#proto/gen/value.ts';
import { type Handlers, query } from '#runtime/door/rpc.ts';
import { isBalanced, ledgerTenants, trialBalance } from '#services/ledger/index.ts';

export const ledgerAdminHandlers: Handlers<LedgerAdminRpcs> = {
  GetTrialBalance: query(async (sql, _call, { store }) => {
    const books = [];
    for (const tenant of await ledgerTenants(sql, store || null)) books.push(...(await trialBalance(sql, tenant)));
    const lines = books.map(({ tenant, ...line }) => ({ ...tenant, ...line }));
    return { balanced: books.every(isBalanced), lines };
  }),
};
