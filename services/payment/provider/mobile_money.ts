// Mobile money: M-Pesa through Safaricom's Daraja. The shopper is asked on their phone (an STK push).
import { createHmac } from 'node:crypto';
import { constantTimeEqual } from '#runtime/process/seal.ts';
import { currencyOf } from '#values/currency.ts';
import { majorText, toMinor } from '#values/money.ts';
import { parseExact, plainNumber } from '#values/numeral.ts';
import { callProvider, type ProviderAnswer, textOf } from './http.ts';
import type { Callback, ProviderAccount, ProviderAdapter, ProviderReport, ProviderStatus } from './provider.ts';
import { CredentialsRejected, ProviderDenial, ProviderFault, ProviderNotReached } from './provider.ts';
import { openTokens } from './token.ts';

const NAME = 'mobile_money';
/**
 * Time until a payment expires. The prompt on the phone lasts a minute, and Safaricom reports the outcome within a few.
 */
const LIVES_MS = 10 * 60_000;
const SHILLING = currencyOf('KES');
const NAIROBI_MS = 3 * 3_600_000;
/** Result codes of a prompt that the shopper cancelled or let time out; nothing was charged. */
const EXPIRED = new Set(['1037', '1019']);
/** Error or result code while the prompt is open. */
const IN_PROCESS = '500.001.1001';
const STILL_ASKED = '4999';
/** Error code for an invalid access token; some Daraja gateways answer a plain 401 instead. */
const TOKEN_UNKNOWN = '404.001.03';

export const shillings = (amount: number): number | null => {
  const text = majorText(amount, SHILLING);
  return /\.00$/.test(text) ? Number(text.slice(0, -3)) : null;
};

const timestampOf = (now: number): string =>
  new Date(now + NAIROBI_MS).toISOString().replace(/[-:T]/g, '').slice(0, 14);

const providerStatusOf = (code: string, chargeId?: string): ProviderStatus => {
  if (code === '0') return { status: 'succeeded', ...(chargeId ? { chargeId } : {}) };
  if (code === STILL_ASKED) return { status: 'pending' };
  return { status: EXPIRED.has(code) ? 'expired' : 'failed', failure: code };
};

/**
 * Returns the token in a payment's report URL, an HMAC under the account's secret, since Daraja does not sign its
 * reports.
 */
const tokenOf = ({ credentials, environment }: ProviderAccount, reference: string): string =>
  createHmac('sha256', `${credentials.consumer_secret}/${credentials.passkey}`)
    .update(`${environment}/${reference}`)
    .digest('base64url');

const reportAddress = (account: ProviderAccount, reportUrl: string, reference: string): string =>
  `${reportUrl}?reference=${encodeURIComponent(reference)}&token=${tokenOf(account, reference)}`;

const codeOf = (code: unknown): string => (/^\d+$/.test(String(code)) ? String(code) : '');

const reportOf = (json: ProviderAnswer['json'], reference: string): ProviderReport => {
  const push = json.Body?.stkCallback;
  if (push && codeOf(push.ResultCode)) {
    const items = (push.CallbackMetadata?.Item ?? []) as readonly { Name?: unknown; Value?: unknown }[];
    const item = (name: string): unknown => items.find(({ Name }) => Name === name)?.Value;
    const amount = plainNumber(item('Amount'));
    const paid = amount === null ? null : toMinor(amount, SHILLING);
    const providerStatus = providerStatusOf(codeOf(push.ResultCode), textOf(item('MpesaReceiptNumber')));
    return {
      kind: 'payment',
      of: { reference },
      providerStatus:
        providerStatus.status === 'succeeded' && paid !== null
          ? { ...providerStatus, amount: paid, currency: 'KES' }
          : providerStatus,
    };
  }
  const [, payment, id] = /^(.+)\/refund-([0-9a-f-]{36})$/.exec(reference) ?? [];
  if (payment && id && codeOf(json.Result?.ResultCode))
    return {
      kind: 'refund',
      of: { reference: payment },
      id,
      amount: null,
      currency: null,
      providerRefund: textOf(json.Result.ConversationID) || null,
      status: codeOf(json.Result.ResultCode) === '0' ? 'succeeded' : 'failed',
    };
  return { kind: 'nothing' };
};

const signed = ({ credentials: { shortcode = '', passkey = '' } }: ProviderAccount, now: number) => {
  const timestamp = timestampOf(now);
  const password = Buffer.from(`${shortcode}${passkey}${timestamp}`).toString('base64');
  return { BusinessShortCode: shortcode, Password: password, Timestamp: timestamp };
};

const refusing = ({ json }: ProviderAnswer): ProviderDenial =>
  new ProviderDenial('credentials', 'Daraja refuses the credentials of this store.', textOf(json.errorCode));

const FACTS = {
  name: NAME,
  label: 'M-Pesa',
  type: 'push',
  currencies: ['KES'],
  countries: ['KE'],
  credentials: {
    required: ['consumer_key', 'consumer_secret', 'shortcode', 'passkey'],
    optional: ['initiator_name', 'security_credential'],
  },
  wrongEnvironmentCredential: () => null,
} as const satisfies Partial<ProviderAdapter>;

