// Finds the provider accounts by which a payment is reached.
import type { Tenant } from '#runtime/call/call.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { PaymentRecord } from './payment.ts';
import type { Adapters } from './provider/directory.ts';
import type { ProviderAccount, ProviderAdapter } from './provider/provider.ts';
import { findPaymentById } from './table/payment.ts';
import { accountOf, findAccount, findConnected } from './table/provider.ts';

export interface ProviderRoute {
  readonly adapter: ProviderAdapter;
  readonly account: ProviderAccount;
}

export interface ProviderRoutes {
  routesOf(tenant: Tenant, payment: PaymentRecord): Promise<readonly ProviderRoute[]>;
  paymentWithMoney(tenant: Tenant, payment: PaymentRecord): Promise<readonly [Tenant, PaymentRecord]>;
}

export const openRoutes = (
  { postgres, seal }: Pick<Runtime, 'postgres' | 'seal'>,
  adapters: Adapters,
): ProviderRoutes => {
  /**
   * Returns the account that opened the payment, then the one connected since, because a payment outlives a change of
   * keys. Empty for simulated payments.
   */
  const routesOf = async (tenant: Tenant, payment: PaymentRecord): Promise<readonly ProviderRoute[]> => {
    const started = payment.account === null ? null : await findAccount(postgres.sql, tenant, payment.account);
    if (started === null) return [];
    const now = await findConnected(postgres.sql, tenant, started.provider);
    return [started, ...(now === null || now.id === started.id ? [] : [now])].map((record) => ({
      adapter: adapters.of(record.provider, record.custom),
      account: accountOf(seal, tenant, record),
    }));
  };

  /**
   * Returns the payment that the provider knows, and its tenant: for a merchant's share that is the operator's payment.
   */
  const paymentWithMoney = async (
    tenant: Tenant,
    payment: PaymentRecord,
  ): Promise<readonly [Tenant, PaymentRecord]> => {
    const { whole_operator: operator, whole_payment: whole } = payment;
    if (operator === null || whole === null) return [tenant, payment];
    const owner: Tenant = { store: operator, environment: tenant.environment };
    const found = await findPaymentById(postgres.sql, owner, whole);
    if (found === null) throw new Error(`the payment ${whole} is gone, and its shares are not`);
    return [owner, found];
  };

  return { routesOf, paymentWithMoney };
};
