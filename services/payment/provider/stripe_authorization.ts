// Captures and voids Stripe's payment intents with manual capture.
import type Stripe from 'stripe';
import {
  type AuthorizationEnds,
  type PaymentQuery,
  type ProviderAccount,
  ProviderDenial,
  type ProviderStatus,
} from './provider.ts';
import { denial, type StripeClients } from './stripe_client.ts';
import { intentStatusOf, toStripe } from './stripe_report.ts';

export const stripeAuthorizations = (client: StripeClients['client']): AuthorizationEnds => {
  /** Stripe refuses to end an intent that has ended before; its status then tells how it ended. */
  const endIntent = async (
    account: ProviderAccount,
    { chargeId }: PaymentQuery,
    timeoutMs: number,
    end: (intents: Stripe['paymentIntents'], intent: string) => Promise<Stripe.PaymentIntent>,
  ): Promise<ProviderStatus | ProviderDenial> => {
    if (chargeId === null) return new ProviderDenial('invalid', 'Stripe has named no payment to end.');
    const started = performance.now();
    try {
      return intentStatusOf(await end(client(account, timeoutMs).paymentIntents, chargeId));
    } catch (problem) {
      const refused = denial(problem);
      if (refused.reason !== 'invalid') return refused;
      const left = timeoutMs - (performance.now() - started);
      const found = await client(account, left).paymentIntents.retrieve(chargeId).then(intentStatusOf, denial);
      if (found instanceof ProviderDenial) return found;
      return found.status === 'succeeded' || found.status === 'voided' ? found : refused;
    }
  };

  return {
    capture: (account, payment, amount, timeoutMs) => {
      const minor = toStripe(amount, payment.currency);
      if (minor === null) return Promise.resolve(new ProviderDenial('invalid', 'Stripe does not take this amount.'));
      const name = { idempotencyKey: `${payment.id}-capture-${minor}` };
      return endIntent(account, payment, timeoutMs, (intents, intent) =>
        intents.capture(intent, { amount_to_capture: minor }, name),
      );
    },
    release: (account, payment, timeoutMs) => {
      const name = { idempotencyKey: `${payment.id}-void` };
      return endIntent(account, payment, timeoutMs, (intents, intent) => intents.cancel(intent, {}, name));
    },
  };
};
