// One open payment an order, or a group of orders: beginning another ends those before it, where their provider has a way. One that it cannot
// end may still be paid; the second success is given back (settlement).
import type { Tenant } from '#runtime/call/call.ts';
import type { Foundation } from '#runtime/door/foundation.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import type { Gateway } from './gateway.ts';
import type { PaymentRecord } from './payment.ts';
import type { Finding } from './provider/provider.ts';
import type { Settlement } from './settlement.ts';
import { otherOpenPayments } from './table/payment.ts';

const END_TIMEOUT_MS = 3_500;
const REPLACED: Finding = { status: 'expired', failure: 'replaced' };

/** Within the transaction that begins `payment`; providers are asked after it. */
export type Supersede = (tx: Transaction, tenant: Tenant, payment: PaymentRecord) => Promise<void>;

export const openSupersede = (
  { postgres, log }: Pick<Foundation, 'postgres' | 'log'>,
  gateway: Gateway,
  settlement: Settlement,
): Supersede => {
  const endAtProvider = async (tenant: Tenant, before: PaymentRecord): Promise<void> => {
    if (!(await gateway.end(tenant, before, END_TIMEOUT_MS))) return;
    await postgres.transaction((tx) => settlement.settle(tx, tenant, before.id, REPLACED));
  };

  return async (tx, tenant, payment) => {
    if (payment.order_id === null && payment.shares === null) return;
    for (const before of await otherOpenPayments(tx.sql, tenant, payment)) {
      if (before.account === null) await settlement.settle(tx, tenant, before.id, REPLACED);
      else
        tx.afterCommit(() =>
          endAtProvider(tenant, before).catch((err: unknown) =>
            log.warn({ err, payment: before.id }, 'a payment that was replaced was not ended at its provider'),
          ),
        );
    }
  };
};
