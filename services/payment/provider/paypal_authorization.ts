// Captures and voids PayPal's authorisations.
import { type CallPayPal, issueOf, PAYPAL_BUSY, valueText, WALLET } from './paypal_client.ts';
import { captureFinding } from './paypal_report.ts';
import {
  type AuthorizationEnds,
  type PaymentQuery,
  type ProviderAccount,
  type ProviderAdapter,
  ProviderDenial,
  ProviderFault,
  type ProviderStatus,
} from './provider.ts';

export const paypalAuthorizations = (
  call: CallPayPal,
  fetchStatus: ProviderAdapter['fetchStatus'],
): AuthorizationEnds => {
  /** PayPal refuses to end an authorisation that has ended before; the order then tells how it ended. */
  const end = async (
    account: ProviderAccount,
    payment: PaymentQuery,
    timeoutMs: number,
    step: 'capture' | 'void',
    body: object,
  ): Promise<ProviderStatus | ProviderDenial> => {
    const started = performance.now();
    const path = `/v2/payments/authorizations/${encodeURIComponent(payment.chargeId ?? '')}/${step}`;
    const answer = await call(account, path, timeoutMs, { body, requestId: `${payment.id}-${step}` });
    if (answer instanceof ProviderDenial) return answer;
    if (answer.status < 300) return step === 'capture' ? captureFinding(answer.json) : { status: 'voided' };
    const issue = issueOf(answer);
    if (issue === PAYPAL_BUSY) throw new ProviderFault(WALLET, `a ${step} is still under way`);
    const found = await fetchStatus(account, payment, timeoutMs - (performance.now() - started));
    const ended = found.status === 'succeeded' || found.status === 'voided';
    return ended ? found : new ProviderDenial('invalid', 'PayPal does not end this authorisation.', issue);
  };

  return {
    capture: (account, payment, amount, timeoutMs) => {
      const value = valueText(amount, payment.currency);
      if (value === null) return Promise.resolve(new ProviderDenial('invalid', 'PayPal does not take this amount.'));
      const captured = { amount: { currency_code: payment.currency.code, value }, final_capture: true };
      return end(account, payment, timeoutMs, 'capture', captured);
    },
    release: (account, payment, timeoutMs) => end(account, payment, timeoutMs, 'void', {}),
  };
};
