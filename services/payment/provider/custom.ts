// A merchant's own provider: called at the merchant's URLs and reporting back, both signed like webhooks.
import { createHmac } from 'node:crypto';
import { type Outbound, OutboundFailure } from '#runtime/outbound/outbound.ts';
import { constantTimeEqual } from '#runtime/process/seal.ts';
import { parseCurrency } from '#values/currency.ts';
import { toMajor, toMinor } from '#values/money.ts';
import { parseExact } from '#values/numeral.ts';
import { textOf, webAddressOf } from './http.ts';
import type { ProviderAccount, ProviderAdapter, ProviderReport, ProviderStatus } from './provider.ts';
import { CredentialsRejected, ProviderDenial, ProviderFault } from './provider.ts';

const LIVES_MS = 24 * 3_600_000;
/** Latest time accepted: Postgres cannot read years of five digits. */
const END_MS_MAX = Date.UTC(10_000, 0) - 1;
const TOLERANCE_S = 300;
const SIGNATURE = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/;
/** Id of a refund reported without one, so such a merchant can refund each payment once. */
const UNNAMED = 'refund';
const STATUSES = ['pending', 'succeeded', 'failed', 'expired'] as const;

export const signature = (secret: string, seconds: number, body: string | Uint8Array): string =>
  `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.`).update(body).digest('hex')}`;

// biome-ignore lint/suspicious/noExplicitAny: what merchants answer is looked at field by field
type ProviderJson = any;

const minorOf = (json: ProviderJson): { amount: number; currency: string } | null => {
  const currency = parseCurrency(textOf(json.currency));
  const amount = currency && typeof json.amount === 'number' ? toMinor(json.amount, currency) : null;
  return currency && amount !== null ? { amount, currency: currency.code } : null;
};

const providerStatusOf = (json: ProviderJson): ProviderStatus => {
  const status = STATUSES.find((known) => known === json.status);
  if (!status) throw new ProviderFault('custom', 'an unknown status');
  return {
    status,
    ...minorOf(json),
    ...(textOf(json.charge_id) ? { chargeId: textOf(json.charge_id) } : {}),
    ...(textOf(json.failure) ? { failure: textOf(json.failure) } : {}),
  };
};

export const customProvider = (outbound: Outbound, nowMs: () => number): ProviderAdapter => {
  const call = async (account: ProviderAccount, url: string, id: string, body: object, timeoutMs: number) => {
    const text = JSON.stringify(body);
    const answer = await outbound.send({
      url,
      environment: account.environment,
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'idempotency-key': id,
        'x-svc-signature': signature(account.credentials.signing_secret ?? '', Math.floor(nowMs() / 1_000), text),
      },
      body: text,
      timeoutMs: Math.max(1, timeoutMs),
    });
    if (answer instanceof OutboundFailure) throw new ProviderFault('custom', answer.reason);
    if (answer.status >= 500 || answer.status === 429) throw new ProviderFault('custom', `status ${answer.status}`);
    let json: ProviderJson;
    try {
      json = parseExact(Buffer.from(answer.body).toString('utf8') || '{}');
    } catch {
      json = null;
    }
    const object = typeof json === 'object' && json !== null && !Array.isArray(json);
    if (answer.status < 300 && !object) throw new ProviderFault('custom', 'no JSON object');
    const { status } = answer;
    return { status, ok: status >= 200 && status < 300, json: object ? json : {} };
  };

  return {
    name: 'custom',
    label: '',
    type: 'redirect',
    currencies: [],
    countries: [],
    credentials: { required: ['signing_secret'], optional: [] },
    wrongEnvironmentCredential: () => null,

    open: async (account, opening, timeoutMs) => {
      const { ok, json } = await call(
        account,
        account.initializeUrl ?? '',
        opening.id,
        {
          provider: opening.provider,
          reference: opening.reference,
          amount: toMajor(opening.amount, opening.currency),
          currency: opening.currency.code,
          email: opening.email,
          phone: opening.phone,
          country: opening.country,
          order_id: opening.orderId,
          order_number: opening.orderNumber,
          metadata: opening.metadata,
          environment: account.environment,
          callback_url: opening.reportUrl,
        },
        timeoutMs,
      );
      if (!ok) return new ProviderDenial('invalid', 'The provider does not accept this payment.');
      const expires = Date.parse(textOf(json.expires_at));
      return {
        sessionId: textOf(json.session_id) || opening.reference,
        checkoutUrl: webAddressOf(json.checkout_url),
        expiresAt: new Date(expires >= 0 && expires <= END_MS_MAX ? expires : opening.now.getTime() + LIVES_MS),
      };
    },

    fetchStatus: async (account, payment, timeoutMs) => {
      const asked = { reference: payment.reference, session_id: payment.sessionId };
      const { status, ok, json } = await call(account, account.verifyUrl ?? '', payment.id, asked, timeoutMs);
      if (status === 401 || status === 403) throw new CredentialsRejected('custom');
      if (!ok) throw new ProviderFault('custom', 'a payment could not be verified');
      return providerStatusOf(json);
    },

    // Merchants have no URL for refunds: they act on `order.refunded` and then report the refund.
    refund: async () => ({ status: 'pending', providerRefund: null }),

    readCallback: async ({ credentials }, { body, headers, nowMs: now }): Promise<ProviderReport | null> => {
      const [, seconds, given = ''] = SIGNATURE.exec(headers.svc_signature ?? '') ?? [];
      if (seconds === undefined || Math.abs(now / 1_000 - Number(seconds)) > TOLERANCE_S) return null;
      const expected = signature(credentials.signing_secret ?? '', Number(seconds), body);
      if (!constantTimeEqual(`t=${seconds},v1=${given}`, expected)) return null;
      const json: ProviderJson = parseExact(Buffer.from(body).toString('utf8'));
      const reference = textOf(json.reference);
      if (json.status === 'refunded') {
        const { amount = null, currency = null } = minorOf(json) ?? {};
        const providerRefund = textOf(json.refund_id) || UNNAMED;
        return { kind: 'refund', of: { reference }, id: null, providerRefund, amount, currency, status: 'succeeded' };
      }
      return { kind: 'payment', of: { reference }, providerStatus: providerStatusOf(json) };
    },
  };
};
