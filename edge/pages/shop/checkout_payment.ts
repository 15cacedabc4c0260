// Starts payments of the checkout page: with the sandbox's test card, or on a provider's page.

import { isWebUrl } from '#edge/pages/store_brand.ts';
import type { CheckoutIntent } from '#proto/gen/agent.ts';
import type { StoreOrder } from '#proto/gen/order.ts';
import type { PaymentMethod } from '#proto/gen/payment.ts';
import { Refusal, refuse } from '#runtime/call/call.ts';
import { plainNumber } from '#values/numeral.ts';
import type { GiftCards } from './gift_card.ts';
import { isDue } from './order_document.ts';
import type { PageCall } from './page_call.ts';

/** Query parameter of the page after a return from a provider; its value counts the page's refreshes. */
export const RETURN_PARAM = 'paid';

export type NextStep = { readonly url: string } | { readonly phone: true } | null;

const NO_TOTAL = refuse('amount_mismatch', 'The form has no `total`. Open the checkout again and confirm its total.');
const UNKNOWN_METHOD = refuse('invalid_request', 'Choose one of the payment methods.');

const payByTestCard = async (
  { core }: PageCall,
  intent: CheckoutIntent,
  expected_total: number,
  declines: boolean,
): Promise<NextStep | Refusal> => {
  const { id, currency, grand_total, expires_at } = intent;
  const issued = await core.issueToken(
    { checkout_intent_id: id, max_amount: grand_total, currency, expires_at, declines },
    null,
  );
  if (issued instanceof Refusal) return issued;
  const { token } = issued.value;
  const completed = await core.completeCheckout(id, null, { token, expected_total }, null);
  return completed instanceof Refusal ? completed : null;
};

export const paymentMethodsFor = async (
  { core }: PageCall,
  currency: string,
  country: string | null,
): Promise<readonly PaymentMethod[] | Refusal> => {
  const open = await core.paymentMethods();
  if (open instanceof Refusal) return open;
  const takes = (list: readonly string[], one: string | null): boolean =>
    list.length === 0 || one === null || list.includes(one);
  return open.methods.filter((method) => takes(method.currencies, currency) && takes(method.countries, country));
};

export const payOrder = async (
  { core, base }: PageCall,
  order: StoreOrder,
  provider: string,
  phone: string | null,
): Promise<NextStep | Refusal> => {
  if (!isDue(order) || order.checkout_intent_id === null) return null;
  const page = `${base}/checkout/${order.checkout_intent_id}`;
  const back = `${page}?${RETURN_PARAM}=1`;
  const payment = await core.beginPayment({
    provider,
    amount: order.amount_due,
    currency: order.currency,
    email: order.email,
    phone: phone || null,
    country: order.shipping_address?.country ?? null,
    order_id: order.id,
    success_url: back,
    cancel_url: page,
    callback_url: back,
  });
  if (payment instanceof Refusal) return payment;
  return isWebUrl(payment.checkout_url) ? { url: payment.checkout_url } : { phone: true };
};

export const payCheckout = async (
  call: PageCall,
  intent: CheckoutIntent,
  form: URLSearchParams,
  cards: GiftCards,
): Promise<NextStep | Refusal> => {
  const { core, environment } = call;
  const chosen = form.get('do') ?? '';
  const expected_total = plainNumber(form.get('total'));
  if (expected_total === null) return NO_TOTAL;
  const simulated = environment === 'sandbox' && (chosen === 'card' || chosen === 'declined');
  // A test card's token pays the whole checkout, so it cannot be combined with gift cards.
  if (simulated && cards.codes.length > 0) return UNKNOWN_METHOD;
  if (simulated) return payByTestCard(call, intent, expected_total, chosen === 'declined');
  const [, provider] = /^pay:([a-z][a-z0-9_]{1,49})$/.exec(chosen) ?? [];
  if (chosen !== 'place' && !provider) return UNKNOWN_METHOD;
  if (!provider && cards.due > 0) return UNKNOWN_METHOD;
  const ways = await paymentMethodsFor(call, intent.currency, intent.shipping_address?.country ?? null);
  if (ways instanceof Refusal) return ways;
  const way = ways.find((method) => method.provider === provider);
  if (provider && !way) return UNKNOWN_METHOD;
  const phone = form.get('payment_phone');
  if (way?.type === 'push' && !phone)
    return refuse('invalid_request', 'Enter the phone number for the payment.', { param: 'phone' });
  const placed = await core.completeCheckout(
    intent.id,
    null,
    { expected_total, pay_later: provider !== undefined || cards.codes.length > 0, gift_card_codes: [...cards.codes] },
    null,
  );
  if (placed instanceof Refusal) return placed;
  return provider ? payOrder(call, placed.order, provider, phone) : null;
};
