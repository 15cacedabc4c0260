// Serves `/s/<code>/checkout/<intent>`, where a buyer completes a checkout that an assistant started. Anyone who knows
// the URL has access, so once the order is placed the page shows the items but no personal data.

import { statusOf } from '#edge/gates/refusal.ts';
import { messagePage } from '#edge/pages/small_page.ts';
import type { CheckoutIntent } from '#proto/gen/agent.ts';
import { Refusal } from '#runtime/call/call.ts';
import { openCheckoutDocument, providerRedirectDocument } from './checkout_document.ts';
import {
  changeOf,
  type Fields,
  type FormError,
  fieldsOf,
  formErrorOf,
  missingState,
  sentFields,
} from './checkout_form.ts';
import { type NextStep, payCheckout, paymentMethodsFor, payOrder, RETURN_PARAM } from './checkout_payment.ts';
import { type GiftCards, noCards, readGiftCards, typedCodes } from './gift_card.ts';
import { isDue, placedDocument } from './order_document.ts';
import { type PageCall, readForm } from './page_call.ts';
import { redirectToSelf, refusalPage, shopResponse } from './response.ts';

const REFRESH_S = 4;
const REFRESHES_MAX = 30;
const ENDED_TEXTS = {
  expired: [
    'This checkout has expired',
    'Its items were reserved for a limited time. Ask your assistant to start again.',
  ],
  cancelled: ['This checkout was cancelled', 'Nothing was paid.'],
} as const;

/** The page itself exists, so a `not_found` concerns a field of the form and becomes 400. */
const pageStatusOf = (refusal: Refusal): number => (refusal.code === 'not_found' ? 400 : statusOf(refusal));

const showOpen = async (
  call: PageCall,
  intent: CheckoutIntent,
  fields: Fields = fieldsOf(intent),
  error: FormError | null = null,
  status = 200,
  cards: GiftCards = noCards(intent),
): Promise<Response> => {
  const methods = await paymentMethodsFor(call, intent.currency, intent.shipping_address?.country ?? null);
  if (methods instanceof Refusal) return refusalPage(call.context, methods);
  const document = openCheckoutDocument(call, { intent, fields, methods, error, cards });
  return shopResponse(call, document, { status, pictures: intent.lines.map((line) => line.thumbnail_url) });
};

/** `refreshes` counts page loads since the buyer returned from a provider; 0 if the buyer did not. */
const showPlaced = async (
  call: PageCall,
  intent: CheckoutIntent,
  refreshes: number,
  refused: Refusal | null = null,
): Promise<Response> => {
  const { core, context } = call;
  const id = intent.order_id!;
  let order = await core.order(id);
  if (order instanceof Refusal) return refusalPage(context, order);
  if (refreshes > 0 && isDue(order)) {
    await core.settlePayments(id);
    const since = await core.order(id);
    if (!(since instanceof Refusal)) order = since;
  }
  const methods = await paymentMethodsFor(call, order.currency, order.shipping_address?.country ?? null);
  if (methods instanceof Refusal) return refusalPage(context, methods);
  const isPending = refreshes > 0 && refreshes < REFRESHES_MAX && isDue(order) && order.payment_status === 'pending';
  const error = refused && formErrorOf(refused).text;
  return shopResponse(call, placedDocument(call, intent, order, { methods, isPending, error }), {
    status: refused ? pageStatusOf(refused) : 200,
    pictures: intent.lines.map((line) => line.thumbnail_url),
    ...(isPending && { headers: { Refresh: `${REFRESH_S}; url=?${RETURN_PARAM}=${refreshes + 1}` } }),
  });
};

const show = (call: PageCall, intent: CheckoutIntent): Response | Promise<Response> => {
  const { context } = call;
  if (intent.status === 'expired' || intent.status === 'cancelled') {
    const [title, text] = ENDED_TEXTS[intent.status];
    return messagePage(context, 200, title, text);
  }
  if (intent.order_id === null) return showOpen(call, intent);
  const refreshes = Number(new URL(context.request.url).searchParams.get(RETURN_PARAM) ?? '0');
  return showPlaced(call, intent, Number.isInteger(refreshes) && refreshes > 0 ? refreshes : 0);
};

