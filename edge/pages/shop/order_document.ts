// Renders an order for its buyer, after the checkout or by the order's URL and email address. Pure.

import { money } from '#edge/pages/amount.ts';
import { isWebUrl } from '#edge/pages/store_brand.ts';
import { deliveryName } from '#edge/pages/storefront/delivery.ts';
import type { CheckoutIntent } from '#proto/gen/agent.ts';
import type { StoreOrder } from '#proto/gen/order.ts';
import type { PaymentMethod } from '#proto/gen/payment.ts';
import { html, type Markup } from './markup.ts';
import { type PageContext, shopDocument } from './page_document.ts';
import { lines, moment, totals } from './receipt.ts';

const STATES: Readonly<Record<string, string>> = {
  pending: 'Received',
  confirmed: 'Confirmed',
  processing: 'Being prepared',
  shipped: 'On its way',
  delivered: 'Delivered',
  cancelled: 'Cancelled',
};

const PAYMENTS: Readonly<Record<string, string>> = {
  pending: 'Not paid yet',
  authorized: 'Authorised',
  paid: 'Paid',
  partially_refunded: 'Partly refunded',
  refunded: 'Refunded',
  failed: 'Declined',
  voided: 'Voided',
};

const sumOf = (order: StoreOrder) => ({ ...order, total: order.total_amount, tax_inclusive: null });

export const isDue = ({ amount_due, order_status }: StoreOrder): boolean =>
  amount_due > 0 && order_status !== 'cancelled';

const facts = (order: StoreOrder): Markup => html`<dl>
<dt>Order</dt><dd>${order.order_number}</dd>
<dt>Placed</dt><dd>${moment(order.created_at)}</dd>
<dt>Status</dt><dd>${STATES[order.order_status]}</dd>
<dt>Payment</dt><dd>${PAYMENTS[order.payment_status]}</dd>
${order.shipping_option_name && html`<dt>Delivery</dt><dd>${deliveryName(order.shipping_option_id, order.shipping_option_name)}</dd>`}
</dl>`;

export interface PaymentState {
  readonly methods: readonly PaymentMethod[];
  readonly isPending: boolean;
  readonly error: string | null;
}

const payment = (order: StoreOrder, { methods, isPending, error }: PaymentState): Markup | false => {
  if (!isDue(order)) return false;
  const due = money(order.amount_due, order.currency);
  return html`<section>
<h2>Pay ${due}</h2>
${error && html`<p class="note no" role="alert">${error}</p>`}
${isPending && html`<p class="note" role="status">Your payment is being processed. This page reloads in a few seconds.</p>`}
<form method="post">
<div class="ways">
${methods.some(({ type }) => type === 'push') && html`<label>Phone number (for payments by phone)<input name="payment_phone" type="tel" inputmode="numeric" maxlength="20" placeholder="254700000000"></label>`}
${methods.map(({ provider, name }) => html`<button${!isPending && html` class="go"`} name="do" value="pay:${provider}">Pay by ${name}</button>`)}
${methods.length === 0 && html`<p>The store takes no payments here. It will write to you.</p>`}
</div>
</form>
</section>`;
};

const outcomeOf = (order: StoreOrder): readonly [title: string, text: string] => {
  if (order.order_status === 'cancelled')
    return ['This order is cancelled', 'The order was not paid in time, or the store or the buyer cancelled it.'];
  if (isDue(order) && order.payment_status === 'failed')
    return [
      'The payment was declined',
      'No money was taken. The store reserves your order for an hour: try again, or choose another way to pay.',
    ];
  if (isDue(order))
    return ['Your order is placed', 'Pay it within an hour. Until then the store reserves its items for you.'];
  return ['Thank you', 'Your order is with the store, which writes to you about it.'];
};

/** Renders a placed order with its items but no personal data, because the checkout's URL alone opens the page. */
export const placedDocument = (
  page: PageContext,
  intent: CheckoutIntent,
  order: StoreOrder,
  paying: PaymentState,
): string => {
  const [title, text] = outcomeOf(order);
  return shopDocument(
    page,
    `Order ${order.order_number}`,
    html`<main class="two">
<div class="sum">
<h2>What you bought</h2>
${lines(intent.lines, intent.currency)}
${totals({ ...sumOf(order), tax_inclusive: intent.tax_inclusive }, { ...(order.gift_card_total > 0 && { 'Gift cards': -order.gift_card_total }) })}
</div>
<div class="ways">
<section>
<h1>${title}</h1>
<p>${text}</p>
${facts(order)}
</section>
${payment(order, paying)}
<p><a class="button" href="../orders/${order.id}">Follow the order</a></p>
</div>
</main>`,
  );
};

const parcels = ({ shipments }: StoreOrder): Markup | false =>
  shipments.length > 0 &&
  html`<section><h2>Parcels</h2><ul>
${shipments.map(
  ({ carrier, tracking_number, tracking_url, created_at }) =>
    html`<li>${carrier ?? 'Parcel'}, sent ${moment(created_at)}${tracking_number && html`: ${isWebUrl(tracking_url) ? html`<a href="${tracking_url}" rel="noreferrer">${tracking_number}</a>` : tracking_number}`}</li>`,
)}
</ul></section>`;

const destination = ({ shipping_address: to }: StoreOrder): Markup | false =>
  to !== null &&
  html`<section><h2>Goes to</h2><p>${[
    [to.first_name, to.last_name].filter(Boolean).join(' '),
    to.company,
    to.line1,
    to.line2,
    [to.postal_code, to.city].filter(Boolean).join(' '),
    to.state,
    to.country,
  ]
    .filter(Boolean)
    .map((part) => html`${part}<br>`)}</p></section>`;

export const orderDocument = (page: PageContext, order: StoreOrder): string =>
  shopDocument(
    page,
    `Order ${order.order_number}`,
    html`<main class="two">
<div class="sum">
<h2>What you bought</h2>
${lines(order.items, order.currency)}
${totals(sumOf(order), {
  ...(order.amount_paid > 0 && { Paid: order.amount_paid }),
  ...(order.amount_refunded > 0 && { Refunded: order.amount_refunded }),
  ...(isDue(order) && { 'Still due': order.amount_due }),
})}
</div>
<div class="ways">
<section><h1>Order ${order.order_number}</h1>${facts(order)}</section>
${parcels(order)}
${destination(order)}
${isDue(order) && order.checkout_intent_id && html`<p><a class="button go" href="../checkout/${order.checkout_intent_id}">Pay ${money(order.amount_due, order.currency)}</a></p>`}
</div>
</main>`,
  );

export const orderEmailDocument = (page: PageContext, error: string | null): string =>
  shopDocument(
    page,
    'Your order',
    html`<main class="paper">
<form method="post">
<section>
<h1>Your order</h1>
<p>Enter the e-mail address that you ordered with to see it.</p>
<div class="ways">
<label>E-mail<input name="email" type="email" autocomplete="email" maxlength="254" required${error && html` aria-invalid="true" aria-describedby="wrong" autofocus`}>
${error && html`<span class="wrong" id="wrong" role="alert">${error}</span>`}</label>
<button class="go">Show the order</button>
</div>
</section>
</form>
</main>`,
  );
