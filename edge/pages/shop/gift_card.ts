// Gift cards on a checkout's page: the amount that each card pays, and the amount that remains due. The checkout does
// not store the cards; the form sends them each time, and they are charged when the order is placed.
import type { CheckoutIntent } from '#proto/gen/agent.ts';
import { Refusal, refuse } from '#runtime/call/call.ts';
import { currencyOf } from '#values/currency.ts';
import { convertDown, parseRate } from '#values/exchange.ts';
import { AMOUNT_MAX, fromMajor, toMajor } from '#values/money.ts';
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

/** Returns what a card is worth in the checkout's currency, rounded down as the order rounds it. */
const balanceIn = (
  { currency, exchange_rate }: CheckoutIntent,
  storeCurrency: string,
  card: { readonly currency: string; readonly balance: number },
): number | null => {
  if (card.currency === currency) return card.balance;
  const rate = exchange_rate === null ? null : parseRate(exchange_rate);
  if (rate === null || card.currency !== storeCurrency) return null;
  const exchange = { from: currencyOf(card.currency), to: currencyOf(currency), rate, ending: null };
  return toMajor(convertDown(fromMajor(card.balance, exchange.from), exchange) ?? AMOUNT_MAX, exchange.to);
};

export const readGiftCards = async (
  { core, shop }: PageCall,
  intent: CheckoutIntent,
  codes: readonly string[],
): Promise<GiftCards | Refusal> => {
  if (codes.length > CARDS_MAX)
    return refuse('invalid_request', `Use at most ${CARDS_MAX} gift cards.`, { param: CODES_FIELD });
  const payments: CardPayment[] = [];
  const { currency } = intent;
  const { exponent } = currencyOf(currency);
  let due = intent.grand_total;
  for (const code of codes) {
    const found = await core.giftCards(code);
    if (found instanceof Refusal && found.code !== 'not_found' && found.code !== 'invalid_request') return found;
    const card = found instanceof Refusal ? undefined : found.gift_card;
    if (!card) return notApplicable(code, 'is not known here');
    if (card.status !== 'active') return notApplicable(code, `is ${card.status}`);
    const balance = balanceIn(intent, shop.currency, card);
    if (balance === null) return notApplicable(code, `is in ${card.currency}`);
    const amount = Math.min(balance, due);
    due = Number((due - amount).toFixed(exponent));
    payments.push({ last4: card.code.slice(-SHOWN_DIGITS), amount });
  }
  return { codes, payments, due };
};
