// Translates Stripe's sessions, refunds and events into the common statuses of payments and refunds. Pure.
import type Stripe from 'stripe';
import { type Currency, parseCurrency } from '#values/currency.ts';
import { textOf } from './http.ts';
import type { ProviderRefundStatus, ProviderReport, ProviderStatus } from './provider.ts';

/** Decimals that Stripe uses for these currencies, where they differ from ISO 4217. */
const DECIMALS: Readonly<Record<string, number>> = { ISK: 2, UGX: 2, MGA: 0 };

export const toStripe = (amount: number, { code, exponent }: Currency): number | null => {
  const decimals = DECIMALS[code] ?? exponent;
  const scaled = amount * 10 ** (decimals - exponent);
  if (!Number.isInteger(scaled)) return null;
  // Stripe requires the third decimal to be 0.
  return exponent === 3 && scaled % 10 !== 0 ? null : scaled;
};

export const fromStripe = (amount: number, { code, exponent }: Currency): number =>
  amount * 10 ** (exponent - (DECIMALS[code] ?? exponent));

const minorOf = (units: unknown, code: unknown): { amount: number; currency: string } | null => {
  const currency = parseCurrency(textOf(code));
  if (currency === null || typeof units !== 'number') return null;
  const amount = fromStripe(units, currency);
  return Number.isSafeInteger(amount) ? { amount, currency: currency.code } : null;
};

export const providerStatusOf = (session: Stripe.Checkout.Session): ProviderStatus => {
  if (session.payment_status === 'paid' || session.payment_status === 'no_payment_required') {
    const paid = session.payment_intent;
    return {
      status: 'succeeded',
      ...minorOf(session.amount_total, session.currency),
      chargeId: (typeof paid === 'string' ? paid : paid?.id) ?? session.id,
    };
  }
  return { status: session.status === 'expired' ? 'expired' : 'pending' };
};

/** Reads the payment intent of a session with manual capture. */
export const intentStatusOf = (intent: Stripe.PaymentIntent): ProviderStatus => {
  const { id: chargeId, status, currency } = intent;
  if (status === 'succeeded') return { status: 'succeeded', ...minorOf(intent.amount_received, currency), chargeId };
  if (status === 'canceled') return { status: 'voided', chargeId };
  if (status !== 'requires_capture') return { status: 'pending' };
  const charge = intent.latest_charge;
  const end = charge && typeof charge === 'object' ? charge.payment_method_details?.card?.capture_before : undefined;
  return {
    status: 'authorized',
    ...minorOf(intent.amount_capturable, currency),
    chargeId,
    ...(end ? { captureBefore: new Date(end * 1_000) } : {}),
  };
};

/** Reads a session with manual capture whose payment intent and charge are expanded. */
export const manualStatusOf = (session: Stripe.Checkout.Session): ProviderStatus => {
  const intent = session.payment_intent;
  if (session.status === 'complete' && intent && typeof intent === 'object') return intentStatusOf(intent);
  return { status: session.status === 'expired' ? 'expired' : 'pending' };
};

export const refundFinding = ({ id, status }: Stripe.Refund): ProviderRefundStatus => ({
  status: status === 'succeeded' ? 'succeeded' : status === 'failed' || status === 'canceled' ? 'failed' : 'pending',
  providerRefund: id,
});

export const reportOf = (event: Stripe.Event): ProviderReport => {
  switch (event.type) {
    case 'checkout.session.completed':
    case 'checkout.session.async_payment_succeeded':
    case 'checkout.session.expired':
    case 'checkout.session.async_payment_failed': {
      const session = event.data.object;
      const reference = session.client_reference_id;
      const of = reference ? { reference } : { sessionId: session.id };
      // The payment intent tells whether the payment is authorised or under way.
      if (event.type === 'checkout.session.completed' && session.payment_status === 'unpaid')
        return { kind: 'look', of };
      const providerStatus: ProviderStatus =
        event.type === 'checkout.session.async_payment_failed'
          ? { status: 'failed', failure: 'async_payment_failed' }
          : providerStatusOf(session);
      return { kind: 'payment', of, providerStatus };
    }
    case 'payment_intent.amount_capturable_updated':
    case 'payment_intent.succeeded':
    case 'payment_intent.canceled': {
      // Checkout's own events tell of all other payments.
      const { capture_method, metadata } = event.data.object;
      const isWatched = capture_method === 'manual' || metadata.presentation === 'element';
      const { reference } = metadata;
      return isWatched && reference ? { kind: 'look', of: { reference } } : { kind: 'nothing' };
    }
    case 'refund.created':
    case 'refund.updated':
    case 'refund.failed':
    case 'charge.refund.updated': {
      const refund = event.data.object;
      const paid = refund.payment_intent;
      const chargeId = typeof paid === 'string' ? paid : paid?.id;
      if (!chargeId) return { kind: 'nothing' };
      const { amount = null, currency = null } = minorOf(refund.amount, refund.currency) ?? {};
      const id = refund.metadata?.stoa_refund ?? null;
      return { kind: 'refund', of: { chargeId }, id, amount, currency, ...refundFinding(refund) };
    }
    default:
      return { kind: 'nothing' };
  }
};
