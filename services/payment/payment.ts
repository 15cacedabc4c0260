// The record of a payment, its API document, and its transitions by the provider's status. Pure.
import type { PaymentNotice } from '#proto/gen/event.ts';
import type { ListedPayment, PaymentState } from '#proto/gen/payment.ts';
import type { Tenant } from '#runtime/call/call.ts';
import type { OrderBooks } from '#services/ledger/index.ts';
import { currencyOf } from '#values/currency.ts';
import { toMajor } from '#values/money.ts';
import type { PaymentQuery, ProviderStatus } from './provider/provider.ts';

export type Ending = 'capture' | 'void';

export interface PaymentRecord {
  readonly id: string;
  readonly reference: string;
  readonly provider: string;
  readonly account: string | null;
  readonly type: 'redirect' | 'push' | 'element';
  readonly status: 'opening' | 'refused' | PaymentState['status'];
  readonly currency: string;
  readonly amount: number;
  readonly refunded: number;
  readonly capture: 'automatic' | 'manual';
  /** Amount authorised; after a capture `amount` is the captured part of it. */
  readonly authorized: number | null;
  readonly authorized_at: Date | null;
  /** Capture or void that was decided and that the provider has not confirmed. */
  readonly ending: Ending | null;
  readonly ending_amount: number | null;
  /** Id of the command that decided it; a retry of the command finds its own decision. */
  readonly ending_by: string | null;
  readonly order_id: string | null;
  readonly order_number: string | null;
  readonly phone: string | null;
  readonly metadata: Readonly<Record<string, string>>;
  readonly success_url: string | null;
  readonly cancel_url: string | null;
  readonly session_id: string | null;
  readonly charge_id: string | null;
  readonly checkout_url: string | null;
  /** When the session expires; of an authorised payment, when the authorisation lapses. */
  readonly expires_at: Date | null;
  readonly paid_at: Date | null;
  readonly failure: string | null;
  /** True if a report did not match the payment, or money without an order must be returned. */
  readonly needs_review: boolean;
  /** True if the order was already paid or cancelled, so that the money is refunded. */
  readonly surplus: boolean;
  /** Id of the checkout over several merchants; set on its payment and on each merchant's share. */
  readonly checkout_group_id: string | null;
  readonly shares: readonly MerchantShare[] | null;
  /** For a merchant's share the operator that received the whole payment; else null. */
  readonly whole_operator: string | null;
  readonly whole_payment: string | null;
  readonly delegated: boolean;
  /** Books of the paid order; null if it is in the store's currency. */
  readonly books: OrderBooks | null;
  readonly order_notified: boolean;
  readonly created_at: Date;
}

export const orderHoldingMoney = ({ order_id, surplus }: PaymentRecord): string | null => (surplus ? null : order_id);

const shownStatus = ({ status }: PaymentRecord): PaymentState['status'] =>
  status === 'opening' || status === 'refused' ? 'pending' : status;

const authorizationOf = (payment: PaymentRecord) => ({
  amount_authorized: payment.authorized === null ? null : toMajor(payment.authorized, currencyOf(payment.currency)),
  authorized_at: payment.authorized_at?.toISOString() ?? null,
  capture_before: payment.status === 'authorized' ? (payment.expires_at?.toISOString() ?? null) : null,
});

export const paymentStatus = ({ environment }: Tenant, payment: PaymentRecord): PaymentState => ({
  success: payment.status === 'succeeded',
  provider: payment.provider,
  reference: payment.reference,
  status: shownStatus(payment),
  amount: toMajor(payment.amount, currencyOf(payment.currency)),
  currency: payment.currency,
  paid_at: payment.paid_at?.toISOString() ?? null,
  order_id: payment.order_id,
  environment,
  needs_review: payment.needs_review,
  capture: payment.capture,
  ...authorizationOf(payment),
  in_progress: payment.ending,
});

export const paymentDocument = (tenant: Tenant, payment: PaymentRecord): PaymentNotice & ListedPayment => ({
  id: payment.id,
  ...paymentStatus(tenant, payment),
  amount_refunded: toMajor(payment.refunded, currencyOf(payment.currency)),
  failure: payment.failure,
  metadata: payment.metadata,
  created_at: payment.created_at.toISOString(),
});

