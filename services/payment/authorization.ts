// Ends authorised payments: a capture or a void is decided once under the payment's lock, then carried out at the
// provider until it answers. After a crash or a time-out the poll carries it out.
import { invalid, notFound, Refusal, refuse, type Tenant } from '#runtime/call/call.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import { failpoint } from '#runtime/process/failpoint.ts';
import { badAmount } from '#services/commerce/shared_refusal.ts';
import { isCancelledOrder, isClosedToPayment, lockPayments } from '#services/ledger/index.ts';
import { currencyOf } from '#values/currency.ts';
import { majorText, toMinor } from '#values/money.ts';
import type { Gateway } from './gateway.ts';
import type { Ending, PaymentRecord } from './payment.ts';
import type { Settlement } from './settlement.ts';
import { authorizedPaymentsOf, findByReference, lockPayment, saveEnding, setNeedsReview } from './table/payment.ts';

/** Longer than a try takes. After a crash the poll tries again when it has passed. */
const LEASE_MS = 15_000;
const END_TIMEOUT_MS = 10_000;

const CANCELLED = refuse('conflict', 'The order is cancelled, so its payment cannot be captured.', {
  param: 'reference',
  hint: 'Its authorisation is voided.',
});
const PAID = refuse('conflict', 'Another payment paid the order, so this one cannot be captured.', {
  param: 'reference',
  hint: 'Its authorisation is voided.',
});

export interface RequestedEnding {
  readonly kind: Ending;
  /** In major units; null: the whole amount. */
  readonly amount: number | null;
  /** Id of the command that asks for it. */
  readonly by: string;
}

export interface Authorizations {
  /** Decides in its own transaction. A retry of the same command returns the payment as it is. */
  decide(tenant: Tenant, reference: string, requested: RequestedEnding): Promise<PaymentRecord | Refusal>;
  /** Carries out the decision. Returns the payment unchanged while the provider's answer is unknown. */
  carryOut(
    call: { readonly deadline: number },
    tenant: Tenant,
    payment: PaymentRecord,
  ): Promise<PaymentRecord | Refusal>;
  /** Carries out for the poll. Withdraws what the provider denies, and marks the payment for review. */
  carryOutAgain(call: { readonly deadline: number }, tenant: Tenant, payment: PaymentRecord): Promise<void>;
  /** Voids the authorised payments of an order that is cancelled or paid. */
  release(tx: Transaction, tenant: Tenant, order: string): Promise<void>;
}

const amountOf = (payment: PaymentRecord, { kind, amount }: RequestedEnding): number | Refusal => {
  const currency = currencyOf(payment.currency);
  if (kind === 'void' || amount === null) return payment.amount;
  const minor = toMinor(amount, currency);
  if (minor === null) return badAmount('amount', amount, currency);
  if (minor > 0 && minor <= payment.amount) return minor;
  return invalid(
    'amount',
    `\`amount\` must be above 0 and at most ${majorText(payment.amount, currency)} ${currency.code}.`,
  );
};

const obstacleTo = ({ status, ending }: PaymentRecord, kind: Ending): Refusal | null => {
  const verb = kind === 'capture' ? 'captured' : 'voided';
  if (status !== 'authorized')
    return refuse('conflict', `The payment is ${status}: only an authorised payment can be ${verb}.`, {
      param: 'reference',
    });
  if (ending === null) return null;
  return refuse('conflict', `A ${ending} of the payment is in progress.`, { param: 'reference' });
};

export const openAuthorizations = (
  { postgres, clock, log }: Pick<Runtime, 'postgres' | 'clock' | 'log'>,
  gateway: Gateway,
  settlement: Settlement,
): Authorizations => {
  const closedOrder = async (
    tx: Transaction,
    tenant: Tenant,
    { id, order_id }: PaymentRecord,
  ): Promise<Refusal | null> => {
    if (order_id === null || !(await isClosedToPayment(tx, tenant, order_id, id))) return null;
    return (await isCancelledOrder(tx.sql, tenant, order_id)) ? CANCELLED : PAID;
  };

  const withdraw = (tenant: Tenant, { id, ending }: PaymentRecord): Promise<void> =>
    postgres.transaction(async (tx) => {
      const held = await lockPayment(tx.sql, tenant, id);
      if (held?.ending !== ending || held.status !== 'authorized') return;
      const next = new Date(clock.real() + LEASE_MS);
      await saveEnding(tx.sql, tenant, { id, ending: null, ending_amount: null, ending_by: null }, next);
    }, tenant);

  const carryOut: Authorizations['carryOut'] = async (call, tenant, payment) => {
    if (payment.ending === null) return payment;
    const found = await gateway.endAuthorization(call, tenant, payment);
    if (found === 'unknown') return payment;
    if (found instanceof Refusal) {
      await withdraw(tenant, payment);
      return found;
    }
    failpoint('provider', tenant.store);
    return postgres.transaction((tx) => settlement.settle(tx, tenant, payment.id, found), tenant);
  };

  const carryOutAgain: Authorizations['carryOutAgain'] = async (call, tenant, payment) => {
    const ended = await carryOut(call, tenant, payment);
    if (!(ended instanceof Refusal)) return;
    log.error({ payment: payment.id, ending: payment.ending }, 'failed to end an authorised payment; needs review');
    await setNeedsReview(postgres.sql, tenant, payment.id);
  };

  const voidNow = (tenant: Tenant, payment: PaymentRecord): Promise<void> =>
    carryOutAgain({ deadline: clock.real() + END_TIMEOUT_MS }, tenant, payment).catch((err: unknown) =>
      log.warn({ err, payment: payment.id }, 'failed to void an authorised payment; the poll retries'),
    );

  return {
    decide: async (tenant, reference, requested) => {
      const found = await findByReference(postgres.sql, tenant, reference);
      if (found === null) return notFound('payment', 'reference');
      return postgres.transaction(async (tx) => {
        if (found.order_id !== null) await lockPayments(tx, tenant, found.order_id);
        const payment = (await lockPayment(tx.sql, tenant, found.id))!;
        if (payment.ending_by === requested.by) return payment;
        const amount = amountOf(payment, requested);
        const obstacle =
          obstacleTo(payment, requested.kind) ??
          (requested.kind === 'capture' ? await closedOrder(tx, tenant, payment) : null);
        if (obstacle !== null) return obstacle;
        if (amount instanceof Refusal) return amount;
        const decided: PaymentRecord = {
          ...payment,
          ending: requested.kind,
          ending_amount: amount,
          ending_by: requested.by,
        };
        await saveEnding(tx.sql, tenant, decided, new Date(clock.real() + LEASE_MS));
        return decided;
      }, tenant);
    },

    carryOut,
    carryOutAgain,

    release: async (tx, tenant, order) => {
      await lockPayments(tx, tenant, order);
      for (const { id } of await authorizedPaymentsOf(tx.sql, tenant, order)) {
        const payment = await lockPayment(tx.sql, tenant, id);
        if (payment?.status !== 'authorized' || payment.ending !== null) continue;
        const decided: PaymentRecord = { ...payment, ending: 'void', ending_amount: payment.amount };
        if (payment.account === null) await settlement.settle(tx, tenant, id, { status: 'voided' });
        else {
          await saveEnding(tx.sql, tenant, decided, new Date(clock.real() + LEASE_MS));
          tx.afterCommit(() => voidNow(tenant, decided));
        }
      }
    },
  };
};
