// Bank and card payments in Africa: Paystack.
import { createHmac } from 'node:crypto';
import { constantTimeEqual } from '#runtime/process/seal.ts';
import { type Currency, parseCurrency } from '#values/currency.ts';
import { parseExact, plainNumber } from '#values/numeral.ts';
import { callProvider, type ProviderAnswer, textOf, webAddressOf } from './http.ts';
import type {
  ProviderAccount,
  ProviderAdapter,
  ProviderRefundStatus,
  ProviderReport,
  ProviderStatus,
} from './provider.ts';
import { CredentialsRejected, ProviderDenial, ProviderFault } from './provider.ts';

const NAME = 'bank_africa';
const LIVES_MS = 24 * 3_600_000;
const BANK_AFRICA_CURRENCIES = ['NGN', 'GHS', 'ZAR', 'KES', 'USD'] as const;
/** Paystack accepts each reference once, so each try has a new one; earlier tries that got no answer are abandoned. */
const TRIES_MAX = 4;

const toPaystack = (amount: number, { exponent }: Currency): number => amount * 10 ** (2 - exponent);
const minorOf = (hundredths: unknown, code: unknown): { amount: number; currency: string } | null => {
  const currency = parseCurrency(textOf(code));
  if (currency === null || typeof hundredths !== 'number') return null;
  const amount = hundredths / 10 ** (2 - currency.exponent);
  return Number.isSafeInteger(amount) ? { amount, currency: currency.code } : null;
};

const providerStatusOf = (data: ProviderAnswer['json']): ProviderStatus => {
  const status = textOf(data.status);
  if (status === 'success')
    return {
      status: 'succeeded',
      ...minorOf(data.amount, data.currency),
      chargeId: String(data.id ?? data.reference),
    };
  if (status === 'failed' || status === 'reversed')
    return { status: 'failed', failure: textOf(data.gateway_response) || status };
  // `abandoned` at Paystack means that the payment is not paid yet.
  return { status: 'pending' };
};

const refundFinding = (data: ProviderAnswer['json']): ProviderRefundStatus => {
  const status = textOf(data.status);
  const id = data.id ?? data.refund_reference;
  return {
    status: status === 'processed' ? 'succeeded' : status === 'failed' ? 'failed' : 'pending',
    providerRefund: id === undefined || id === null ? null : String(id),
  };
};

const NOTE = /^stoa-refund-([0-9a-f-]{36})$/;

const reportOf = (event: ProviderAnswer['json']): ProviderReport => {
  const data = event.data ?? {};
  switch (event.event) {
    case 'charge.success':
      return { kind: 'payment', of: { sessionId: textOf(data.reference) }, providerStatus: providerStatusOf(data) };
    case 'refund.pending':
    case 'refund.processing':
    case 'refund.processed':
    case 'refund.failed': {
      const { amount = null, currency = null } = minorOf(plainNumber(data.amount), data.currency) ?? {};
      return {
        kind: 'refund',
        of: { sessionId: textOf(data.transaction_reference) },
        id: NOTE.exec(textOf(data.merchant_note))?.[1] ?? null,
        amount,
        currency,
        ...refundFinding({ ...data, status: String(event.event).slice('refund.'.length) }),
      };
    }
    default:
      return { kind: 'nothing' };
  }
};

