// Calls payment providers: chooses the merchant's account for each call, and its time-out.
import { type Call, type Refusal, refuse, type Tenant } from '#runtime/call/call.ts';
import { Unavailable } from '#runtime/call/fault.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { type PaymentRecord, paymentQuery } from './payment.ts';
import type { Adapters } from './provider/directory.ts';
import {
  type Callback,
  CredentialsRejected,
  type OpenedSession,
  type PaymentOpening,
  type PaymentQuery,
  ProviderDenial,
  ProviderFault,
  ProviderNotReached,
  type ProviderRefundStatus,
  type ProviderReport,
  type ProviderStatus,
  type RefundInstruction,
} from './provider/provider.ts';
import { openRoutes, type ProviderRoute } from './provider_route.ts';
import { accountOf, accountsNamed, type PaymentProviderRecord } from './table/provider.ts';

/** Script of the simulator's card fields, served by the edge. */
const SIMULATOR_SCRIPT_PATH = '/pay/element.js';
const SIMULATED_EXPIRY_MS = 30 * 60_000;

/**
 * Opens a page of this service instead of the provider's, for a built-in provider to which the sandbox is not
 * connected.
 */
const openSimulated = ({ reference, baseUrl, now, isElement }: PaymentOpening): OpenedSession => ({
  sessionId: `sim_${reference.slice(reference.indexOf('_') + 1)}`,
  checkoutUrl: isElement ? null : `${baseUrl}/pay/${reference}`,
  expiresAt: new Date(now.getTime() + SIMULATED_EXPIRY_MS),
  ...(isElement && {
    element: {
      provider: 'simulator',
      // The reference is the secret, since the simulator's pages take it alone, too.
      clientSecret: `${reference}_secret_simulated`,
      publishableKey: null,
      scriptUrl: `${baseUrl}${SIMULATOR_SCRIPT_PATH}`,
    },
  }),
});

const simulatedStatus = ({ expiresAt, now }: PaymentQuery): ProviderStatus => ({
  status: expiresAt <= now ? 'expired' : 'pending',
});

const tokenStatus = ({ id, amount, currency }: Pick<PaymentRecord, 'id' | 'amount' | 'currency'>): ProviderStatus => ({
  status: 'succeeded',
  amount,
  currency,
  chargeId: `simch_${id}`,
});

const simulatedEnd = ({ id, ending, ending_amount, amount, currency }: PaymentRecord): ProviderStatus =>
  ending === 'void'
    ? { status: 'voided' }
    : { status: 'succeeded', amount: ending_amount ?? amount, currency, chargeId: `simch_${id}` };

const refundSimulated = (id: string): ProviderRefundStatus => ({ status: 'succeeded', providerRefund: `simre_${id}` });

/** Part of the call's time kept for the steps after the provider's answer. */
const RESERVE_MS = 2_500;
const WAIT_MS_MAX = 10_000;

export interface RefundUnknown {
  readonly status: 'unknown';
  /** True if the provider may have received this try. */
  readonly reached: boolean;
}

export interface Gateway {
  open(call: Call, record: PaymentProviderRecord | null, opening: PaymentOpening): Promise<OpenedSession | Refusal>;
  fetchStatus(call: Pick<Call, 'deadline'>, tenant: Tenant, payment: PaymentRecord): Promise<ProviderStatus>;
  /** Returns false if the provider cannot cancel the payment, which may then still be paid. */
  endAtProvider(tenant: Tenant, payment: PaymentRecord, timeoutMs: number): Promise<boolean>;
  refund(
    tenant: Tenant,
    payment: PaymentRecord,
    refund: RefundInstruction,
    timeoutMs: number,
  ): Promise<ProviderRefundStatus | RefundUnknown>;
  /**
   * Captures or voids an authorised payment, as its `ending` says. A refusal leaves the authorisation as it was; after
   * `unknown` the same call is made again.
   */
  endAuthorization(
    call: Pick<Call, 'deadline'>,
    tenant: Tenant,
    payment: PaymentRecord,
  ): Promise<ProviderStatus | Refusal | 'unknown'>;
  /** Reads a callback with the first account that verifies its signature; null if no account does. */
  readCallback(
    call: Pick<Call, 'deadline'>,
    tenant: Tenant,
    provider: string,
    callback: Callback,
  ): Promise<ProviderReport | null>;
}

const denial = ({ reason, message, providerCode }: ProviderDenial): Refusal => {
  const details = providerCode === '' ? {} : { details: `The provider says: ${providerCode}.` };
  if (reason === 'declined') return refuse('payment_declined', message, details);
  if (reason === 'credentials')
    return refuse('conflict', message, {
      ...details,
      hint: 'Connect the provider again at POST /v1/payments/providers.',
    });
  return refuse('invalid_request', message, details);
};

