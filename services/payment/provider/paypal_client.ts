// Calls PayPal's API with an access token, and reads its errors and amounts.
import type { Currency } from '#values/currency.ts';
import { majorText } from '#values/money.ts';
import { callProvider, type ProviderAnswer, textOf } from './http.ts';
import { type ProviderAccount, ProviderDenial, ProviderFault, ProviderNotReached } from './provider.ts';
import { openTokens } from './token.ts';

export const WALLET = 'wallet';
const WHOLE = new Set(['HUF', 'JPY', 'TWD']);
/** PayPal's error code while another request with the same id is in progress. */
export const PAYPAL_BUSY = 'PREVIOUS_REQUEST_IN_PROGRESS';

export const valueText = (amount: number, currency: Currency): string | null => {
  const text = majorText(amount, currency);
  if (!WHOLE.has(currency.code)) return text;
  return /^\d+(\.0*)?$/.test(text) ? text.split('.', 1)[0]! : null;
};

export const issueOf = ({ json }: ProviderAnswer): string => textOf(json.details?.[0]?.issue) || textOf(json.name);

export type PayPalUrls = Readonly<Record<ProviderAccount['environment'], string>>;

interface PayPalRequest {
  readonly body?: object | string;
  readonly requestId?: string;
}

export type CallPayPal = (
  account: ProviderAccount,
  path: string,
  timeoutMs: number,
  send?: PayPalRequest,
) => Promise<ProviderAnswer | ProviderDenial>;

export const openCall = (baseUrls: PayPalUrls): CallPayPal => {
  const tokens = openTokens({
    provider: WALLET,
    ask: ({ environment, credentials: { client_id: id = '', client_secret: secret = '' } }) => ({
      url: `${baseUrls[environment]}/v1/oauth2/token`,
      headers: {
        authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: 'grant_type=client_credentials',
    }),
    denied: () => new ProviderDenial('credentials', 'PayPal refuses the credentials of this store.'),
  });

  return async (account, path, timeoutMs, send = {}) => {
    const started = performance.now();
    const token = await tokens.of(account, timeoutMs);
    if (token instanceof ProviderDenial) return token;
    const answer = await callProvider({
      provider: WALLET,
      url: `${baseUrls[account.environment]}${path}`,
      headers: {
        authorization: `Bearer ${token}`,
        prefer: 'return=representation',
        ...(typeof send.body === 'string' ? { 'content-type': 'application/json' } : {}),
        ...(send.requestId ? { 'paypal-request-id': send.requestId } : {}),
      },
      ...(send.body === undefined ? {} : { body: send.body }),
      timeoutMs: timeoutMs - (performance.now() - started),
    });
    if (answer.status >= 500 || answer.status === 429) throw new ProviderFault(WALLET, `status ${answer.status}`);
    if (answer.status === 403)
      return new ProviderDenial(
        'credentials',
        'PayPal refuses the credentials of this store.',
        textOf(answer.json.name),
      );
    if (answer.status !== 401) return answer;
    tokens.forget(account);
    throw new ProviderNotReached({ provider: WALLET, problem: 'the token is not good any more' });
  };
};
