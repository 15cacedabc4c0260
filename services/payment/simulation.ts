// Simulates payments: what the simulator's page shows, and the outcome that a shopper or a test chooses there.
import type { PaymentSimulatorRpcs, SimulatedPayment } from '#proto/gen/payment_simulator.ts';
import { notFound, Refusal, refuse, type Tenant } from '#runtime/call/call.ts';
import { type Handlers, query, transaction } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import { isCancelledOrder } from '#services/ledger/index.ts';
import { currencyOf } from '#values/currency.ts';
import { majorText } from '#values/money.ts';
import { isOpen, type PaymentRecord } from './payment.ts';
import type { Adapters } from './provider/directory.ts';
import type { ProviderStatus } from './provider/provider.ts';
import { isBuiltIn } from './provider/provider.ts';
import type { Settlement } from './settlement.ts';
import { ordersOf } from './share.ts';
import { findSimulated } from './table/payment.ts';

export type SimulatedOutcome = 'succeed' | 'fail' | 'expire';

const providerStatusOf = (
  outcome: SimulatedOutcome,
  { id, amount, currency, capture }: PaymentRecord,
): ProviderStatus => {
  if (outcome === 'succeed' && capture === 'manual')
    return { status: 'authorized', amount, currency, chargeId: `simau_${id}` };
  if (outcome === 'succeed') return { status: 'succeeded', amount, currency, chargeId: `simch_${id}` };
  return outcome === 'fail' ? { status: 'failed', failure: 'declined' } : { status: 'expired' };
};

const decidedAlready = ({ status }: PaymentRecord): Refusal =>
  refuse('conflict', `The payment is ${status} already.`, { param: 'outcome' });

const CANCELLED = refuse('conflict', 'The order that this payment is for is cancelled.', { param: 'outcome' });

const areCancelled = async (tx: Transaction, tenant: Tenant, payment: PaymentRecord): Promise<boolean> => {
  const orders = ordersOf(tenant, payment);
  for (const { tenant: merchant, order } of orders)
    if (!(await isCancelledOrder(tx.sql, merchant, order))) return false;
  return orders.length > 0;
};

/** Ends an open simulated payment. A second call with the same outcome succeeds. */
export const decideSimulated = async (
  tx: Transaction,
  settlement: Settlement,
  tenant: Tenant | null,
  reference: string,
  outcome: SimulatedOutcome,
): Promise<PaymentRecord | Refusal> => {
  const found = await findSimulated(tx.sql, reference);
  if (found === null || (tenant !== null && tenant.store !== found.tenant.store))
    return notFound('payment', 'reference');
  const { payment } = found;
  if (!isOpen(payment)) return decidedAlready(payment);
  const providerStatus = providerStatusOf(outcome, payment);
  const over = payment.expires_at !== null && payment.expires_at <= tx.clock.now(found.tenant);
  if (payment.status === 'pending' && over && outcome !== 'expire')
    return refuse('conflict', 'The payment has expired.', { param: 'outcome' });
  if (outcome === 'succeed' && (await areCancelled(tx, found.tenant, payment))) return CANCELLED;
  const settled = await settlement.settle(tx, found.tenant, payment.id, providerStatus);
  if (settled instanceof Refusal || settled.status === providerStatus.status) return settled;
  return decidedAlready(settled);
};

export const simulatorHandlers = (
  { clock }: Runtime,
  adapters: Adapters,
  settlement: Settlement,
): Handlers<PaymentSimulatorRpcs> => {
  const shown = ({ store }: Tenant, payment: PaymentRecord, now: Date): SimulatedPayment => {
    const lapsed = payment.status === 'pending' && payment.expires_at !== null && payment.expires_at <= now;
    return {
      reference: payment.reference,
      provider: payment.provider,
      method_name: isBuiltIn(payment.provider) ? adapters.builtIn[payment.provider].label : payment.provider,
      status: lapsed ? 'expired' : payment.status,
      amount: majorText(payment.amount, currencyOf(payment.currency)),
      currency: payment.currency,
      order_number: payment.order_number,
      phone: payment.phone,
      success_url: payment.success_url,
      cancel_url: payment.cancel_url,
      store,
    };
  };

  return {
    ShowSimulated: query(async (sql, _call, { reference }) => {
      const found = await findSimulated(sql, reference);
      return found === null ? notFound('payment') : shown(found.tenant, found.payment, clock.now(found.tenant));
    }),

    DecideSimulated: transaction(async (tx, _call, { reference, outcome }) => {
      const settled = await decideSimulated(tx, settlement, null, reference, outcome);
      if (settled instanceof Refusal) return settled;
      const found = await findSimulated(tx.sql, reference);
      return found === null ? notFound('payment') : shown(found.tenant, settled, clock.now(found.tenant));
    }),
  };
};
