// Money on its way back: asked for by an order or given by the provider itself, sent until the provider has answered,
// settled once, and undone in the ledger where the provider said no.
import type { PaymentDirectoryRpcs } from '#proto/gen/payment.ts';
import { notFound, Refusal, refuse, type Tenant } from '#runtime/call.ts';
import { failpoint } from '#runtime/failpoint.ts';
import type { Foundation } from '#runtime/foundation.ts';
import { type Handlers, query } from '#runtime/rpc.ts';
import type { Transaction } from '#runtime/transaction.ts';
import { noteProviderRefund, partsThroughProviders, undoRefund } from '#services/ledger/index.ts';
import { currencyOf } from '#values/currency.ts';
import { toMajor } from '#values/money.ts';
import type { Gateway } from './gateway.ts';
import { derivedId } from './initialize.ts';
import { type PaymentRecord, told } from './payment.ts';
import type { RefundFinding, Report } from './provider/provider.ts';
import type { Settlement } from './settlement.ts';
import { findPaymentById, holdPayment, savePayment } from './table/payment.ts';
import {
  findReported,
  holdRefund,
  insertRefund,
  type PaymentRefund,
  partsOf,
  saveRefund,
  takeDueRefunds,
} from './table/refund.ts';

const SEND_TIMEOUT_MS = 3_500;
/** After a try that nobody answered: longer each time, up to an hour. */
const RETRY_MS = 10_000;
const RETRY_MS_MAX = 3_600_000;
/** Longer than a try lasts: where it ends without a word, another one is made then. */
const LEASE_MS = 15_000;
const AT_ONCE = 8;

interface RefundPart {
  readonly order: string;
  readonly refund: string;
  readonly payment: string;
  readonly amount: number;
  readonly reason: string | null;
}

type RefundReport = Extract<Report, { kind: 'refund' }>;

export interface Refunds {
  /** A provider's report of a refund, ours or its own, within the caller's transaction. */
  note(tx: Transaction, tenant: Tenant, payment: PaymentRecord, report: RefundReport): Promise<void>;
  /** What an order's refund is to send back through providers, by the books: noted, and sent where nobody has yet. */
  expect(tx: Transaction, tenant: Tenant, order: string, refund: string): Promise<void>;
  /** Sends again what nobody answered; how many. */
  sendDue(): Promise<number>;
  readonly handlers: Handlers<PaymentDirectoryRpcs>;
}

