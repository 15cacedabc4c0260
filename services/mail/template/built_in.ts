// The built-in templates of all kinds, made of the phrases of a language. Pure.
import type { MailKind } from '#services/mail/kind.ts';
import { type Phrases, phrasesOf } from './phrase.ts';

export interface TemplateSource {
  readonly subject: string;
  readonly html: string;
  readonly text: string;
}

export type BuiltInTemplates = Readonly<Record<MailKind, TemplateSource>>;

const button = (label: string, url: string): string => `{% render 'button', label: "${label}", url: ${url} %}`;

const ITEMS = `{% render 'items', of: order %}`;

const orderLink = ({ shared }: Phrases): string => `{% if order.url %}
${shared.follow_at}
{% endif %}`;

const orderButton = ({ shared }: Phrases): string => button(shared.follow, 'order.url');

const orderTemplates = (phrases: Phrases) => {
  const { order_placed: placed, order_paid: paid, order_delivered: delivered } = phrases;
  return {
    order_placed: {
      subject: placed.subject,
      html: `<h1>${placed.title}</h1>
<p>${placed.dated}</p>
${ITEMS}
{% if order.due %}<p>${placed.due}{% if order.reserved %} ${placed.reserved}{% endif %}</p>
${button(placed.pay, 'order.payment_url')}
{% else %}${orderButton(phrases)}{% endif %}
{% render 'address', of: order %}`,
      text: `${placed.received}

${ITEMS}
{% if order.due %}
${placed.due}{% if order.reserved %} ${placed.reserved}{% endif %}
{% if order.payment_url %}${placed.pay_at}
{% endif %}{% endif %}${orderLink(phrases)}`,
    },
    order_paid: {
      subject: paid.subject,
      html: `<h1>${paid.title}</h1>
<p>${paid.received} ${paid.next}</p>
${ITEMS}
${orderButton(phrases)}`,
      text: `${paid.received}
${paid.next}

${ITEMS}
${orderLink(phrases)}`,
    },
    order_shipped: shippedTemplate(phrases),
    order_delivered: {
      subject: delivered.subject,
      html: `<h1>${delivered.title}</h1>
<p>${delivered.delivered}</p>
${ITEMS}
${orderButton(phrases)}`,
      text: `${delivered.delivered}

${ITEMS}
${orderLink(phrases)}`,
    },
  } satisfies Partial<BuiltInTemplates>;
};

const paymentTemplates = (phrases: Phrases) => {
  const { order_cancelled: cancelled, order_refunded: refunded, payment_failed: failed } = phrases;
  return {
    order_cancelled: {
      subject: cancelled.subject,
      html: `<h1>${cancelled.title}</h1>
<p>${cancelled.cancelled}{% if order.paid %} ${cancelled.refunds}{% endif %}</p>
${ITEMS}`,
      text: `${cancelled.cancelled}
{% if order.paid %}${cancelled.refunds}
{% endif %}
${ITEMS}
`,
    },
    order_refunded: {
      subject: refunded.subject,
      html: `<h1>${refunded.title}</h1>
<p>${refunded.refunded}</p>
{% if refund.reason %}<p class="written">{{ refund.reason }}</p>{% endif %}
${orderButton(phrases)}`,
      text: `${refunded.refunded}
{% if refund.reason %}
{{ refund.reason }}
{% endif %}${orderLink(phrases)}`,
    },
    payment_failed: {
      subject: failed.subject,
      html: `<h1>${failed.title}</h1>
<p>${failed.failed}</p>
${button(failed.again, 'order.payment_url')}`,
      text: `${failed.failed}
{% if order.payment_url %}
${failed.again_at}
{% endif %}`,
    },
  } satisfies Partial<BuiltInTemplates>;
};

const shippedTemplate = (phrases: Phrases): TemplateSource => {
  const { subject, title, sent, number, track, track_at } = phrases.order_shipped;
  return {
    subject,
    html: `<h1>${title}</h1>
<p>${sent}</p>
{% if shipment.items.size > 0 %}<table class="items">{% for item in shipment.items %}<tr><td>{{ item.quantity }} × {{ item.name }}</td></tr>{% endfor %}</table>{% endif %}
{% if shipment.tracking_number %}<p>${number}</p>{% endif %}
{% if shipment.tracking_url %}${button(track, 'shipment.tracking_url')}{% else %}${orderButton(phrases)}{% endif %}
{% render 'address', of: order %}`,
    text: `${sent}
{% if shipment.items.size > 0 %}
{% for item in shipment.items %}{{ item.quantity }} × {{ item.name }}
{% endfor %}{% endif %}{% if shipment.tracking_number %}
${number}
{% endif %}{% if shipment.tracking_url %}${track_at}
{% endif %}${orderLink(phrases)}`,
  };
};