export const paymentQuery = (payment: PaymentRecord, now: Date): PaymentQuery => ({
  id: payment.id,
  reference: payment.reference,
  sessionId: payment.session_id ?? '',
  chargeId: payment.charge_id,
  amount: payment.amount,
  currency: currencyOf(payment.currency),
  isManual: payment.capture === 'manual',
  expiresAt: payment.expires_at ?? now,
  now,
  needsReview: payment.needs_review,
});

export const isOpen = ({ status }: PaymentRecord): boolean => status === 'pending' || status === 'opening';

export type PaymentTransition =
  | { readonly to: 'authorized' | 'succeeded' | 'failed' | 'expired' | 'voided' }
  /** `discrepancy` says why a person must review the payment. */
  | { readonly to: null; readonly discrepancy?: string };

const mismatch = (payment: PaymentRecord, { status, amount, currency }: ProviderStatus): string | null => {
  if (amount === undefined) return 'it is not told, or cannot be read, how much was paid';
  if (currency === undefined) return 'it is not told, or cannot be read, in which currency was paid';
  if (currency !== payment.currency) return `paid in ${currency} where ${payment.currency} was due`;
  const most = payment.authorized ?? payment.amount;
  if (payment.capture === 'manual' && status === 'succeeded')
    return amount > 0 && amount <= most ? null : `${amount} was captured where ${most} was authorised`;
  return amount === payment.amount ? null : `${amount} was paid where ${payment.amount} was due`;
};

/**
 * Accepts a provider's statuses in any order: money received counts even after a failure, and no later status revokes
 * it. Simulated payments never change once ended.
 */
export const transitionOf = (payment: PaymentRecord, providerStatus: ProviderStatus): PaymentTransition => {
  const { status } = providerStatus;
  if (status === 'pending') return { to: null };
  const open = isOpen(payment);
  const authorized = payment.status === 'authorized';
  if (!open && !authorized && payment.account === null) return { to: null };
  if (status === 'authorized') {
    if (authorized || payment.status === 'voided' || payment.paid_at !== null) return { to: null };
    if (payment.capture === 'automatic') return { to: null, discrepancy: 'authorised where a capture was requested' };
    const discrepancy = mismatch(payment, providerStatus);
    return discrepancy === null ? { to: 'authorized' } : { to: null, discrepancy };
  }
  if (status !== 'succeeded') {
    if (authorized) return { to: 'voided' };
    return open ? { to: status === 'voided' ? 'expired' : status } : { to: null };
  }
  if (payment.status === 'succeeded' || payment.status === 'refunded') {
    const { chargeId } = providerStatus;
    const twice = chargeId && payment.charge_id && chargeId !== payment.charge_id;
    return twice ? { to: null, discrepancy: `paid again, as ${chargeId}` } : { to: null };
  }
  const discrepancy = mismatch(payment, providerStatus);
  return discrepancy === null ? { to: 'succeeded' } : { to: null, discrepancy };
};

/** Time for which a provider that does not tell otherwise keeps an authorisation. */
const AUTHORIZATION_MS = 7 * 86_400_000;

/** Returns the payment after a transition. The amount of a capture becomes the payment's amount. */
export const movedPayment = (
  payment: PaymentRecord,
  to: NonNullable<PaymentTransition['to']>,
  { amount, chargeId, failure, captureBefore }: ProviderStatus,
  now: Date,
): PaymentRecord => {
  const succeeded = to === 'succeeded';
  const moved: PaymentRecord = {
    ...payment,
    status: to,
    paid_at: succeeded ? now : null,
    charge_id: chargeId ?? payment.charge_id,
    failure: to === 'failed' || to === 'expired' ? (failure ?? to) : null,
    needs_review: payment.needs_review && !succeeded && to !== 'authorized',
    ending: null,
    ending_amount: null,
  };
  if (to === 'authorized')
    return {
      ...moved,
      authorized: payment.amount,
      authorized_at: now,
      expires_at: captureBefore ?? new Date(now.getTime() + AUTHORIZATION_MS),
    };
  if (!succeeded || payment.capture === 'automatic') return moved;
  return {
    ...moved,
    amount: amount ?? payment.amount,
    authorized: payment.authorized ?? payment.amount,
    authorized_at: payment.authorized_at ?? now,
  };
};

export interface MerchantShare {
  readonly store: string;
  readonly order_id: string;
  readonly order_number: string;
  /** In the currency's smallest unit. */
  readonly amount: number;
  /** Generation of the merchant's sandbox when the order was placed; a reset raises it. */
  readonly generation: number;
}
