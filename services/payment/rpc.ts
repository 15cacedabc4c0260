// The rpc handlers that return a payment's status and receive providers' callbacks.
import type { PaymentRpcs, PaymentState, VerifyPaymentRequest } from '#proto/gen/payment.ts';
import type { ReceiveCallbackRequest, ReceiveCallbackResponse } from '#proto/gen/payment_provider.ts';
import { type Call, notFound, Refusal, refuse, type Tenant } from '#runtime/call/call.ts';
import { type Handlers, staged, transaction } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { failpoint } from '#runtime/process/failpoint.ts';
import type { Gateway } from './gateway.ts';
import { type PaymentRecord, paymentStatus } from './payment.ts';
import type { ProviderReport, ProviderStatus } from './provider/provider.ts';
import type { Refunds } from './refund.ts';
import type { Settlement } from './settlement.ts';
import { decideSimulated } from './simulation.ts';
import { findNamed, findPayment } from './table/payment.ts';

/**
 * One answer for unknown stores, unconnected providers and invalid signatures, so that callers cannot tell them apart.
 */
const UNVERIFIED = refuse('unauthorized', 'The report could not be verified.');

const UNCHANGED: ProviderStatus = { status: 'pending' };

export const paymentHandlers = (
  { postgres, clock, log }: Runtime,
  gateway: Gateway,
  settlement: Settlement,
  refunds: Refunds,
): Pick<Handlers<PaymentRpcs>, 'VerifyPayment' | 'ReceiveCallback' | 'SettleSimulated'> => {
  /**
   * Asks the provider for the status of an unpaid payment; of a failed one, too, since a second try may pay it. If the
   * provider is unreachable, only a pending payment's status fails.
   */
  const currentStatus = async (call: Call, payment: PaymentRecord): Promise<ProviderStatus> => {
    if (payment.status === 'pending') return gateway.fetchStatus(call, call.tenant, payment);
    if (payment.account === null || payment.paid_at !== null) return UNCHANGED;
    return gateway.fetchStatus(call, call.tenant, payment).catch(() => UNCHANGED);
  };

  return {
    VerifyPayment: staged<
      VerifyPaymentRequest,
      PaymentState,
      { payment: PaymentRecord; providerStatus: ProviderStatus }
    >({
      prepare: async (call, { provider, reference }) => {
        const payment = await findPayment(postgres.sql, call.tenant, provider, reference);
        if (payment === null) return notFound('payment', 'reference');
        const providerStatus = await currentStatus(call, payment);
        failpoint('provider', call.tenant.store);
        return { payment, providerStatus };
      },
      run: async (tx, { tenant }, _input, { payment, providerStatus }) => {
        const settled = await settlement.settle(tx, tenant, payment.id, providerStatus);
        return settled instanceof Refusal ? settled : paymentStatus(tenant, settled);
      },
      undo: () => {},
    }),

    ReceiveCallback: staged<
      ReceiveCallbackRequest,
      ReceiveCallbackResponse,
      { tenant: Tenant; report: ProviderReport; payment: PaymentRecord | null; providerStatus: ProviderStatus }
    >({
      prepare: async (call, { provider, store_id, environment, reference, token, ...headers }) => {
        const tenant: Tenant = { store: store_id.toLowerCase(), environment };
        const report = await gateway.readCallback(call, tenant, provider, {
          body: call.rawBody,
          headers,
          reference: reference ?? null,
          token: token ?? null,
          nowMs: clock.real(),
        });
        if (report === null) return UNVERIFIED;
        // Reports of unknown payments are answered 200, since the merchant may use the provider account for other
        // systems too.
        const payment = report.kind === 'nothing' ? null : await findNamed(postgres.sql, tenant, provider, report.of);
        if (payment === null && report.kind !== 'nothing')
          log.info({ provider, report: report.kind }, 'received a provider callback that matches no payment');
        const providerStatus =
          payment && report.kind === 'look'
            ? await gateway.fetchStatus(call, tenant, payment)
            : report.kind === 'payment'
              ? report.providerStatus
              : UNCHANGED;
        return { tenant, report, payment, providerStatus };
      },
      run: async (tx, _call, _input, { tenant, report, payment, providerStatus }) => {
        if (payment !== null && report.kind === 'refund') await refunds.recordReport(tx, tenant, payment, report);
        else if (payment !== null) await settlement.settle(tx, tenant, payment.id, providerStatus);
        return { received: true };
      },
      undo: () => {},
    }),

    SettleSimulated: transaction(async (tx, { tenant }, { reference, outcome }) => {
      const settled = await decideSimulated(tx, settlement, tenant, reference, outcome);
      return settled instanceof Refusal ? settled : paymentStatus(tenant, settled);
    }),
  };
};