export const bankAfrica = (baseUrl: string): ProviderAdapter => {
  const call = async (
    { credentials }: ProviderAccount,
    path: string,
    timeoutMs: number,
    body?: object,
  ): Promise<ProviderAnswer | ProviderDenial> => {
    const answer = await callProvider({
      provider: NAME,
      url: `${baseUrl}${path}`,
      headers: { authorization: `Bearer ${credentials.secret_key}` },
      ...(body === undefined ? {} : { body }),
      timeoutMs,
    });
    if (answer.status >= 500 || answer.status === 429) throw new ProviderFault(NAME, `status ${answer.status}`);
    if (answer.status === 401 || answer.status === 403)
      return new ProviderDenial('credentials', 'Paystack refuses the credentials of this store.');
    return answer;
  };

  return {
    name: NAME,
    label: 'Bank or card',
    type: 'redirect',
    currencies: BANK_AFRICA_CURRENCIES,
    countries: ['NG', 'GH', 'ZA', 'KE'],
    credentials: { required: ['secret_key'], optional: [] },
    wrongEnvironmentCredential: ({ secret_key: key = '' }, environment) =>
      key.startsWith(environment === 'sandbox' ? 'sk_test_' : 'sk_live_') ? null : 'secret_key',

    open: async (account, opening, timeoutMs) => {
      for (let tries = 1; ; tries++) {
        const reference = `${opening.reference.replace('_', '-')}.${tries}`;
        const answer = await call(account, '/transaction/initialize', timeoutMs, {
          reference,
          email: opening.email,
          amount: toPaystack(opening.amount, opening.currency),
          currency: opening.currency.code,
          callback_url: opening.callbackUrl ?? `${opening.baseUrl}/pay/returned`,
          metadata: {
            ...opening.metadata,
            payment_reference: opening.reference,
            ...(opening.orderId ? { order_id: opening.orderId } : {}),
          },
        });
        if (answer instanceof ProviderDenial) return answer;
        const { status, json } = answer;
        const checkoutUrl = webAddressOf(json.data?.authorization_url);
        if (json.status === true && checkoutUrl) {
          const expiresAt = new Date(opening.now.getTime() + LIVES_MS);
          return { sessionId: textOf(json.data.reference) || reference, checkoutUrl, expiresAt };
        }
        const word = textOf(json.code);
        const taken = word === 'duplicate_reference' || /duplicate/i.test(textOf(json.message));
        if (taken && tries < TRIES_MAX) continue;
        if (status >= 400 || json.status === false)
          return new ProviderDenial('invalid', 'Paystack does not accept this payment.', word);
        throw new ProviderFault(NAME, `status ${status} without an address`);
      }
    },

    fetchStatus: async (account, payment, timeoutMs) => {
      const answer = await call(account, `/transaction/verify/${encodeURIComponent(payment.sessionId)}`, timeoutMs);
      if (answer instanceof ProviderDenial) throw new CredentialsRejected(NAME);
      if (answer.status >= 400) return { status: payment.expiresAt <= payment.now ? 'expired' : 'pending' };
      const providerStatus = providerStatusOf(answer.json.data ?? {});
      return providerStatus.status === 'pending' && payment.expiresAt <= payment.now
        ? { status: 'expired' }
        : providerStatus;
    },

    refund: async (account, payment, { id, amount, reason, isRetry }, timeoutMs) => {
      const note = `stoa-refund-${id}`;
      // Paystack has no idempotency key for refunds, so an earlier refund is looked up first.
      if (isRetry) {
        const path = `/refund?transaction=${encodeURIComponent(payment.chargeId ?? payment.sessionId)}&perPage=100`;
        const listed = await call(account, path, timeoutMs);
        if (listed instanceof ProviderDenial) return listed;
        if (listed.status >= 400) throw new ProviderFault(NAME, `status ${listed.status} for what was given back`);
        const before = ((listed.json.data ?? []) as readonly ProviderAnswer['json'][]).find(
          (one) => one.merchant_note === note,
        );
        if (before) return refundFinding(before);
      }
      const answer = await call(account, '/refund', timeoutMs, {
        transaction: payment.sessionId,
        amount: toPaystack(amount, payment.currency),
        currency: payment.currency.code,
        merchant_note: note,
        ...(reason ? { customer_note: reason } : {}),
      });
      if (answer instanceof ProviderDenial) return answer;
      if (answer.status >= 400)
        return new ProviderDenial('invalid', 'Paystack does not give this payment back.', textOf(answer.json.code));
      return refundFinding(answer.json.data ?? {});
    },

    readCallback: async ({ credentials }, { body, headers }) => {
      const signature = headers.paystack_signature;
      if (!signature || !credentials.secret_key) return null;
      const expected = createHmac('sha512', credentials.secret_key).update(body).digest('hex');
      if (!constantTimeEqual(signature, expected)) return null;
      return reportOf(parseExact(Buffer.from(body).toString('utf8')) as ProviderAnswer['json']);
    },
  };
};
