// The wallet: PayPal Orders v2. The shopper approves the order at PayPal; this service then captures or authorises it once.
import { parseExact } from '#values/numeral.ts';
import { type ProviderAnswer, textOf, webAddressOf } from './http.ts';
import { paypalAuthorizations } from './paypal_authorization.ts';
import { issueOf, openCall, PAYPAL_BUSY, type PayPalUrls, valueText, WALLET } from './paypal_client.ts';
import { orderFinding, refundFinding, reportOf } from './paypal_report.ts';
import type { PaymentQuery, ProviderAccount, ProviderAdapter, ProviderStatus } from './provider.ts';
import { CredentialsRejected, ProviderDenial, ProviderFault } from './provider.ts';

/** PayPal discards an order that is not approved within three hours. */
const LIVES_MS = 3 * 3_600_000;
const CURRENCIES =
  'AUD BRL CAD CNY CZK DKK EUR HKD HUF ILS JPY MYR MXN TWD NZD NOK PHP PLN GBP SGD SEK CHF THB USD'.split(' ');
export const wallet = (baseUrls: PayPalUrls): ProviderAdapter => {
  const call = openCall(baseUrls);

  /** Captures or authorises an order that the shopper has approved. */
  const complete = async (
    account: ProviderAccount,
    payment: PaymentQuery,
    timeoutMs: number,
  ): Promise<ProviderStatus> => {
    const step = payment.isManual ? 'authorize' : 'capture';
    const path = `/v2/checkout/orders/${encodeURIComponent(payment.sessionId)}/${step}`;
    // PayPal completes once per request id and answers repetitions alike.
    const answer = await call(account, path, timeoutMs, { body: {}, requestId: `${payment.id}-${step}` });
    if (answer instanceof ProviderDenial) throw new CredentialsRejected(WALLET);
    if (answer.status < 300) return orderFinding(answer.json);
    const issue = issueOf(answer);
    if (issue === 'INSTRUMENT_DECLINED') return { status: 'failed', failure: 'instrument_declined' };
    if (issue === 'ORDER_ALREADY_CAPTURED' || issue === 'ORDER_ALREADY_AUTHORIZED') return { status: 'pending' };
    throw new ProviderFault(WALLET, `a ${step} was answered ${answer.status} ${issue}`);
  };

  const fetchStatus: ProviderAdapter['fetchStatus'] = async (account, payment, timeoutMs) => {
    const answer = await call(account, `/v2/checkout/orders/${encodeURIComponent(payment.sessionId)}`, timeoutMs);
    if (answer instanceof ProviderDenial) throw new CredentialsRejected(WALLET);
    if (answer.status === 404) return { status: payment.expiresAt <= payment.now ? 'expired' : 'pending' };
    if (answer.status >= 300) throw new ProviderFault(WALLET, `status ${answer.status} for an order`);
    return answer.json.status === 'APPROVED' ? complete(account, payment, timeoutMs) : orderFinding(answer.json);
  };

  return {
    name: WALLET,
    label: 'PayPal',
    type: 'redirect',
    currencies: CURRENCIES,
    countries: [],
    credentials: { required: ['client_id', 'client_secret'], optional: ['webhook_id'] },
    // PayPal's credentials do not show their environment; each of its two hosts accepts only its own.
    wrongEnvironmentCredential: () => null,

    open: async (account, opening, timeoutMs) => {
      const value = valueText(opening.amount, opening.currency);
      if (value === null) return new ProviderDenial('invalid', `PayPal takes no decimals in ${opening.currency.code}.`);
      const returned = `${opening.baseUrl}/pay/returned`;
      const answer = await call(account, '/v2/checkout/orders', timeoutMs, {
        requestId: opening.id,
        body: {
          intent: opening.isManual ? 'AUTHORIZE' : 'CAPTURE',
          purchase_units: [
            {
              reference_id: opening.reference,
              custom_id: opening.reference,
              ...(opening.orderNumber === null ? {} : { description: `Order ${opening.orderNumber}` }),
              amount: { currency_code: opening.currency.code, value },
            },
          ],
          payment_source: {
            paypal: {
              ...(opening.email === null ? {} : { email_address: opening.email }),
              experience_context: {
                user_action: 'PAY_NOW',
                shipping_preference: 'NO_SHIPPING',
                return_url: opening.successUrl ?? returned,
                cancel_url: opening.cancelUrl ?? returned,
              },
            },
          },
        },
      });
      if (answer instanceof ProviderDenial) return answer;
      if (answer.status >= 300)
        return new ProviderDenial('invalid', 'PayPal does not accept this payment.', issueOf(answer));
      const links = (answer.json.links ?? []) as readonly { rel?: unknown; href?: unknown }[];
      const checkoutUrl = webAddressOf(links.find(({ rel }) => rel === 'payer-action' || rel === 'approve')?.href);
      const sessionId = textOf(answer.json.id);
      if (!sessionId || !checkoutUrl) throw new ProviderFault(WALLET, 'an order without an id or a link');
      return { sessionId, checkoutUrl, expiresAt: new Date(opening.now.getTime() + LIVES_MS) };
    },

    fetchStatus,

    authorizations: paypalAuthorizations(call, fetchStatus),

    refund: async (account, payment, { id, amount, reason }, timeoutMs) => {
      const value = valueText(amount, payment.currency);
      if (value === null || payment.chargeId === null)
        return new ProviderDenial('unsupported', 'PayPal cannot give this payment back.');
      const path = `/v2/payments/captures/${encodeURIComponent(payment.chargeId)}/refund`;
      const answer = await call(account, path, timeoutMs, {
        requestId: id,
        body: {
          amount: { currency_code: payment.currency.code, value },
          custom_id: `stoa-refund-${id}`,
          ...(reason ? { note_to_payer: reason.slice(0, 255) } : {}),
        },
      });
      if (answer instanceof ProviderDenial) return answer;
      if (answer.status < 300) return refundFinding(answer.json);
      const issue = issueOf(answer);
      if (answer.status === 409 || issue === PAYPAL_BUSY)
        throw new ProviderFault(WALLET, 'a refund is still under way');
      return new ProviderDenial('invalid', 'PayPal does not give this payment back.', issue);
    },

    readCallback: async (account, { body, headers }, timeoutMs) => {
      const sent = {
        transmission_id: headers.paypal_transmission_id,
        transmission_time: headers.paypal_transmission_time,
        transmission_sig: headers.paypal_transmission_sig,
        cert_url: headers.paypal_cert_url,
        auth_algo: headers.paypal_auth_algo,
      };
      if (Object.values(sent).some((text) => !text) || !account.credentials.webhook_id) return null;
      const fields = JSON.stringify({ ...sent, webhook_id: account.credentials.webhook_id });
      const text = Buffer.from(body).toString('utf8');
      // PayPal verifies the exact text that it sent, so the body is inserted without parsing.
      const verdict = await call(account, '/v1/notifications/verify-webhook-signature', timeoutMs, {
        body: `${fields.slice(0, -1)},"webhook_event":${text}}`,
      });
      if (verdict instanceof ProviderDenial || verdict.json.verification_status !== 'SUCCESS') return null;
      return reportOf(parseExact(text) as ProviderAnswer['json']);
    },
  };
};
