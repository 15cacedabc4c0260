// A payment as it is stored and as the API shows it, and what a finding makes of it. Pure.
import type { PaymentTold } from '#proto/gen/event.ts';
import type { ListedPayment, PaymentStanding } from '#proto/gen/payment.ts';
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
  readonly status: 'opening' | 'refused' | PaymentStanding['status'];
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
  /** What was told of it does not add up, or money of it that no order holds is not back yet. */
  readonly needs_review: boolean;
  /** Its order was paid or cancelled before: what it brought in goes back. */
  readonly surplus: boolean;
  /** The checkout over several merchants that it pays, or pays a share of. */
  readonly checkout_group_id: string | null;
  /** Of an operator's payment alone. */
  readonly shares: readonly MerchantShare[] | null;
  /** Of a merchant's share alone: whose payment it is a share of, and of which. */
  readonly whole_operator: string | null;
  readonly whole_payment: string | null;
  /** Paid by a token. */
  readonly delegated: boolean;
  /** Whether its order knows how it stands. */
  readonly order_notified: boolean;
  readonly created_at: Date;
}

/** The order that holds its money. */
export const orderHoldingMoney = ({ order_id, surplus }: PaymentRecord): string | null => (surplus ? null : order_id);

/** Only what was begun is shown; `opening` and `refused` are not shown. */
const shownStatus = ({ status }: PaymentRecord): PaymentStanding['status'] =>
  status === 'opening' || status === 'refused' ? 'pending' : status;

export const paymentStatus = ({ environment }: Tenant, payment: PaymentRecord): PaymentStanding => ({
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

/** A payment as lists show it, and `data.object` of its events. */
export const paymentDocument = (tenant: Tenant, payment: PaymentRecord): PaymentTold & ListedPayment => ({
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

/** Nothing was decided of it yet. */
export const isOpen = ({ status }: PaymentRecord): boolean => status === 'pending' || status === 'opening';

export type PaymentTransition =
  | { readonly to: 'succeeded' | 'failed' | 'expired' }
  /** `odd`: what does not add up, for a person to look at. */
  | { readonly to: null; readonly discrepancy?: string };

/** What of a success is not as it was asked for; null where all of it is. */
const mismatch = (payment: PaymentRecord, { amount, currency }: ProviderStatus): string | null => {
  if (amount === undefined) return 'it is not told, or cannot be read, how much was paid';
  if (currency === undefined) return 'it is not told, or cannot be read, in which currency was paid';
  if (currency !== payment.currency) return `paid in ${currency} where ${payment.currency} was due`;
  return amount === payment.amount ? null : `${amount} was paid where ${payment.amount} was due`;
};

/**
 * What a finding makes of a payment, in whatever order findings come: money that arrived is believed even after a failure
 * was told, and nothing that comes late takes it away again. The simulator holds no money: what has ended there stays so.
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

/** What a payment brings to one merchant's order. */
export interface MerchantShare {
  readonly store: string;
  readonly order_id: string;
  readonly order_number: string;
  /** In the currency's smallest unit. */
  readonly amount: number;
  /** That of the merchant's sandbox which has the order. */
  readonly generation: number;
}
