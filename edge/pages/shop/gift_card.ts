// Gift cards on a checkout's page: the amount that each card pays, and the amount that remains due. The checkout does
// not store the cards; the form sends them each time, and they are charged when the order is placed.
import type { CheckoutIntent } from '#proto/gen/agent.ts';
import { Refusal, refuse } from '#runtime/call/call.ts';
import { currencyOf } from '#values/currency.ts';
import type { PageCall } from './page_call.ts';

export const CODES_FIELD = 'gift_card_codes';
const CARDS_MAX = 10;
const SHOWN_DIGITS = 4;

export interface CardPayment {
  readonly last4: string;
  /** In major units. */
  readonly amount: number;
}

export interface GiftCards {
  readonly codes: readonly string[];
  readonly payments: readonly CardPayment[];
  readonly due: number;
}

export const typedCodes = (form: URLSearchParams): readonly string[] => [
  ...new Set((form.get(CODES_FIELD) ?? '').split(/[\s,;]+/).filter(Boolean)),
];

export const noCards = ({ grand_total: due }: CheckoutIntent): GiftCards => ({ codes: [], payments: [], due });

const notApplicable = (code: string, why: string): Refusal =>
  refuse('gift_card_not_applicable', `The gift card …${code.slice(-SHOWN_DIGITS)} ${why}.`, { param: CODES_FIELD });

export const readGiftCards = async (
  { core }: PageCall,
  { grand_total, currency }: CheckoutIntent,
  codes: readonly string[],
): Promise<GiftCards | Refusal> => {
  if (codes.length > CARDS_MAX)
    return refuse('invalid_request', `Use at most ${CARDS_MAX} gift cards.`, { param: CODES_FIELD });
  const payments: CardPayment[] = [];
  const { exponent } = currencyOf(currency);
  let due = grand_total;
  for (const code of codes) {
    const found = await core.giftCards(code);
    if (found instanceof Refusal && found.code !== 'not_found' && found.code !== 'invalid_request') return found;
    const card = found instanceof Refusal ? undefined : found.gift_card;
    if (!card) return notApplicable(code, 'is not known here');
    if (card.status !== 'active') return notApplicable(code, `is ${card.status}`);
    if (card.currency !== currency) return notApplicable(code, `is in ${card.currency}`);
    const amount = Math.min(card.balance, due);
    due = Number((due - amount).toFixed(exponent));
    payments.push({ last4: card.code.slice(-SHOWN_DIGITS), amount });
  }
  return { codes, payments, due };
};
