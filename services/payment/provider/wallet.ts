// The wallet: PayPal Orders v2. The shopper approves at PayPal; what is approved is then captured here, once.
import { type Currency, parseCurrency } from '#values/currency.ts';
import { majorText, toMinor } from '#values/money.ts';
import { plainNumber } from '#values/numeral.ts';
import { callProvider, type ProviderAnswer, textOf } from './http.ts';
import type {
  AskedPayment,
  Finding,
  ProviderAccount,
  ProviderAdapter,
  ProviderReport,
  RefundFinding,
} from './provider.ts';
import { Denied, NotLetIn, NotReached, ProviderTrouble } from './provider.ts';
import { openTokens } from './token.ts';

const NAME = 'wallet';
/** An order that is not approved is good for three hours. */
const LIVES_MS = 3 * 3_600_000;
const CURRENCIES =
  'AUD BRL CAD CNY CZK DKK EUR HKD HUF ILS JPY MYR MXN TWD NZD NOK PHP PLN GBP SGD SEK CHF THB USD'.split(' ');
/** PayPal takes no decimals of these. */
const WHOLE = new Set(['HUF', 'JPY', 'TWD']);
/** An earlier request of the same name has not ended. */
const UNDER_WAY = 'PREVIOUS_REQUEST_IN_PROGRESS';

/** PayPal's text of an amount; null where it cannot be said there. */
const valueText = (amount: number, currency: Currency): string | null => {
  const text = majorText(amount, currency);
  if (!WHOLE.has(currency.code)) return text;
  return /^\d+(\.0*)?$/.test(text) ? text.replace(/\..*$/, '') : null;
};

interface Money {
  readonly currency_code?: unknown;
  readonly value?: unknown;
}

const minorOf = (money: Money | undefined): { amount: number; currency: string } | null => {
  const currency = parseCurrency(textOf(money?.currency_code));
  const value = plainNumber(money?.value);
  const amount = currency === null || value === null ? null : toMinor(value, currency);
  return currency === null || amount === null ? null : { amount, currency: currency.code };
};

interface Capture {
  readonly id?: unknown;
  readonly status?: unknown;
  readonly amount?: Money;
  readonly custom_id?: unknown;
}

const captureFinding = (capture: Capture): Finding => {
  const status = textOf(capture.status);
  if (status === 'COMPLETED' || status === 'PARTIALLY_REFUNDED' || status === 'REFUNDED')
    return { status: 'succeeded', ...minorOf(capture.amount), chargeId: textOf(capture.id) };
  if (status === 'DECLINED' || status === 'FAILED') return { status: 'failed', failure: status.toLowerCase() };
  return { status: 'pending' };
};

