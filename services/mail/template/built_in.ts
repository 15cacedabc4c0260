// The built-in templates of all kinds, by language.
import type { MailKind } from '#services/mail/kind.ts';

export interface TemplateSource {
  readonly subject: string;
  readonly html: string;
  readonly text: string;
}

export type BuiltInTemplates = Readonly<Record<MailKind, TemplateSource>>;

const ORDER_LINK = `{% if order.url %}
Follow it at {{ order.url }}
{% endif %}`;

const ORDER_BUTTON = `{% render 'button', label: 'Follow your order', url: order.url %}`;

const NOTE_HTML = (of: string): string => `{% if ${of}.note %}<p class="written">{{ ${of}.note }}</p>{% endif %}`;
const NOTE_TEXT = (of: string): string => `{% if ${of}.note %}
{{ ${of}.note }}
{% endif %}`;

/** A mail with a link that opens an account. */
const secretLink = (subject: string, invitation: string, label: string): TemplateSource => ({
  subject,
  html: `<p>${invitation}</p>
{% render 'button', label: '${label}', url: link %}
<p>The link works once, for {{ lifetime_minutes }} minutes. If you did not ask for this, you can ignore this mail.</p>`,
  text: `${invitation}

{{ link }}

It works once, for {{ lifetime_minutes }} minutes. If you did not ask for this, you can ignore this mail.
`,
});

const ORDER_TEMPLATES = {
  order_placed: {
    subject: 'Your order {{ order.number }} at {{ store.name }}',
    html: `<h1>Thank you for your order</h1>
<p>{{ store.name }} has received your order {{ order.number }} of {{ order.date }}.</p>
{% render 'items', of: order %}
{% if order.due %}<p>{{ order.due }} is due.{% if order.reserved %} The store reserves your order for an hour.{% endif %}</p>
{% render 'button', label: 'Pay your order', url: order.payment_url %}
{% else %}${ORDER_BUTTON}{% endif %}
{% render 'address', of: order %}`,
    text: `{{ store.name }} has received your order {{ order.number }}.

{% render 'items', of: order %}
{% if order.due %}
{{ order.due }} is due.{% if order.reserved %} The store reserves your order for an hour.{% endif %}
{% if order.payment_url %}Pay it at {{ order.payment_url }}
{% endif %}{% endif %}${ORDER_LINK}`,
  },
  order_paid: {
    subject: 'Your payment for order {{ order.number }}',
    html: `<h1>Your payment has arrived</h1>
<p>{{ store.name }} has received your payment for order {{ order.number }}{% if order.paid %}: {{ order.paid }}{% endif %}. You get a mail as soon as it is on its way.</p>
{% render 'items', of: order %}
${ORDER_BUTTON}`,
    text: `{{ store.name }} has received your payment for order {{ order.number }}{% if order.paid %}: {{ order.paid }}{% endif %}.
You get a mail as soon as it is on its way.

{% render 'items', of: order %}
${ORDER_LINK}`,
  },
  order_shipped: {
    subject: 'Your order {{ order.number }} is on its way',
    html: `<h1>Your order is on its way</h1>
<p>{{ store.name }} has sent {% if shipment.items.size > 0 %}a parcel of {% endif %}your order {{ order.number }}{% if shipment.carrier %} with {{ shipment.carrier }}{% endif %}.</p>
{% if shipment.items.size > 0 %}<table class="items">{% for item in shipment.items %}<tr><td>{{ item.quantity }} × {{ item.name }}</td></tr>{% endfor %}</table>{% endif %}
{% if shipment.tracking_number %}<p>Tracking number: {{ shipment.tracking_number }}</p>{% endif %}
{% if shipment.tracking_url %}{% render 'button', label: 'Track your parcel', url: shipment.tracking_url %}{% else %}${ORDER_BUTTON}{% endif %}
{% render 'address', of: order %}`,
    text: `{{ store.name }} has sent {% if shipment.items.size > 0 %}a parcel of {% endif %}your order {{ order.number }}{% if shipment.carrier %} with {{ shipment.carrier }}{% endif %}.
{% if shipment.items.size > 0 %}
{% for item in shipment.items %}{{ item.quantity }} × {{ item.name }}
{% endfor %}{% endif %}{% if shipment.tracking_number %}
Tracking number: {{ shipment.tracking_number }}
{% endif %}{% if shipment.tracking_url %}Track it at {{ shipment.tracking_url }}
{% endif %}${ORDER_LINK}`,
  },
  order_delivered: {
    subject: 'Your order {{ order.number }} was delivered',
    html: `<h1>Your order has arrived</h1>
<p>Your order {{ order.number }} at {{ store.name }} was delivered.</p>
{% render 'items', of: order %}
${ORDER_BUTTON}`,
    text: `Your order {{ order.number }} at {{ store.name }} was delivered.

{% render 'items', of: order %}
${ORDER_LINK}`,
  },
  order_cancelled: {
    subject: 'Your order {{ order.number }} is cancelled',
    html: `<h1>Your order is cancelled</h1>
<p>Your order {{ order.number }} at {{ store.name }} is cancelled.{% if order.paid %} Payments are given back separately; you get a mail about each refund.{% endif %}</p>
{% render 'items', of: order %}`,
    text: `Your order {{ order.number }} at {{ store.name }} is cancelled.
{% if order.paid %}Payments are given back separately; you get a mail about each refund.
{% endif %}
{% render 'items', of: order %}
`,
  },
  order_refunded: {
    subject: 'A refund for your order {{ order.number }}',
    html: `<h1>You get {{ refund.amount }} back</h1>
<p>{{ store.name }} refunds {{ refund.amount }} of your order {{ order.number }}. It can take some days until your bank shows it.</p>
{% if refund.reason %}<p class="written">{{ refund.reason }}</p>{% endif %}
${ORDER_BUTTON}`,
    text: `{{ store.name }} refunds {{ refund.amount }} of your order {{ order.number }}. It can take some days until your bank shows it.
{% if refund.reason %}
{{ refund.reason }}
{% endif %}${ORDER_LINK}`,
  },
  payment_failed: {
    subject: 'The payment of your order {{ order.number }} failed',
    html: `<h1>The payment failed</h1>
<p>The payment of {{ payment.amount }} for your order {{ order.number }} at {{ store.name }} was declined. No money was taken.</p>
{% render 'button', label: 'Try again', url: order.payment_url %}`,
    text: `The payment of {{ payment.amount }} for your order {{ order.number }} at {{ store.name }} was declined. No money was taken.
{% if order.payment_url %}
Try again at {{ order.payment_url }}
{% endif %}`,
  },
} satisfies Partial<BuiltInTemplates>;