/** Sends the buyer on by a `Refresh` header: the content policy forbids redirects to other sites after a form. */
const followNextStep = (call: PageCall, next: NextStep): Response => {
  if (next === null) return redirectToSelf(call.context);
  if ('phone' in next) return redirectToSelf(call.context, `${RETURN_PARAM}=1`);
  const { url } = next;
  return shopResponse(call, providerRedirectDocument(call, url), { headers: { Refresh: `0; url=${url}` } });
};

const withOnlyOption = async ({ core }: PageCall, intent: CheckoutIntent): Promise<CheckoutIntent> => {
  const ways = intent.shipping_options.filter(({ available }) => available);
  if (ways.length !== 1 || !intent.requirements.some(({ code }) => code === 'missing_shipping_option')) return intent;
  const chosen = await core.changeCheckout(intent.id, { shipping_option_id: ways[0]!.id }, null);
  return chosen instanceof Refusal ? intent : chosen.value;
};

const submitOpen = async (call: PageCall, intent: CheckoutIntent, form: URLSearchParams): Promise<Response> => {
  const { core } = call;
  const before = fieldsOf(intent);
  const sent = sentFields(form, before);
  const change = changeOf(intent, before, sent);
  let changed = intent;
  const stateless = change && missingState(change);
  if (stateless) return showOpen(call, intent, sent, stateless, 400);
  if (change) {
    const updated = await core.changeCheckout(intent.id, change, null);
    if (updated instanceof Refusal) return showOpen(call, intent, sent, formErrorOf(updated), pageStatusOf(updated));
    changed = await withOnlyOption(call, updated.value);
  }
  const codes = typedCodes(form);
  const saves = (form.get('do') ?? 'save') === 'save';
  if (saves && codes.length === 0) return redirectToSelf(call.context);
  const savedFields = fieldsOf(changed);
  if (!saves && changed.status !== 'ready') return showOpen(call, changed, savedFields, null, 400);
  const limited = await call.attempt();
  const cards = limited ?? (await readGiftCards(call, changed, codes));
  if (cards instanceof Refusal) return showOpen(call, changed, savedFields, formErrorOf(cards), pageStatusOf(cards));
  if (saves) return showOpen(call, changed, savedFields, null, 200, cards);
  const next = await payCheckout(call, changed, form, cards);
  if (!(next instanceof Refusal)) return followNextStep(call, next);
  // Another request may have completed or changed the checkout meanwhile.
  const now = await core.checkout(intent.id);
  if (now instanceof Refusal) return refusalPage(call.context, now);
  if (now.order_id !== null) return showPlaced(call, now, 0, next);
  if (now.status !== 'open' && now.status !== 'ready') return show(call, now);
  return showOpen(call, now, fieldsOf(now), formErrorOf(next), pageStatusOf(next), cards);
};

const submitPlaced = async (call: PageCall, intent: CheckoutIntent, form: URLSearchParams): Promise<Response> => {
  const [, provider] = /^pay:([a-z][a-z0-9_]{1,49})$/.exec(form.get('do') ?? '') ?? [];
  const order = await call.core.order(intent.order_id!);
  if (order instanceof Refusal) return refusalPage(call.context, order);
  if (!provider) return redirectToSelf(call.context);
  const limited = await call.attempt();
  const next = limited ?? (await payOrder(call, order, provider, form.get('payment_phone')));
  return next instanceof Refusal ? showPlaced(call, intent, 0, next) : followNextStep(call, next);
};

export const checkoutPage = async (call: PageCall): Promise<Response> => {
  const { context, core, name } = call;
  const intent = await core.checkout(name);
  if (intent instanceof Refusal) return refusalPage(context, intent);
  if (context.request.method !== 'POST') return show(call, intent);
  const form = await readForm(context);
  if (form instanceof Refusal) return refusalPage(context, form);
  if (intent.order_id !== null) return submitPlaced(call, intent, form);
  return intent.status === 'open' || intent.status === 'ready' ? submitOpen(call, intent, form) : show(call, intent);
};
