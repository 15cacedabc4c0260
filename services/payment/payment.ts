// The record of a payment, its API document, and its transitions by the provider's status. Pure.
import type { PaymentNotice } from '#proto/gen/event.ts';
import type { ListedPayment, PaymentState } from '#proto/gen/payment.ts';
import type { Tenant } from '#runtime/call/call.ts';
import { currencyOf } from '#values/currency.ts';
import { toMajor } from '#values/money.ts';
import type { PaymentQuery, ProviderStatus } from './provider/provider.ts';

export interface PaymentRecord {
  readonly id: string;
  readonly reference: string;
  readonly provider: string;
  readonly account: string | null;
  readonly type: 'redirect' | 'push';
  readonly status: 'opening' | 'refused' | PaymentState['status'];
  readonly currency: string;
  readonly amount: number;
  readonly refunded: number;
  readonly order_id: string | null;
  readonly order_number: string | null;
  readonly phone: string | null;
  readonly metadata: Readonly<Record<string, string>>;
  readonly success_url: string | null;
  readonly cancel_url: string | null;
  readonly session_id: string | null;
  readonly charge_id: string | null;
  readonly checkout_url: string | null;
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
  readonly order_notified: boolean;
  readonly created_at: Date;
}

export const orderHoldingMoney = ({ order_id, surplus }: PaymentRecord): string | null => (surplus ? null : order_id);

const shownStatus = ({ status }: PaymentRecord): PaymentState['status'] =>
  status === 'opening' || status === 'refused' ? 'pending' : status;

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
  expiresAt: payment.expires_at ?? now,
  now,
  needsReview: payment.needs_review,
});

export const isOpen = ({ status }: PaymentRecord): boolean => status === 'pending' || status === 'opening';

export type PaymentTransition =
  | { readonly to: 'succeeded' | 'failed' | 'expired' }
  /** `discrepancy` says why a person must review the payment. */
  | { readonly to: null; readonly discrepancy?: string };

const mismatch = (payment: PaymentRecord, { amount, currency }: ProviderStatus): string | null => {
  if (amount === undefined) return 'it is not told, or cannot be read, how much was paid';
  if (currency === undefined) return 'it is not told, or cannot be read, in which currency was paid';
  if (currency !== payment.currency) return `paid in ${currency} where ${payment.currency} was due`;
  return amount === payment.amount ? null : `${amount} was paid where ${payment.amount} was due`;
};

/**
 * Accepts a provider's statuses in any order: money received counts even after a failure, and no later status revokes
 * it. Simulated payments never change once ended.
 */
export const transitionOf = (payment: PaymentRecord, providerStatus: ProviderStatus): PaymentTransition => {
  if (providerStatus.status === 'pending') return { to: null };
  const open = isOpen(payment);
  if (!open && payment.account === null) return { to: null };
  if (providerStatus.status !== 'succeeded') return open ? { to: providerStatus.status } : { to: null };
  if (payment.status === 'succeeded' || payment.status === 'refunded') {
    const { chargeId } = providerStatus;
    const twice = chargeId && payment.charge_id && chargeId !== payment.charge_id;
    return twice ? { to: null, discrepancy: `paid again, as ${chargeId}` } : { to: null };
  }
  const discrepancy = mismatch(payment, providerStatus);
  return discrepancy === null ? { to: 'succeeded' } : { to: null, discrepancy };
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