const CLAIM_TEMPLATES = {
  return_received: {
    subject: 'Your return of order {{ return.order_number }}',
    html: `<p>{{ store.name }} has received your request to return items of order {{ return.order_number }}, and tells you as soon as it is decided.</p>`,
    text: `{{ store.name }} has received your request to return items of order {{ return.order_number }}, and tells you as soon as it is decided.
`,
  },
  return_decided: {
    subject:
      'Your return of order {{ return.order_number }} is {% if return.status == "approved" %}approved{% else %}declined{% endif %}',
    html: `<p>{{ store.name }} has {% if return.status == "approved" %}approved{% else %}declined{% endif %} your return of order {{ return.order_number }}.</p>
${NOTE_HTML('return')}`,
    text: `{{ store.name }} has {% if return.status == "approved" %}approved{% else %}declined{% endif %} your return of order {{ return.order_number }}.
${NOTE_TEXT('return')}`,
  },
  return_arrived: {
    subject: 'Your return of order {{ return.order_number }} has arrived',
    html: `<p>The items that you returned of order {{ return.order_number }} have arrived at {{ store.name }}.</p>
${NOTE_HTML('return')}`,
    text: `The items that you returned of order {{ return.order_number }} have arrived at {{ store.name }}.
${NOTE_TEXT('return')}`,
  },
  credit_offered: {
    subject: '{{ store.name }} offers you store credit',
    html: `<p>For your return of order {{ return.order_number }}, {{ store.name }} offers you store credit of {{ return.amount }}. You can accept it in your account, and spend it at once.</p>`,
    text: `For your return of order {{ return.order_number }}, {{ store.name }} offers you store credit of {{ return.amount }}. You can accept it in your account, and spend it at once.
`,
  },
  dispute_opened: {
    subject: 'Your dispute about order {{ dispute.order_number }}',
    html: `<p>{{ store.name }} has received your dispute about order {{ dispute.order_number }}, and tells you about each step.</p>`,
    text: `{{ store.name }} has received your dispute about order {{ dispute.order_number }}, and tells you about each step.
`,
  },
  dispute_changed: {
    subject:
      'Your dispute about order {{ dispute.order_number }} is {% case dispute.status %}{% when "under_review" %}under review{% when "resolved" %}resolved{% else %}rejected{% endcase %}',
    html: `<p>Your dispute with {{ store.name }} about order {{ dispute.order_number }} is {% case dispute.status %}{% when "under_review" %}under review{% when "resolved" %}resolved{% if dispute.amount %}: you get {{ dispute.amount }}{% endif %}{% else %}rejected{% endcase %}.</p>
${NOTE_HTML('dispute')}`,
    text: `Your dispute with {{ store.name }} about order {{ dispute.order_number }} is {% case dispute.status %}{% when "under_review" %}under review{% when "resolved" %}resolved{% if dispute.amount %}: you get {{ dispute.amount }}{% endif %}{% else %}rejected{% endcase %}.
${NOTE_TEXT('dispute')}`,
  },
} satisfies Partial<BuiltInTemplates>;

