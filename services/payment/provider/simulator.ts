// The sandbox's stand-in for every built-in provider that is not connected: a page of our own asks the shopper, and time
// and that page alone decide how a payment stands.
import type { PaymentRecord } from '#services/payment/payment.ts';
import type { AskedPayment, Finding, Opened, PaymentOpening, RefundFinding } from './provider.ts';

const LIVES_MS = 30 * 60_000;

export const openSimulated = ({ reference, baseUrl, now }: PaymentOpening): Opened => ({
  sessionId: `sim_${reference.slice(reference.indexOf('_') + 1)}`,
  checkoutUrl: `${baseUrl}/pay/${reference}`,
  expiresAt: new Date(now.getTime() + LIVES_MS),
});

/** Exact by the tenant's clock, whether or not it is read. */
export const lookSimulated = ({ expiresAt, now }: AskedPayment): Finding => ({
  status: expiresAt <= now ? 'expired' : 'pending',
});

/** A token whose order took what it stands for has paid. */
export const tokenPaid = ({ id, amount, currency }: Pick<PaymentRecord, 'id' | 'amount' | 'currency'>): Finding => ({
  status: 'succeeded',
  amount,
  currency,
  chargeId: `simch_${id}`,
});

export const refundSimulated = (id: string): RefundFinding => ({ status: 'succeeded', providerRefund: `simre_${id}` });