/** A mail of one sentence about a return or a dispute. `noted` names the variable whose `note` follows it. */
const claimTemplate = (subject: string, sentence: string, noted: 'return' | 'dispute' | null): TemplateSource => ({
  subject,
  html:
    noted === null
      ? `<p>${sentence}</p>`
      : `<p>${sentence}</p>
{% if ${noted}.note %}<p class="written">{{ ${noted}.note }}</p>{% endif %}`,
  text:
    noted === null
      ? `${sentence}
`
      : `${sentence}
{% if ${noted}.note %}
{{ ${noted}.note }}
{% endif %}`,
});

const claimTemplates = ({
  return_received: received,
  return_decided: decided,
  return_arrived: arrived,
  credit_offered: offered,
  dispute_opened: opened,
  dispute_changed: changed,
}: Phrases) =>
  ({
    return_received: claimTemplate(received.subject, received.received, null),
    return_decided: claimTemplate(decided.subject, decided.decided, 'return'),
    return_arrived: claimTemplate(arrived.subject, arrived.arrived, 'return'),
    credit_offered: claimTemplate(offered.subject, offered.offered, null),
    dispute_opened: claimTemplate(opened.subject, opened.opened, null),
    dispute_changed: claimTemplate(changed.subject, changed.changed, 'dispute'),
  }) satisfies Partial<BuiltInTemplates>;

const shopperTemplates = ({ shared, gift_card: card, back_in_stock: stock, abandoned_cart: cart }: Phrases) =>
  ({
    gift_card: {
      subject: card.subject,
      html: `<h1>${card.title}</h1>
<p>${card.given}</p>
<p class="code">{{ gift_card.code }}</p>
{% if gift_card.expires_on %}<p>${card.valid}</p>{% endif %}
${button(card.shop, 'store.url')}`,
      text: `${card.given}

{{ gift_card.code }}
{% if gift_card.expires_on %}
${card.valid}
{% endif %}`,
    },
    back_in_stock: {
      subject: stock.subject,
      html: `<h1>${stock.subject}</h1>
<p>${stock.back}</p>
${button(stock.product, 'product.url')}`,
      text: `${stock.back}
{% if product.url %}
{{ product.url }}
{% endif %}
${shared.no_more}
`,
    },
    abandoned_cart: {
      subject: cart.subject,
      html: `<h1>${cart.title}</h1>
<p>${cart.left}</p>
{% render 'items', of: cart %}
${button(cart.cart, 'cart.url')}`,
      text: `${cart.left}

{% render 'items', of: cart %}
{% if cart.url %}
${cart.cart}: {{ cart.url }}
{% endif %}
${shared.no_more}
`,
    },
  }) satisfies Partial<BuiltInTemplates>;

/** A mail with a link that opens an account. `once` says how long it works. */
const linkTemplate = (
  { subject, open, label }: { readonly subject: string; readonly open: string; readonly label: string },
  once: string,
): TemplateSource => ({
  subject,
  html: `<p>${open}</p>
${button(label, 'link')}
<p>${once}</p>`,
  text: `${open}

{{ link }}

${once}
`,
});

const accountTemplates = ({
  shared,
  otp,
  magic_link: magic,
  reset_password: reset,
  dashboard_invitation: invitation,
  dashboard_link: dashboard,
}: Phrases) =>
  ({
    magic_link: linkTemplate(magic, shared.link_once),
    reset_password: linkTemplate(reset, shared.link_once),
    otp: {
      subject: otp.subject,
      html: `<p>${otp.code}</p>
<p class="code">{{ code }}</p>
<p>${shared.code_once}</p>`,
      text: `${otp.code} {{ code }}

${shared.code_once}
`,
    },
    dashboard_invitation: linkTemplate(invitation, invitation.once),
    dashboard_link: linkTemplate(dashboard, shared.link_once),
  }) satisfies Partial<BuiltInTemplates>;

const made = new Map<Phrases, BuiltInTemplates>();

/** Returns the template in the built-in language nearest to the tag, else the English one. */
export const builtInTemplate = (kind: MailKind, language: string): TemplateSource => {
  const phrases = phrasesOf(language);
  let templates = made.get(phrases);
  if (!templates) {
    templates = {
      ...orderTemplates(phrases),
      ...paymentTemplates(phrases),
      ...claimTemplates(phrases),
      ...shopperTemplates(phrases),
      ...accountTemplates(phrases),
    };
    made.set(phrases, templates);
  }
  return templates[kind];
};
