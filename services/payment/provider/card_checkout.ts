// Card checkout: Stripe Checkout through Stripe's own SDK.
import { webAddressOf } from './http.ts';
import type { Callback, PaymentOpening, PaymentQuery, ProviderAccount, ProviderAdapter } from './provider.ts';
import { CredentialsRejected, ProviderDenial, ProviderFault } from './provider.ts';
import { stripeAuthorizations } from './stripe_authorization.ts';
import { CARD_CHECKOUT, denial, metadataWith, stripeClients } from './stripe_client.ts';
import { isElementSession, stripeElements } from './stripe_element.ts';
import { manualStatusOf, providerStatusOf, refundFinding, reportOf, toStripe } from './stripe_report.ts';

const isSecretOf = (key: string, mode: 'test' | 'live'): boolean => new RegExp(`^(sk|rk)_${mode}_`).test(key);
const isPublishableOf = (key: string, mode: 'test' | 'live'): boolean => key.startsWith(`pk_${mode}_`);

export const cardCheckout = (baseUrl: string): ProviderAdapter => {
  const { client, eventOf } = stripeClients(baseUrl);
  const elements = stripeElements(client);

  return {
    name: CARD_CHECKOUT,
    label: 'Card',
    type: 'redirect',
    currencies: [],
    countries: [],
    // Without `webhook_secret` no report can be verified, so payments are settled by polling alone.
    credentials: { required: ['secret_key'], optional: ['webhook_secret', 'publishable_key'] },
    wrongEnvironmentCredential: ({ secret_key = '', publishable_key }, environment) => {
      const mode = environment === 'sandbox' ? 'test' : 'live';
      if (!isSecretOf(secret_key, mode)) return 'secret_key';
      return publishable_key === undefined || isPublishableOf(publishable_key, mode) ? null : 'publishable_key';
    },
    element: { library: 'stripe', credential: 'publishable_key' },

    open: async (account: ProviderAccount, opening: PaymentOpening, timeoutMs: number) => {
      const unitAmount = toStripe(opening.amount, opening.currency);
      if (unitAmount === null)
        return new ProviderDenial('invalid', `Stripe does not take this amount in ${opening.currency.code}.`);
      const name = opening.orderNumber === null ? 'Payment' : `Order ${opening.orderNumber}`;
      if (opening.isElement) return elements.open(account, opening, { unitAmount, name }, timeoutMs);
      const metadata = { reference: opening.reference, ...(opening.orderId ? { order_id: opening.orderId } : {}) };
      try {
        const session = await client(account, timeoutMs).checkout.sessions.create(
          {
            mode: 'payment',
            client_reference_id: opening.reference,
            ...(opening.email === null ? {} : { customer_email: opening.email }),
            line_items: [
              {
                quantity: 1,
                price_data: {
                  currency: opening.currency.code.toLowerCase(),
                  unit_amount: unitAmount,
                  product_data: { name },
                },
              },
            ],
            metadata: metadataWith(opening.metadata, metadata),
            payment_intent_data: { metadata, ...(opening.isManual ? { capture_method: 'manual' as const } : {}) },
            success_url: opening.successUrl ?? `${opening.baseUrl}/pay/returned`,
            cancel_url: opening.cancelUrl ?? `${opening.baseUrl}/pay/returned`,
          },
          { idempotencyKey: opening.id },
        );
        const checkoutUrl = webAddressOf(session.url);
        if (!checkoutUrl) throw new ProviderFault(CARD_CHECKOUT, 'a session without an address');
        return { sessionId: session.id, checkoutUrl, expiresAt: new Date(session.expires_at * 1_000) };
      } catch (problem) {
        return denial(problem);
      }
    },

    fetchStatus: async (account: ProviderAccount, payment: PaymentQuery, timeoutMs: number) => {
      if (isElementSession(payment)) return elements.fetchStatus(account, payment, timeoutMs);
      try {
        const { sessions } = client(account, timeoutMs).checkout;
        if (!payment.isManual) return providerStatusOf(await sessions.retrieve(payment.sessionId));
        const expand = ['payment_intent.latest_charge'];
        return manualStatusOf(await sessions.retrieve(payment.sessionId, { expand }));
      } catch (problem) {
        const { reason, providerCode } = denial(problem);
        throw reason === 'credentials'
          ? new CredentialsRejected(CARD_CHECKOUT)
          : new ProviderFault(CARD_CHECKOUT, providerCode);
      }
    },

    authorizations: stripeAuthorizations(client),

    cancelSession: async (account, payment, timeoutMs) => {
      if (isElementSession(payment)) return elements.cancel(account, payment, timeoutMs);
      try {
        const { sessions } = client(account, timeoutMs).checkout;
        const name = { idempotencyKey: `${payment.id}-expire` };
        const session = await sessions.expire(payment.sessionId, {}, name);
        return session.status === 'expired';
      } catch (problem) {
        // Stripe refuses if the session is completed or expired; a report or a poll then tells which.
        denial(problem);
        return false;
      }
    },

    refund: async (account, payment, { id, amount, isRetry }, timeoutMs) => {
      const minor = toStripe(amount, payment.currency);
      if (minor === null || payment.chargeId === null)
        return new ProviderDenial('unsupported', 'Stripe cannot give this payment back.');
      const started = performance.now();
      try {
        // Looks up an earlier refund first, because Stripe forgets idempotency keys after a day.
        if (isRetry) {
          const page = { payment_intent: payment.chargeId, limit: 100 };
          const { data } = await client(account, timeoutMs).refunds.list(page);
          const before = data.find(({ metadata }) => metadata?.stoa_refund === id);
          if (before) return refundFinding(before);
        }
        const refund = await client(account, timeoutMs - (performance.now() - started)).refunds.create(
          { payment_intent: payment.chargeId, amount: minor, metadata: { stoa_refund: id } },
          { idempotencyKey: id },
        );
        return refundFinding(refund);
      } catch (problem) {
        return denial(problem);
      }
    },

    readCallback: async ({ credentials }: ProviderAccount, { body, headers, nowMs }: Callback) => {
      const signature = headers.stripe_signature;
      if (!signature || !credentials.webhook_secret) return null;
      const event = await eventOf(Buffer.from(body).toString('utf8'), signature, credentials.webhook_secret, nowMs);
      return event && reportOf(event);
    },
  };
};
