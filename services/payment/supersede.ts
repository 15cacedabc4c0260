// Ends open payments that are obsolete: older ones of the same order or checkout, and those of cancelled orders. If the
// provider cannot end a payment, it may still be paid; settlement then refunds it.
import type { Tenant } from '#runtime/call/call.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import type { Gateway } from './gateway.ts';
import type { PaymentRecord } from './payment.ts';
import type { Settlement } from './settlement.ts';
import { openPaymentsOf, otherOpenPayments } from './table/payment.ts';

const END_TIMEOUT_MS = 3_500;

type Why = 'replaced' | 'order_cancelled';

export interface Superseding {
  replace(tx: Transaction, tenant: Tenant, payment: PaymentRecord): Promise<void>;
  cancel(tx: Transaction, tenant: Tenant, order: string): Promise<void>;
}

export const openSuperseding = (
  { postgres, log }: Pick<Runtime, 'postgres' | 'log'>,
  gateway: Gateway,
  settlement: Settlement,
): Superseding => {
  const endAtProvider = async (tenant: Tenant, payment: PaymentRecord, failure: Why): Promise<void> => {
    if (!(await gateway.endAtProvider(tenant, payment, END_TIMEOUT_MS))) return;
    await postgres.transaction((tx) => settlement.settle(tx, tenant, payment.id, { status: 'expired', failure }));
  };

  const end = async (tx: Transaction, tenant: Tenant, open: readonly PaymentRecord[], failure: Why): Promise<void> => {
    for (const payment of open) {
      if (payment.account === null) await settlement.settle(tx, tenant, payment.id, { status: 'expired', failure });
      else
        tx.afterCommit(() =>
          endAtProvider(tenant, payment, failure).catch((err: unknown) =>
            log.warn({ err, payment: payment.id, failure }, 'failed to end a payment at its provider'),
          ),
        );
    }
  };

  return {
    replace: async (tx, tenant, payment) => {
      if (payment.order_id === null && payment.shares === null) return;
      await end(tx, tenant, await otherOpenPayments(tx.sql, tenant, payment), 'replaced');
    },
    cancel: async (tx, tenant, order) =>
      end(tx, tenant, await openPaymentsOf(tx.sql, tenant, order), 'order_cancelled'),
  };
};
