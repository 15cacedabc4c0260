// A payment as it is stored and as the API shows it, and what a finding makes of it. Pure.
import type { PaymentStanding } from '#proto/gen/payment.ts';
import type { Tenant } from '#runtime/call.ts';
import { currencyOf } from '#values/currency.ts';
import { toMajor } from '#values/money.ts';
import type { Asked, Finding } from './provider/provider.ts';

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
  readonly created_at: Date;
}

/** Only what was begun is shown; `opening` and `refused` are nobody's. */
const shownStatus = ({ status }: PaymentRecord): PaymentStanding['status'] =>
  status === 'opening' || status === 'refused' ? 'pending' : status;

export const standing = ({ environment }: Tenant, payment: PaymentRecord): PaymentStanding => ({
  success: payment.status === 'succeeded',
  provider: payment.provider,
  reference: payment.reference,
  status: shownStatus(payment),
  amount: toMajor(payment.amount, currencyOf(payment.currency)),
  currency: payment.currency,
  paid_at: payment.paid_at?.toISOString() ?? null,
  order_id: payment.order_id,
  environment,
});

/** `data.object` of a payment's events. */
export const told = (tenant: Tenant, payment: PaymentRecord): Record<string, unknown> => ({
  id: payment.id,
  ...standing(tenant, payment),
  amount_refunded: toMajor(payment.refunded, currencyOf(payment.currency)),
  failure: payment.failure,
  metadata: payment.metadata,
  created_at: payment.created_at.toISOString(),
});

export const asked = (payment: PaymentRecord, now: Date): Asked => ({
  id: payment.id,
  reference: payment.reference,
  sessionId: payment.session_id ?? '',
  chargeId: payment.charge_id,
  amount: payment.amount,
  currency: currencyOf(payment.currency),
  expiresAt: payment.expires_at ?? now,
  now,
});

export type Move = { readonly to: 'succeeded' | 'failed' | 'expired' } | { readonly to: null; readonly odd?: string };

/**
 * What a finding makes of a payment, in whatever order findings come: money that arrived is believed even after a failure
 * was told, and nothing that comes late takes it away again.
 */
export const moveOf = (payment: PaymentRecord, finding: Finding): Move => {
  if (finding.status === 'pending') return { to: null };
  const open = payment.status === 'pending' || payment.status === 'opening';
  if (finding.status !== 'succeeded') return open ? { to: finding.status } : { to: null };
  if (payment.status === 'succeeded' || payment.status === 'refunded') {
    const { chargeId } = finding;
    const twice = chargeId && payment.charge_id && chargeId !== payment.charge_id;
    return twice ? { to: null, odd: `paid again, as ${chargeId}` } : { to: null };
  }
  if (finding.amount !== undefined && finding.amount !== payment.amount)
    return { to: null, odd: `${finding.amount} was paid where ${payment.amount} was due` };
  if (finding.currency !== undefined && finding.currency.toUpperCase() !== payment.currency)
    return { to: null, odd: `paid in ${finding.currency} where ${payment.currency} was due` };
  return { to: 'succeeded' };
};
