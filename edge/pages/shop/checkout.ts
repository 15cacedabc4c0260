// `/s/<code>/checkout/<intent>`: a buyer finishes by themselves what an assistant began. Who has the address has the
// checkout, as with the API's id; once it is an order the address shows what was bought, and nothing of who bought it.

import { statusOf } from '#edge/gates/refusal.ts';
import { sheetNote } from '#edge/pages/sheet_response.ts';
import type { CheckoutIntent } from '#proto/gen/agent.ts';
import { Refusal } from '#runtime/call/call.ts';
import { type PageCall, readForm } from './caller.ts';
import { openCheckoutDocument } from './checkout_document.ts';
import { changeOf, type Fields, fieldsOf, sentFields, type Wrong, wrongOf } from './checkout_form.ts';
import { BACK, type Onward, payCheckout, payOrder, waysToPay } from './checkout_payment.ts';
import { type GiftCards, noCards, readGiftCards, typedCodes } from './gift_card.ts';
import { goingDocument } from './going_document.ts';
import { isDue, placedDocument } from './order_document.ts';
import { anew, refusedPage, shopResponse } from './response.ts';

const LOOK_S = 4;
const LOOKS_MAX = 30;
const OVER = {
  expired: ['This checkout is over', 'It was held for a while and has expired. Ask your assistant to begin anew.'],
  cancelled: ['This checkout is over', 'It was cancelled, and nothing was paid.'],
} as const;

/** What a form names and there is not is wrong with the form: the page itself is there. */
const pageStatusOf = (refusal: Refusal): number => (refusal.code === 'not_found' ? 400 : statusOf(refusal));

const showOpen = async (
  call: PageCall,
  intent: CheckoutIntent,
  fields: Fields = fieldsOf(intent),
  wrong: Wrong | null = null,
  status = 200,
  cards: GiftCards = noCards(intent),
): Promise<Response> => {
  const methods = await waysToPay(call, intent.currency, intent.shipping_address?.country ?? null);
  if (methods instanceof Refusal) return refusedPage(call.context, methods);
  const document = openCheckoutDocument(call, { intent, fields, methods, wrong, cards });
  return shopResponse(call, document, { status, pictures: intent.lines.map((line) => line.thumbnail_url) });
};

/** `looks`: how often the page has asked the provider since the buyer came back; 0: they did not. */
const showPlaced = async (
  call: PageCall,
  intent: CheckoutIntent,
  looks: number,
  refused: Refusal | null = null,
): Promise<Response> => {
  const { core, context } = call;
  const id = intent.order_id!;
  let order = await core.order(id);
  if (order instanceof Refusal) return refusedPage(context, order);
  if (looks > 0 && isDue(order)) {
    await core.settlePayments(id);
    const since = await core.order(id);
    if (!(since instanceof Refusal)) order = since;
  }
  const methods = await waysToPay(call, order.currency, order.shipping_address?.country ?? null);
  if (methods instanceof Refusal) return refusedPage(context, methods);
  const waits = looks > 0 && looks < LOOKS_MAX && isDue(order) && order.payment_status === 'pending';
  const wrong = refused && wrongOf(refused).text;
  return shopResponse(call, placedDocument(call, intent, order, { methods, waits, wrong }), {
    status: refused ? pageStatusOf(refused) : 200,
    pictures: intent.lines.map((line) => line.thumbnail_url),
    ...(waits && { headers: { Refresh: `${LOOK_S}; url=?${BACK}=${looks + 1}` } }),
  });
};

const show = (call: PageCall, intent: CheckoutIntent): Response | Promise<Response> => {
  const { context } = call;
  if (intent.status === 'expired' || intent.status === 'cancelled') {
    const [title, text] = OVER[intent.status];
    return sheetNote(context, 200, title, text);
  }
  if (intent.order_id === null) return showOpen(call, intent);
  const looks = Number(new URL(context.request.url).searchParams.get(BACK) ?? '0');
  return showPlaced(call, intent, Number.isInteger(looks) && looks > 0 ? looks : 0);
};

/** Not by a redirect: a form's may lead to no other site. */
const goOn = (call: PageCall, onward: Onward): Response => {
  if (onward === null) return anew(call.context);
  if ('phone' in onward) return anew(call.context, `${BACK}=1`);
  const { url } = onward;
  return shopResponse(call, goingDocument(call, url), { headers: { Refresh: `0; url=${url}` } });
};

/** The one way of delivery that there is needs no choice. */
const withOnlyWay = async ({ core }: PageCall, intent: CheckoutIntent): Promise<CheckoutIntent> => {
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
  if (change) {
    const told = await core.changeCheckout(intent.id, change, null);
    if (told instanceof Refusal) return showOpen(call, intent, sent, wrongOf(told), pageStatusOf(told));
    changed = await withOnlyWay(call, told.value);
  }
  const codes = typedCodes(form);
  const saves = (form.get('do') ?? 'save') === 'save';
  if (saves && codes.length === 0) return anew(call.context);
  const stands = fieldsOf(changed);
  if (!saves && changed.status !== 'ready') return showOpen(call, changed, stands, null, 400);
  // Codes are not to be guessed either.
  const tooOften = await call.attempt();
  const cards = tooOften ?? (await readGiftCards(call, changed, codes));
  if (cards instanceof Refusal) return showOpen(call, changed, stands, wrongOf(cards), pageStatusOf(cards));
  if (saves) return showOpen(call, changed, stands, null, 200, cards);
  const onward = await payCheckout(call, changed, form, cards);
  if (!(onward instanceof Refusal)) return goOn(call, onward);
  // It may have been completed, or changed, meanwhile.
  const now = await core.checkout(intent.id);
  if (now instanceof Refusal) return refusedPage(call.context, now);
  if (now.order_id !== null) return showPlaced(call, now, 0, onward);
  if (now.status !== 'open' && now.status !== 'ready') return show(call, now);
  return showOpen(call, now, fieldsOf(now), wrongOf(onward), pageStatusOf(onward), cards);
};

const submitPlaced = async (call: PageCall, intent: CheckoutIntent, form: URLSearchParams): Promise<Response> => {
  const [, provider] = /^pay:([a-z][a-z0-9_]{1,49})$/.exec(form.get('do') ?? '') ?? [];
  const order = await call.core.order(intent.order_id!);
  if (order instanceof Refusal) return refusedPage(call.context, order);
  if (!provider) return anew(call.context);
  const tooOften = await call.attempt();
  const onward = tooOften ?? (await payOrder(call, order, provider, form.get('payment_phone')));
  return onward instanceof Refusal ? showPlaced(call, intent, 0, onward) : goOn(call, onward);
};

export const checkoutPage = async (call: PageCall): Promise<Response> => {
  const { context, core, name } = call;
  const intent = await core.checkout(name);
  if (intent instanceof Refusal) return refusedPage(context, intent);
  if (context.request.method !== 'POST') return show(call, intent);
  const form = await readForm(context);
  if (form instanceof Refusal) return refusedPage(context, form);
  if (intent.order_id !== null) return submitPlaced(call, intent, form);
  return intent.status === 'open' || intent.status === 'ready' ? submitOpen(call, intent, form) : show(call, intent);
};