const SHOPPER_TEMPLATES = {
  gift_card: {
    subject: 'A gift card of {{ gift_card.balance }} for {{ store.name }}',
    html: `<h1>A gift card for you</h1>
<p>You have a gift card of {{ gift_card.balance }} for {{ store.name }}. Enter this code when you pay:</p>
<p class="code">{{ gift_card.code }}</p>
{% if gift_card.expires_on %}<p>It is valid until {{ gift_card.expires_on }}.</p>{% endif %}
{% render 'button', label: 'Go to the shop', url: store.url %}`,
    text: `You have a gift card of {{ gift_card.balance }} for {{ store.name }}. Enter this code when you pay:

{{ gift_card.code }}
{% if gift_card.expires_on %}
It is valid until {{ gift_card.expires_on }}.
{% endif %}`,
  },
  back_in_stock: {
    subject: '{{ product.name }} is back',
    html: `<h1>{{ product.name }} is back</h1>
<p>You asked {{ store.name }} to tell you: it can be bought again{% if product.price %}, for {{ product.price }}{% endif %}.</p>
{% render 'button', label: 'Go to the product', url: product.url %}`,
    text: `You asked {{ store.name }} to tell you: {{ product.name }} can be bought again{% if product.price %}, for {{ product.price }}{% endif %}.
{% if product.url %}
{{ product.url }}
{% endif %}
Get no such mail again: {{ unsubscribe_url }}
`,
  },
  abandoned_cart: {
    subject: 'Your cart at {{ store.name }}',
    html: `<h1>Your cart is waiting</h1>
<p>You left these items in your cart at {{ store.name }}:</p>
{% render 'items', of: cart %}
{% render 'button', label: 'Go back to your cart', url: cart.url %}`,
    text: `You left these items in your cart at {{ store.name }}:

{% render 'items', of: cart %}
{% if cart.url %}
Go back to it: {{ cart.url }}
{% endif %}
Get no such mail again: {{ unsubscribe_url }}
`,
  },
} satisfies Partial<BuiltInTemplates>;

const ACCOUNT_TEMPLATES = {
  magic_link: secretLink('Sign in to {{ store.name }}', 'Open this link to sign in to {{ store.name }}:', 'Sign in'),
  reset_password: secretLink(
    'Your password at {{ store.name }}',
    'Open this link to choose a new password at {{ store.name }}:',
    'Choose a password',
  ),
  otp: {
    subject: '{{ code }} is your code for {{ store.name }}',
    html: `<p>Your code for {{ store.name }} is</p>
<p class="code">{{ code }}</p>
<p>It works once, for {{ lifetime_minutes }} minutes. If you did not ask for this, you can ignore this mail.</p>`,
    text: `Your code for {{ store.name }} is {{ code }}.

It works once, for {{ lifetime_minutes }} minutes. If you did not ask for this, you can ignore this mail.
`,
  },
  dashboard_invitation: {
    subject: 'Join the staff of {{ store.name }}',
    html: `<p>You are invited to the staff of {{ store.name }}, with the role {{ role }}. Open this link to choose a password:</p>
{% render 'button', label: 'Join', url: link %}
<p>The link works once, for {{ lifetime_days }} days. If you do not know {{ store.name }}, you can ignore this mail.</p>`,
    text: `You are invited to the staff of {{ store.name }}, with the role {{ role }}. Open this link to choose a password:

{{ link }}

It works once, for {{ lifetime_days }} days. If you do not know {{ store.name }}, you can ignore this mail.
`,
  },
  dashboard_link: secretLink(
    'Sign in to the dashboard of {{ store.name }}',
    'Open this link to sign in to the dashboard of {{ store.name }}:',
    'Sign in',
  ),
} satisfies Partial<BuiltInTemplates>;

export const DEFAULT_LANGUAGE = 'en';

const BUILT_IN: Readonly<Record<string, BuiltInTemplates>> = {
  en: { ...ORDER_TEMPLATES, ...CLAIM_TEMPLATES, ...SHOPPER_TEMPLATES, ...ACCOUNT_TEMPLATES },
};

/** Returns the template of the language, or of its base (`pt` for `pt-BR`), or the English one. */
export const builtInTemplate = (kind: MailKind, language: string): TemplateSource => {
  const base = language.split('-')[0] ?? DEFAULT_LANGUAGE;
  return (BUILT_IN[language] ?? BUILT_IN[base] ?? BUILT_IN[DEFAULT_LANGUAGE]!)[kind];
};
