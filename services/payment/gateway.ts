// The way to providers: which account a payment goes through, and how long a call waits for it.
import { type Call, type Refusal, refuse, type Tenant } from '#runtime/call/call.ts';
import { Unavailable } from '#runtime/call/fault.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { asked, type PaymentRecord } from './payment.ts';
import type { Adapters } from './provider/directory.ts';
import {
  type AskedPayment,
  type Callback,
  Denied,
  type Finding,
  NotLetIn,
  NotReached,
  type Opened,
  type PaymentOpening,
  type ProviderAccount,
  type ProviderAdapter,
  type ProviderReport,
  ProviderTrouble,
  type RefundFinding,
  type RefundOrder,
} from './provider/provider.ts';
import { findPaymentById } from './table/payment.ts';
import { accountOf, accountsNamed, findAccount, findConnected, type PaymentProviderRecord } from './table/provider.ts';

const LIVES_MS = 30 * 60_000;

/** The sandbox stands in for every built-in provider that is not connected: a page of our own asks the shopper. */
const openSimulated = ({ reference, baseUrl, now }: PaymentOpening): Opened => ({
  sessionId: `sim_${reference.slice(reference.indexOf('_') + 1)}`,
  checkoutUrl: `${baseUrl}/pay/${reference}`,
  expiresAt: new Date(now.getTime() + LIVES_MS),
});

/** Exact by the tenant's clock, whether or not it is read. */
const lookSimulated = ({ expiresAt, now }: AskedPayment): Finding => ({
  status: expiresAt <= now ? 'expired' : 'pending',
});

/** A token whose order took what it stands for has paid. */
const tokenPaid = ({ id, amount, currency }: Pick<PaymentRecord, 'id' | 'amount' | 'currency'>): Finding => ({
  status: 'succeeded',
  amount,
  currency,
  chargeId: `simch_${id}`,
});

const refundSimulated = (id: string): RefundFinding => ({ status: 'succeeded', providerRefund: `simre_${id}` });

/** What is left of a call's time for what follows the provider's answer. */
const RESERVE_MS = 2_500;
const WAIT_MS_MAX = 10_000;

/** It is not known yet what becomes of a refund. */
export interface RefundUnknown {
  readonly status: 'unknown';
  /** Whether this try may have come to the provider. */
  readonly reached: boolean;
}

interface Way {
  readonly adapter: ProviderAdapter;
  readonly account: ProviderAccount;
}

export interface Gateway {
  open(call: Call, record: PaymentProviderRecord | null, opening: PaymentOpening): Promise<Opened | Refusal>;
  look(call: Pick<Call, 'deadline'>, tenant: Tenant, payment: PaymentRecord): Promise<Finding>;
  /** Ends an open payment at its provider, where that has a way; false: it may still be paid. */
  end(tenant: Tenant, payment: PaymentRecord, timeoutMs: number): Promise<boolean>;
  refund(
    tenant: Tenant,
    payment: PaymentRecord,
    refund: RefundOrder,
    timeoutMs: number,
  ): Promise<RefundFinding | RefundUnknown>;
  /** What a report says, by the first account of this name that it is surely of; null where it is of none. */
  read(
    call: Pick<Call, 'deadline'>,
    tenant: Tenant,
    provider: string,
    callback: Callback,
  ): Promise<ProviderReport | null>;
}

