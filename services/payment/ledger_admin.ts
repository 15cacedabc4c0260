// What operators ask of the books.
import type { LedgerAdminRpcs } from '#proto/gen/value.ts';
import { notFound, Refusal } from '#runtime/call/call.ts';
import { type Handlers, query } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { isBalanced, ledgerTenants, trialBalance } from '#services/ledger/index.ts';

export const ledgerAdminHandlers = ({ ask }: Pick<Runtime, 'ask'>): Handlers<LedgerAdminRpcs> => ({
  GetTrialBalance: query(async (sql, { tenant }, { store }) => {
    if (store) {
      const known = await ask('StoreDirectory/GetProfile', tenant, { store });
      // Books of nothing are balanced.
      if (known instanceof Refusal) return known.code === 'not_found' ? notFound('store', 'store') : known;
    }
    const books = [];
    for (const each of await ledgerTenants(sql, store || null)) books.push(...(await trialBalance(sql, each)));
    const lines = books.map(({ tenant: of, ...line }) => ({ ...of, ...line }));
    return { balanced: books.every(isBalanced), lines };
  }),
});