export const openGateway = (runtime: Runtime, adapters: Adapters): Gateway => {
  const { postgres, clock, seal, log } = runtime;

  const timeFor = ({ deadline }: Pick<Call, 'deadline'>): number =>
    Math.max(1, Math.min(WAIT_MS_MAX, deadline - clock.real() - RESERVE_MS));

  const logFault = (provider: string, problem: unknown): ProviderFault => {
    if (!(problem instanceof ProviderFault)) throw problem;
    log.warn({ provider, problem: problem.message }, 'failed to call a payment provider');
    return problem;
  };

  /** Reports a provider's fault as unavailable: the payment is unchanged, so the caller may retry. */
  const callOrUnavailable = async <T>(provider: string, work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (problem) {
      logFault(provider, problem);
      throw new Unavailable('The payment provider does not answer.', { retryAfterS: 2 });
    }
  };

  const { routesOf, paymentWithMoney } = openRoutes(runtime, adapters);

  return {
    open: async (call, record, opening) => {
      if (record === null) return openSimulated(opening);
      const adapter = adapters.of(record.provider, record.custom);
      const account = accountOf(seal, call.tenant, record);
      const opened = await callOrUnavailable(record.provider, () => adapter.open(account, opening, timeFor(call)));
      return opened instanceof ProviderDenial ? denial(opened) : opened;
    },

    fetchStatus: async (call, tenant, payment) => {
      const question = paymentQuery(payment, clock.now(tenant));
      const [started, now] = await routesOf(tenant, payment);
      if (!started) return payment.delegated ? tokenStatus(payment) : simulatedStatus(question);
      const through = ({ adapter, account }: ProviderRoute) => adapter.fetchStatus(account, question, timeFor(call));
      return callOrUnavailable(payment.provider, async () => {
        try {
          return await through(started);
        } catch (problem) {
          if (!(problem instanceof CredentialsRejected) || !now) throw problem;
          const found = await through(now);
          // `expired` from an account connected later may only mean that it does not have the payment.
          if (found.status === 'expired') throw problem;
          return found;
        }
      });
    },

    endAtProvider: async (tenant, payment, timeoutMs) => {
      const [route] = await routesOf(tenant, payment);
      if (!route) return true;
      try {
        return (
          (await route.adapter.cancelSession?.(route.account, paymentQuery(payment, clock.now(tenant)), timeoutMs)) ??
          false
        );
      } catch (problem) {
        logFault(payment.provider, problem);
        return false;
      }
    },

    endAuthorization: async (call, tenant, payment) => {
      const routes = await routesOf(tenant, payment);
      if (routes.length === 0) return simulatedEnd(payment);
      const question = paymentQuery(payment, clock.now(tenant));
      try {
        for (const { adapter, account } of routes) {
          const ends = adapter.authorizations;
          if (!ends) throw new Error(`${adapter.name} authorised a payment, and cannot end it`);
          const outcome =
            payment.ending === 'void'
              ? await ends.release(account, question, timeFor(call))
              : await ends.capture(account, question, payment.ending_amount ?? payment.amount, timeFor(call));
          if (!(outcome instanceof ProviderDenial)) return outcome;
          log.warn({ provider: payment.provider, word: outcome.providerCode }, outcome.message);
          if (outcome.reason !== 'credentials') return denial(outcome);
        }
        // Rejected credentials do not tell what an earlier try did.
        return 'unknown';
      } catch (problem) {
        logFault(payment.provider, problem);
        return 'unknown';
      }
    },

    refund: async (tenant, payment, refund, timeoutMs) => {
      const [owner, taken] = await paymentWithMoney(tenant, payment);
      const routes = await routesOf(owner, taken);
      if (routes.length === 0) return refundSimulated(refund.id);
      const question = paymentQuery(taken, clock.now(owner));
      let earlierTryUnknown = false;
      try {
        for (const [tried, { adapter, account }] of routes.entries()) {
          const outcome = await adapter.refund(account, question, refund, timeoutMs);
          if (!(outcome instanceof ProviderDenial)) return outcome;
          log.warn({ provider: payment.provider, word: outcome.providerCode }, outcome.message);
          // Rejected credentials, or a denial by another account, do not tell whether an earlier try succeeded.
          earlierTryUnknown ||= refund.isRetry && (tried > 0 || outcome.reason === 'credentials');
          if (outcome.reason !== 'credentials') break;
        }
        return earlierTryUnknown ? { status: 'unknown', reached: false } : { status: 'failed', providerRefund: null };
      } catch (problem) {
        return { status: 'unknown', reached: !(logFault(payment.provider, problem) instanceof ProviderNotReached) };
      }
    },

    readCallback: async (call, tenant, provider, callback) => {
      for (const record of await accountsNamed(postgres.sql, tenant, provider)) {
        const adapter = adapters.of(record.provider, record.custom);
        const account = accountOf(seal, tenant, record);
        const report = await callOrUnavailable(provider, () => adapter.readCallback(account, callback, timeFor(call)));
        if (report !== null) return report;
      }
      return null;
    },
  };
};