export const openRefunds = (foundation: Foundation, gateway: Gateway, settlement: Settlement): Refunds => {
  const { postgres, clock, log } = foundation;

  /** The money has gone back, or surely will not. */
  const settle = async (
    tx: Transaction,
    tenant: Tenant,
    of: Pick<PaymentRefund, 'id' | 'payment_id'>,
    finding: RefundFinding,
  ): Promise<PaymentRefund['status']> => {
    // The payment is locked first everywhere.
    const payment = (await holdPayment(tx.sql, tenant, of.payment_id))!;
    const refund = (await holdRefund(tx.sql, tenant, of.id))!;
    const now = tx.clock.now(tenant);
    const named = { ...refund, provider_refund: finding.providerRefund ?? refund.provider_refund };
    const moves =
      finding.status !== refund.status &&
      (refund.status === 'pending' || (refund.status === 'succeeded' && finding.status === 'failed'));
    if (!moves || finding.status === 'pending') {
      await saveRefund(tx.sql, tenant, named, null, now);
      return refund.status;
    }
    await saveRefund(tx.sql, tenant, { ...named, status: finding.status }, null, now);
    if (finding.status === 'failed') {
      const taken = refund.status === 'succeeded' ? payment.refunded - refund.amount : payment.refunded;
      if (refund.refund_id !== null && payment.order_id !== null)
        await undoRefund(tx, tenant, {
          refund: refund.refund_id,
          order: payment.order_id,
          currency: payment.currency,
          source: { kind: 'payment', subject: payment.id },
          amount: refund.amount,
        });
      const status = payment.status === 'refunded' && taken < payment.amount ? 'succeeded' : payment.status;
      await changed(tx, tenant, { ...payment, refunded: taken, status });
      return 'failed';
    }
    const refunded = Math.min(payment.amount, payment.refunded + refund.amount);
    const whole = refunded === payment.amount;
    const after: PaymentRecord = { ...payment, refunded, status: whole ? 'refunded' : payment.status };
    await changed(tx, tenant, after);
    const amount = toMajor(refund.amount, currencyOf(payment.currency));
    const object = {
      ...told(tenant, after),
      refund: { id: refund.refund_id ?? refund.id, amount, reason: refund.reason },
    };
    await tx.emit(tenant, [{ type: 'payment.refunded', object }]);
    return 'succeeded';
  };

  const changed = async (tx: Transaction, tenant: Tenant, payment: PaymentRecord): Promise<void> => {
    await savePayment(tx.sql, tenant, payment);
    tx.afterCommit(() => settlement.tellOrder(tenant, payment));
  };

  /** Asks the provider, and settles what it says; what it does not say stays pending and is asked again. */
  const send = async (
    tenant: Tenant,
    payment: PaymentRecord,
    refund: PaymentRefund,
  ): Promise<PaymentRefund['status']> => {
    const base = (process.env.STOA_PUBLIC_URL || 'http://localhost').replace(/\/$/, '');
    const found = await gateway.refund(
      tenant,
      payment,
      {
        id: refund.id,
        amount: refund.amount,
        reason: refund.reason,
        again: refund.reached > 1,
        reportUrl: `${base}/v1/payments/callbacks/${payment.provider}/${tenant.store}/${tenant.environment}`,
      },
      SEND_TIMEOUT_MS,
    );
    if (found.status !== 'unknown') {
      failpoint('provider', tenant.store);
      return postgres.transaction((tx) => settle(tx, tenant, refund, found));
    }
    const waitMs = Math.min(RETRY_MS_MAX, RETRY_MS * 2 ** (refund.attempts - 1));
    await postgres.transaction(async (tx) => {
      const held = await holdRefund(tx.sql, tenant, refund.id);
      if (held?.status !== 'pending') return;
      const tried = { ...held, reached: held.reached - (found.reached ? 0 : 1) };
      await saveRefund(tx.sql, tenant, tried, new Date(clock.real() + waitMs), clock.now(tenant));
    });
    return 'pending';
  };

  /**
   * Notes a part before its provider is asked: should this process end in between, another one asks. `attempts`: 1 where
   * the caller asks right away. `dueAt`: when somebody else does.
   */
  const begin = async (tx: Transaction, tenant: Tenant, part: RefundPart, attempts: 0 | 1, dueAt: Date) => {
    const payment = await holdPayment(tx.sql, tenant, part.payment);
    if (payment === null || payment.order_id !== part.order) return notFound('payment', 'payment_id');
    const id = derivedId('refund', part.refund, payment.id);
    const before = await holdRefund(tx.sql, tenant, id);
    if (before !== null) {
      const free = before.attempts < attempts && before.status === 'pending';
      const begun = { ...before, attempts, reached: attempts };
      if (free) await saveRefund(tx.sql, tenant, begun, dueAt, tx.clock.now(tenant));
      return { payment, refund: begun, fresh: free };
    }
    if (payment.status !== 'succeeded' && payment.status !== 'refunded')
      return refuse('conflict', `A payment that is ${payment.status} has nothing to give back.`);
    const refund: PaymentRefund = {
      id,
      payment_id: payment.id,
      refund_id: part.refund,
      amount: part.amount,
      reason: part.reason,
      status: 'pending',
      provider_refund: null,
      attempts,
      reached: attempts,
    };
    await insertRefund(tx.sql, tenant, refund, dueAt, tx.clock.now(tenant));
    return { payment, refund, fresh: true };
  };

  return {
    note: async (tx, tenant, payment, report) => {
      const { status, providerRefund } = report;
      const known = await findReported(tx.sql, tenant, payment.id, report);
      if (known !== null) {
        await settle(tx, tenant, known, { status, providerRefund });
        return;
      }
      // Given back by the provider itself, from its own dashboard. What has no name may be one that is known.
      if (status !== 'succeeded' || providerRefund === null || report.amount === null || report.amount <= 0) return;
      const held = (await holdPayment(tx.sql, tenant, payment.id))!;
      if (held.refunded + report.amount > held.amount || !(held.status === 'succeeded' || held.status === 'refunded')) {
        log.error({ payment: payment.id, amount: report.amount }, 'a provider gave back more than was paid');
        return;
      }
      const refund: PaymentRefund = {
        id: derivedId('provider refund', payment.id, providerRefund),
        payment_id: payment.id,
        refund_id: null,
        amount: report.amount,
        reason: null,
        status: 'pending',
        provider_refund: providerRefund,
        attempts: 0,
        reached: 0,
      };
      if (!(await insertRefund(tx.sql, tenant, refund, null, tx.clock.now(tenant)))) return;
      await noteProviderRefund(tx, tenant, {
        refund: refund.id,
        payment: payment.id,
        order: payment.order_id,
        currency: payment.currency,
        amount: report.amount,
      });
      await settle(tx, tenant, refund, { status: 'succeeded', providerRefund });
    },

    sendDue: async () => {
      const now = clock.real();
      const due = await takeDueRefunds(postgres.sql, new Date(now), new Date(now + LEASE_MS), AT_ONCE);
      const again = due.map(async ({ store, environment, ...refund }) => {
        const tenant: Tenant = { store, environment };
        const payment = await findPaymentById(postgres.sql, tenant, refund.payment_id);
        if (payment !== null) await send(tenant, payment, refund);
      });
      for (const outcome of await Promise.allSettled(again))
        if (outcome.status === 'rejected') log.warn({ err: outcome.reason }, 'a refund was not sent');
      return due.length;
    },

    expect: async (tx, tenant, order, refund) => {
      const now = new Date(clock.real());
      for (const { payment, amount, reason } of await partsThroughProviders(tx.sql, tenant, order, refund))
        await begin(tx, tenant, { order, refund, payment, amount, reason }, 0, now);
    },

    handlers: {
      GiveBack: query(async (sql, { tenant }, { order_id, refund_id, parts, reason }) => {
        for (const { payment_id, amount } of parts) {
          const part: RefundPart = {
            order: order_id,
            refund: refund_id,
            payment: payment_id,
            amount,
            reason: reason ?? null,
          };
          const dueAt = new Date(clock.real() + LEASE_MS);
          const begun = await postgres.transaction((tx) => begin(tx, tenant, part, 1, dueAt));
          if (begun instanceof Refusal) return begun;
          if (begun.fresh) await send(tenant, begun.payment, begun.refund);
        }
        return { status: overall(await partsOf(sql, tenant, refund_id)) };
      }),
    },
  };
};

/** How a refund stands: over once all of its parts are. */
const overall = (parts: readonly PaymentRefund[]): PaymentRefund['status'] => {
  if (parts.some(({ status }) => status === 'pending')) return 'pending';
  return parts.every(({ status }) => status === 'succeeded') ? 'succeeded' : 'failed';
};