const denial = ({ why, message, word }: Denied): Refusal => {
  const details = word === '' ? {} : { details: `The provider says: ${word}.` };
  if (why === 'declined') return refuse('payment_declined', message, details);
  if (why === 'credentials')
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

  /** The trouble that it is in; whatever else was thrown goes on. */
  const troubleOf = (provider: string, problem: unknown): ProviderTrouble => {
    if (!(problem instanceof ProviderTrouble)) throw problem;
    log.warn({ provider, problem: problem.message }, 'a payment provider is in trouble');
    return problem;
  };

  /** Provider trouble as every caller knows it: nothing is settled, and another try makes sense. */
  const reach = async <T>(provider: string, work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (problem) {
      troubleOf(provider, problem);
      throw new Unavailable('The payment provider does not answer.', { retryAfterS: 2 });
    }
  };

  /**
   * The account that a payment was begun with, then the one that was connected in its place: keys are changed, and the
   * payments stay where they are. None: the simulator.
   */
  const waysTo = async (tenant: Tenant, payment: PaymentRecord): Promise<readonly Way[]> => {
    const begun = payment.account === null ? null : await findAccount(postgres.sql, tenant, payment.account);
    if (begun === null) return [];
    const now = await findConnected(postgres.sql, tenant, begun.provider);
    return [begun, ...(now === null || now.id === begun.id ? [] : [now])].map((record) => ({
      adapter: adapters.of(record.provider, record.custom),
      account: accountOf(seal, tenant, record),
    }));
  };

  /** Whose account took the money of a payment, and as which: a merchant's share came in with the whole. */
  const takenBy = async (tenant: Tenant, payment: PaymentRecord): Promise<readonly [Tenant, PaymentRecord]> => {
    const { whole_operator: operator, whole_payment: whole } = payment;
    if (operator === null || whole === null) return [tenant, payment];
    const owner: Tenant = { store: operator, environment: tenant.environment };
    const found = await findPaymentById(postgres.sql, owner, whole);
    if (found === null) throw new Error(`the payment ${whole} is gone, and its shares are not`);
    return [owner, found];
  };

  return {
    open: async (call, record, opening) => {
      if (record === null) return openSimulated(opening);
      const adapter = adapters.of(record.provider, record.custom);
      const account = accountOf(seal, call.tenant, record);
      const opened = await reach(record.provider, () => adapter.open(account, opening, timeFor(call)));
      return opened instanceof Denied ? denial(opened) : opened;
    },

    look: async (call, tenant, payment) => {
      const question = asked(payment, clock.now(tenant));
      const [begun, now] = await waysTo(tenant, payment);
      if (!begun) return payment.delegated ? tokenPaid(payment) : lookSimulated(question);
      const through = ({ adapter, account }: Way) => adapter.look(account, question, timeFor(call));
      return reach(payment.provider, async () => {
        try {
          return await through(begun);
        } catch (problem) {
          if (!(problem instanceof NotLetIn) || !now) throw problem;
          const found = await through(now);
          // Another account of the merchant's may just not know of it.
          if (found.status === 'expired') throw problem;
          return found;
        }
      });
    },

    end: async (tenant, payment, timeoutMs) => {
      const [way] = await waysTo(tenant, payment);
      if (!way) return true;
      try {
        return (await way.adapter.end?.(way.account, asked(payment, clock.now(tenant)), timeoutMs)) ?? false;
      } catch (problem) {
        troubleOf(payment.provider, problem);
        return false;
      }
    },

    refund: async (tenant, payment, refund, timeoutMs) => {
      const [owner, taken] = await takenBy(tenant, payment);
      const ways = await waysTo(owner, taken);
      if (ways.length === 0) return refundSimulated(refund.id);
      const question = asked(taken, clock.now(owner));
      let unheard = false;
      try {
        for (const [tried, { adapter, account }] of ways.entries()) {
          const told = await adapter.refund(account, question, refund, timeoutMs);
          if (!(told instanceof Denied)) return told;
          log.warn({ provider: payment.provider, word: told.word }, told.message);
          // Who is not let in hears nothing of what an earlier try came to, nor does another account of the merchant's.
          unheard ||= refund.again && (tried > 0 || told.why === 'credentials');
          if (told.why !== 'credentials') break;
        }
        return unheard ? { status: 'unknown', reached: false } : { status: 'failed', providerRefund: null };
      } catch (problem) {
        return { status: 'unknown', reached: !(troubleOf(payment.provider, problem) instanceof NotReached) };
      }
    },

    read: async (call, tenant, provider, callback) => {
      for (const record of await accountsNamed(postgres.sql, tenant, provider)) {
        const adapter = adapters.of(record.provider, record.custom);
        const account = accountOf(seal, tenant, record);
        const report = await reach(provider, () => adapter.read(account, callback, timeFor(call)));
        if (report !== null) return report;
      }
      return null;
    },
  };
};
