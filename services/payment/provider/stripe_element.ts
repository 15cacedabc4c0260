// Opens, reads and cancels the payment intents of Stripe's Payment Element, which shoppers confirm on the shop's page. A
// declined card leaves the intent open, so the intent ends when it is paid, replaced or expired.
import type { OpenedSession, PaymentOpening, PaymentQuery, ProviderAccount, ProviderStatus } from './provider.ts';
import { CredentialsRejected, type ProviderDenial, ProviderFault } from './provider.ts';
import { CARD_CHECKOUT, denial, metadataWith, type StripeClients } from './stripe_client.ts';
import { intentStatusOf } from './stripe_report.ts';

const INTENT = /^pi_/;
/** Equals the default lifetime of a session of Stripe Checkout. */
const LIFETIME_MS = 24 * 3_600_000;

export const isElementSession = ({ sessionId }: Pick<PaymentQuery, 'sessionId'>): boolean => INTENT.test(sessionId);

export interface IntentTerms {
  /** In Stripe's units. */
  readonly unitAmount: number;
  readonly name: string;
}

export interface StripeElements {
  open(
    account: ProviderAccount,
    opening: PaymentOpening,
    terms: IntentTerms,
    timeoutMs: number,
  ): Promise<OpenedSession | ProviderDenial>;
  fetchStatus(account: ProviderAccount, payment: PaymentQuery, timeoutMs: number): Promise<ProviderStatus>;
  cancel(account: ProviderAccount, payment: PaymentQuery, timeoutMs: number): Promise<boolean>;
}

export const stripeElements = (client: StripeClients['client']): StripeElements => {
  const open: StripeElements['open'] = async (account, opening, { unitAmount, name }, timeoutMs) => {
    const { reference, orderId, currency, isManual, metadata, now } = opening;
    try {
      const intent = await client(account, timeoutMs).paymentIntents.create(
        {
          amount: unitAmount,
          currency: currency.code.toLowerCase(),
          automatic_payment_methods: { enabled: true },
          description: name,
          metadata: metadataWith(metadata, {
            reference,
            presentation: 'element',
            ...(orderId ? { order_id: orderId } : {}),
          }),
          ...(isManual ? { capture_method: 'manual' as const } : {}),
        },
        { idempotencyKey: opening.id },
      );
      const { id, client_secret: clientSecret } = intent;
      if (!INTENT.test(id) || !clientSecret) throw new ProviderFault(CARD_CHECKOUT, 'an intent without a secret');
      const publishableKey = account.credentials.publishable_key ?? null;
      return {
        sessionId: id,
        checkoutUrl: null,
        expiresAt: new Date(now.getTime() + LIFETIME_MS),
        element: { provider: 'stripe', clientSecret, publishableKey, scriptUrl: null },
      };
    } catch (problem) {
      return denial(problem);
    }
  };

  const cancel: StripeElements['cancel'] = async (account, payment, timeoutMs) => {
    try {
      const name = { idempotencyKey: `${payment.id}-expire` };
      const intent = await client(account, timeoutMs).paymentIntents.cancel(payment.sessionId, {}, name);
      return intent.status === 'canceled';
    } catch (problem) {
      // Stripe refuses if the intent is paid or under way; a report or a poll then tells which.
      denial(problem);
      return false;
    }
  };

  const fetchStatus: StripeElements['fetchStatus'] = async (account, payment, timeoutMs) => {
    const started = performance.now();
    try {
      const expand = ['latest_charge'];
      const intent = await client(account, timeoutMs).paymentIntents.retrieve(payment.sessionId, { expand });
      const found = intentStatusOf(intent);
      if (found.status !== 'pending' || payment.expiresAt > payment.now) return found;
      // Stripe keeps an intent open for ever, so it is ended here.
      const isOver = await cancel(account, payment, timeoutMs - (performance.now() - started));
      return isOver ? { status: 'expired' } : found;
    } catch (problem) {
      const { reason, providerCode } = denial(problem);
      throw reason === 'credentials'
        ? new CredentialsRejected(CARD_CHECKOUT)
        : new ProviderFault(CARD_CHECKOUT, providerCode);
    }
  };

  return { open, fetchStatus, cancel };
};