/** `baseUrls`: PayPal's interfaces of both environments, or a stand-in's. */
export const wallet = (baseUrls: Readonly<Record<ProviderAccount['environment'], string>>): ProviderAdapter => {
  const tokens = openTokens({
    provider: NAME,
    ask: ({ environment, credentials: { client_id: id = '', client_secret: secret = '' } }) => ({
      url: `${baseUrls[environment]}/v1/oauth2/token`,
      headers: {
        authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: 'grant_type=client_credentials',
    }),
    denied: () => new Denied('credentials', 'PayPal refuses the credentials of this store.'),
  });

  const call = async (
    account: ProviderAccount,
    path: string,
    timeoutMs: number,
    send: { body?: object | string; requestId?: string } = {},
  ): Promise<ProviderAnswer | Denied> => {
    const begun = performance.now();
    const token = await tokens.of(account, timeoutMs);
    if (token instanceof Denied) return token;
    const answer = await callProvider({
      provider: NAME,
      url: `${baseUrls[account.environment]}${path}`,
      headers: {
        authorization: `Bearer ${token}`,
        prefer: 'return=representation',
        ...(typeof send.body === 'string' ? { 'content-type': 'application/json' } : {}),
        ...(send.requestId ? { 'paypal-request-id': send.requestId } : {}),
      },
      ...(send.body === undefined ? {} : { body: send.body }),
      timeoutMs: timeoutMs - (performance.now() - begun),
    });
    if (answer.status >= 500 || answer.status === 429) throw new ProviderTrouble(NAME, `status ${answer.status}`);
    if (answer.status === 403)
      return new Denied('credentials', 'PayPal refuses the credentials of this store.', textOf(answer.json.name));
    if (answer.status !== 401) return answer;
    tokens.forget(account);
    throw new NotReached({ provider: NAME, what: 'the token is not good any more' });
  };

  const issueOf = ({ json }: ProviderAnswer): string => textOf(json.details?.[0]?.issue) || textOf(json.name);

  const orderFinding = (json: ProviderAnswer['json']): Finding => {
    const capture = json.purchase_units?.[0]?.payments?.captures?.[0] as Capture | undefined;
    if (capture) return captureFinding(capture);
    return { status: json.status === 'VOIDED' ? 'expired' : 'pending' };
  };

  const capture = async (account: ProviderAccount, payment: AskedPayment, timeoutMs: number): Promise<Finding> => {
    const path = `/v2/checkout/orders/${encodeURIComponent(payment.sessionId)}/capture`;
    // The same name on every try: PayPal captures once and repeats what it answered.
    const answer = await call(account, path, timeoutMs, { body: {}, requestId: `${payment.id}-capture` });
    if (answer instanceof Denied) throw new NotLetIn(NAME);
    if (answer.status < 300) return orderFinding(answer.json);
    const issue = issueOf(answer);
    if (issue === 'INSTRUMENT_DECLINED') return { status: 'failed', failure: 'instrument_declined' };
    if (issue === 'ORDER_ALREADY_CAPTURED') return { status: 'pending' };
    throw new ProviderTrouble(NAME, `a capture was answered ${answer.status} ${issue}`);
  };

  const refundFinding = (json: ProviderAnswer['json']): RefundFinding => {
    const status = textOf(json.status);
    return {
      status:
        status === 'COMPLETED' ? 'succeeded' : status === 'FAILED' || status === 'CANCELLED' ? 'failed' : 'pending',
      providerRefund: textOf(json.id) || null,
    };
  };

  const reportOf = (event: ProviderAnswer['json']): ProviderReport => {
    const resource = event.resource ?? {};
    const order = textOf(resource.supplementary_data?.related_ids?.order_id);
    const reference = textOf(resource.custom_id);
    switch (event.event_type) {
      case 'CHECKOUT.ORDER.APPROVED':
      case 'CHECKOUT.ORDER.COMPLETED':
        return { kind: 'look', of: { sessionId: textOf(resource.id) } };
      case 'PAYMENT.CAPTURE.COMPLETED':
      case 'PAYMENT.CAPTURE.DENIED':
      case 'PAYMENT.CAPTURE.DECLINED':
      case 'PAYMENT.CAPTURE.PENDING':
        return {
          kind: 'payment',
          of: order ? { sessionId: order } : { reference },
          finding: captureFinding(resource),
        };
      case 'PAYMENT.CAPTURE.REFUNDED':
      case 'PAYMENT.CAPTURE.REVERSED': {
        const up = (resource.links ?? []).find(({ rel }: { rel?: unknown }) => rel === 'up');
        const chargeId = /\/captures\/([^/?]+)/.exec(textOf(up?.href))?.[1];
        if (!chargeId) return { kind: 'nothing' };
        const amount = minorOf(resource.amount)?.amount ?? null;
        const id = /^stoa-refund-(.+)$/.exec(textOf(resource.custom_id))?.[1] ?? null;
        return { kind: 'refund', of: { chargeId }, id, amount, ...refundFinding({ ...resource, status: 'COMPLETED' }) };
      }
      default:
        return { kind: 'nothing' };
    }
  };

  return {
    name: NAME,
    label: 'PayPal',
    type: 'redirect',
    currencies: CURRENCIES,
    countries: [],
    credentials: { required: ['client_id', 'client_secret'], optional: ['webhook_id'] },
    // PayPal's credentials do not say of which environment they are; its two interfaces know only their own.
    misplaced: () => null,

    open: async (account, opening, timeoutMs) => {
      const value = valueText(opening.amount, opening.currency);
      if (value === null) return new Denied('invalid', `PayPal takes no decimals in ${opening.currency.code}.`);
      const returned = `${opening.baseUrl}/pay/returned`;
      const answer = await call(account, '/v2/checkout/orders', timeoutMs, {
        requestId: opening.id,
        body: {
          intent: 'CAPTURE',
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
      if (answer instanceof Denied) return answer;
      if (answer.status >= 300) return new Denied('invalid', 'PayPal does not accept this payment.', issueOf(answer));
      const links = (answer.json.links ?? []) as readonly { rel?: unknown; href?: unknown }[];
      const approve = links.find(({ rel }) => rel === 'payer-action' || rel === 'approve');
      const sessionId = textOf(answer.json.id);
      if (!sessionId || !approve) throw new ProviderTrouble(NAME, 'an order without an id or a link');
      const checkoutUrl = String(approve.href);
      return { sessionId, checkoutUrl, expiresAt: new Date(opening.now.getTime() + LIVES_MS) };
    },

    look: async (account, payment, timeoutMs) => {
      const answer = await call(account, `/v2/checkout/orders/${encodeURIComponent(payment.sessionId)}`, timeoutMs);
      if (answer instanceof Denied) throw new NotLetIn(NAME);
      if (answer.status === 404) return { status: payment.expiresAt <= payment.now ? 'expired' : 'pending' };
      if (answer.status >= 300) throw new ProviderTrouble(NAME, `status ${answer.status} for an order`);
      return answer.json.status === 'APPROVED' ? capture(account, payment, timeoutMs) : orderFinding(answer.json);
    },

    refund: async (account, payment, { id, amount, reason }, timeoutMs) => {
      const value = valueText(amount, payment.currency);
      if (value === null || payment.chargeId === null)
        return new Denied('unsupported', 'PayPal cannot give this payment back.');
      const path = `/v2/payments/captures/${encodeURIComponent(payment.chargeId)}/refund`;
      const answer = await call(account, path, timeoutMs, {
        requestId: id,
        body: {
          amount: { currency_code: payment.currency.code, value },
          custom_id: `stoa-refund-${id}`,
          ...(reason ? { note_to_payer: reason.slice(0, 255) } : {}),
        },
      });
      if (answer instanceof Denied) return answer;
      if (answer.status < 300) return refundFinding(answer.json);
      const issue = issueOf(answer);
      if (answer.status === 409 || issue === UNDER_WAY) throw new ProviderTrouble(NAME, 'a refund is still under way');
      return new Denied('invalid', 'PayPal does not give this payment back.', issue);
    },

    read: async (account, { body, headers }, timeoutMs) => {
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
      // PayPal compares the very text that it sent: it goes back letter by letter.
      const verdict = await call(account, '/v1/notifications/verify-webhook-signature', timeoutMs, {
        body: `${fields.slice(0, -1)},"webhook_event":${text}}`,
      });
      if (verdict instanceof Denied || verdict.json.verification_status !== 'SUCCESS') return null;
      return reportOf(JSON.parse(text));
    },
  };
};
