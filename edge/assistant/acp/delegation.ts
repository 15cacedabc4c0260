// Issues sandbox payment tokens for test cards. A token pays one checkout up to an amount; the card number decides the
// outcome and is not stored.
import type { AssistantCall } from '#edge/assistant/adapter.ts';
import type { RetryKey } from '#edge/assistant/core.ts';
import { Refusal, refuse, renamed } from '#runtime/call/call.ts';
import { parseCurrency } from '#values/currency.ts';
import { minorMax, toMajor } from '#values/money.ts';
import { type Card, type DelegationRequest, readDelegation } from './delegation_request.ts';
import type { Fields } from './field.ts';

const DECLINED = '4000000000000002';
const NUMBER = /^\d{12,19}$/;

const SANDBOX_ONLY = refuse('forbidden', 'Stoa issues payment tokens in the sandbox only.', {
  hint: 'Send a test key. In production the payment provider issues the tokens.',
});

export class InvalidCard {
  readonly message: string;
  readonly param: string;

  constructor(message: string, param: string) {
    this.message = message;
    this.param = param;
  }
}

const luhn = (digits: string): boolean =>
  [...digits].reverse().reduce((sum, digit, at) => {
    const value = Number(digit) * (at % 2 === 1 ? 2 : 1);
    return sum + (value > 9 ? value - 9 : value);
  }, 0) %
    10 ===
  0;

const CARD_FIELDS = [
  ['exp_month', /^(0?[1-9]|1[0-2])$/, 'The card’s month of expiry is 1 to 12.'],
  ['exp_year', /^\d{4}$/, 'The card’s year of expiry has four digits.'],
  ['cvc', /^\d{3,4}$/, 'The card’s code has three or four digits.'],
] as const;

const digitsOf = ({ number }: Card): string => number.replace(/[ -]/g, '');

const cardFault = (card: Card): InvalidCard | null => {
  const number = digitsOf(card);
  if (!NUMBER.test(number) || !luhn(number))
    return new InvalidCard('The card number is invalid.', '$.payment_method.number');
  for (const [name, form, message] of CARD_FIELDS) {
    const part = card[name];
    if (part && !form.test(part)) return new InvalidCard(message, `$.payment_method.${name}`);
  }
  return null;
};

const allowanceOf = ({ shop }: AssistantCall, { allowance }: DelegationRequest) => {
  const { merchant_id, max_amount: minor, checkout_session_id, expires_at } = allowance;
  const currency = parseCurrency(allowance.currency.toUpperCase());
  const wrong = (name: string, message: string) => refuse('invalid_request', message, { param: `$.allowance.${name}` });
  if (merchant_id !== shop.id)
    return wrong('merchant_id', `\`allowance.merchant_id\` must be this store’s id, ${shop.id}.`);
  if (currency === null) return wrong('currency', `\`${allowance.currency}\` is not a supported currency.`);
  const most = minorMax(currency);
  if (minor <= 0 || minor > most)
    return wrong('max_amount', `\`max_amount\` is ${minor}; send a whole number of minor units from 1 to ${most}.`);
  const max_amount = toMajor(minor, currency);
  return { checkout_intent_id: checkout_session_id, max_amount, currency: currency.code, expires_at };
};

export interface Delegated {
  readonly id: string;
  readonly created: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly replayed: boolean;
}

const allowedBy = (param: string): string =>
  `$.allowance.${param === 'checkout_intent_id' ? 'checkout_session_id' : param}`;

export const delegatePayment = async (
  call: AssistantCall,
  body: Fields,
  retry: RetryKey,
): Promise<Delegated | InvalidCard | Refusal> => {
  if (call.environment === 'production') return SANDBOX_ONLY;
  const request = readDelegation(body.value);
  if (request instanceof Refusal) return request;
  const fault = cardFault(request.payment_method);
  if (fault) return fault;
  const allowance = allowanceOf(call, request);
  if (allowance instanceof Refusal) return allowance;
  const declines = digitsOf(request.payment_method) === DECLINED;
  const issued = await call.core.issueToken({ ...allowance, declines }, retry);
  if (issued instanceof Refusal) return renamed(issued, allowedBy);
  return {
    id: issued.value.token,
    created: issued.value.created_at,
    metadata: { ...request.metadata, merchant_id: call.shop.id, idempotency_key: retry.key },
    replayed: issued.replayed,
  };
};