export const mobileMoney = (baseUrls: Readonly<Record<ProviderAccount['environment'], string>>): ProviderAdapter => {
  const tokens = openTokens({
    provider: NAME,
    ask: ({ environment, credentials: { consumer_key: id = '', consumer_secret: secret = '' } }) => ({
      url: `${baseUrls[environment]}/oauth/v1/generate?grant_type=client_credentials`,
      headers: { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}` },
    }),
    denied: refusing,
  });

  const call = async (
    account: ProviderAccount,
    path: string,
    body: object,
    timeoutMs: number,
  ): Promise<ProviderAnswer | ProviderDenial> => {
    const started = performance.now();
    const token = await tokens.of(account, timeoutMs);
    if (token instanceof ProviderDenial) return token;
    const answer = await callProvider({
      provider: NAME,
      url: `${baseUrls[account.environment]}${path}`,
      headers: { authorization: `Bearer ${token}` },
      body,
      timeoutMs: timeoutMs - (performance.now() - started),
    });
    // Status 429 means that Daraja has started nothing.
    if (answer.status === 429) throw new ProviderNotReached({ provider: NAME, problem: 'too many ask' });
    if (answer.status === 403) return refusing(answer);
    if (answer.status !== 401 && textOf(answer.json.errorCode) !== TOKEN_UNKNOWN) return answer;
    tokens.forget(account);
    throw new ProviderNotReached({ provider: NAME, problem: 'the token is not good any more' });
  };

  return {
    ...FACTS,

    open: async (account, opening, timeoutMs) => {
      const amount = shillings(opening.amount);
      if (amount === null) return new ProviderDenial('invalid', 'M-Pesa takes whole shillings.');
      const answer = await call(
        account,
        '/mpesa/stkpush/v1/processrequest',
        {
          ...signed(account, Date.now()),
          TransactionType: 'CustomerPayBillOnline',
          Amount: amount,
          PartyA: opening.phone,
          PartyB: account.credentials.shortcode,
          PhoneNumber: opening.phone,
          CallBackURL: reportAddress(account, opening.reportUrl, opening.reference),
          AccountReference: (opening.orderNumber ?? opening.reference.slice(-12)).slice(0, 12),
          TransactionDesc: 'Payment',
        },
        timeoutMs,
      );
      if (answer instanceof ProviderDenial) return answer;
      const { status, json } = answer;
      const sessionId = textOf(json.CheckoutRequestID);
      if (status === 200 && String(json.ResponseCode) === '0' && sessionId)
        return { sessionId, checkoutUrl: null, expiresAt: new Date(opening.now.getTime() + LIVES_MS) };
      if (status >= 400 && status < 500)
        return new ProviderDenial('invalid', 'M-Pesa does not accept this payment.', textOf(json.errorCode));
      throw new ProviderFault(NAME, `status ${status} ${textOf(json.errorCode)}`);
    },

    fetchStatus: async (account, payment, timeoutMs) => {
      const body = { ...signed(account, Date.now()), CheckoutRequestID: payment.sessionId };
      const answer = await call(account, '/mpesa/stkpushquery/v1/query', body, timeoutMs);
      if (answer instanceof ProviderDenial) throw new CredentialsRejected(NAME);
      const { status, json } = answer;
      if (status === 200 && codeOf(json.ResultCode)) {
        const providerStatus = providerStatusOf(codeOf(json.ResultCode));
        if (providerStatus.status !== 'succeeded' || payment.needsReview) return providerStatus;
        // The provider's answer has no amount. Shoppers cannot change the amount of the prompt, so it equals the payment's.
        return { ...providerStatus, amount: payment.amount, currency: SHILLING.code };
      }
      if (textOf(json.errorCode) === IN_PROCESS) return { status: 'pending' };
      throw new ProviderFault(NAME, `status ${status} ${textOf(json.errorCode)}`);
    },

    refund: async (account, payment, { id, amount, reason, isRetry, reportUrl }, timeoutMs) => {
      const whole = shillings(amount);
      const { initiator_name: initiator, security_credential: credential, shortcode } = account.credentials;
      if (whole === null || !initiator || !credential || payment.chargeId === null)
        return new ProviderDenial('unsupported', 'M-Pesa cannot reverse this payment.');
      // A reversal is never sent twice: Daraja reports the outcome of the first one.
      if (isRetry) return { status: 'pending', providerRefund: null };
      const reportTo = reportAddress(account, reportUrl, `${payment.reference}/refund-${id}`);
      const answer = await call(
        account,
        '/mpesa/reversal/v1/request',
        {
          Initiator: initiator,
          SecurityCredential: credential,
          CommandID: 'TransactionReversal',
          TransactionID: payment.chargeId,
          Amount: whole,
          ReceiverParty: shortcode,
          RecieverIdentifierType: '11',
          ResultURL: reportTo,
          QueueTimeOutURL: reportTo,
          Remarks: (reason || 'Refund').slice(0, 100),
          Occasion: id.slice(0, 100),
        },
        timeoutMs,
      );
      if (answer instanceof ProviderDenial) return answer;
      if (answer.status === 200 && String(answer.json.ResponseCode) === '0')
        return { status: 'pending', providerRefund: textOf(answer.json.ConversationID) || null };
      if (answer.status >= 400 && answer.status < 500)
        return new ProviderDenial('invalid', 'M-Pesa does not reverse this payment.', textOf(answer.json.errorCode));
      throw new ProviderFault(NAME, `status ${answer.status} for a reversal`);
    },

    readCallback: async (account: ProviderAccount, { body, reference, token }: Callback) => {
      if (!reference || !token || !account.credentials.passkey) return null;
      if (!constantTimeEqual(token, tokenOf(account, reference))) return null;
      return reportOf(parseExact(Buffer.from(body).toString('utf8')), reference);
    },
  };
};
