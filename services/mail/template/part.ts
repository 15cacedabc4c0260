// Parts that templates insert by `{% render 'name' %}`, for HTML and for plain text, in a language.
import type { Phrases } from './phrase.ts';

const TOTALS = ['subtotal', 'discount', 'delivery', 'tax'] as const;

const htmlTotals = ({ shared }: Phrases): string =>
  TOTALS.map(
    (name) =>
      `{% if of.${name} %}<tr><td>${shared[name]}</td><td class="amount">${name === 'discount' ? '−' : ''}{{ of.${name} }}</td></tr>\n{% endif %}`,
  ).join('');

/** `of` is an order or a cart; `button` takes `label` and `url`, and shows nothing without a `url`. */
export const htmlParts = (phrases: Phrases): Readonly<Record<string, string>> => ({
  button: `{% if url %}<p class="button"><a href="{{ url }}">{{ label }}</a></p>{% endif %}`,
  items: `<table class="items">
{% for item in of.items %}<tr><td>{{ item.quantity }} × {{ item.name }}</td><td class="amount">{{ item.total }}</td></tr>
{% endfor %}{% if of.more_items > 0 %}<tr><td>${phrases.shared.more}</td><td></td></tr>
{% endif %}${htmlTotals(phrases)}<tr class="total"><td>${phrases.shared.total}</td><td class="amount">{{ of.total }}</td></tr>
</table>`,
  address: `{% if of.address.size > 0 %}<h2>${phrases.shared.address}</h2>
<p>{% for line in of.address %}{{ line }}<br>{% endfor %}</p>{% endif %}{% if of.billing_address.size > 0 %}<h2>${phrases.shared.billing_address}</h2>
<p>{% for line in of.billing_address %}{{ line }}<br>{% endfor %}</p>{% endif %}`,
});

export const textParts = ({ shared }: Phrases): Readonly<Record<string, string>> => ({
  button: `{% if url %}{{ label }}: {{ url }}{% endif %}`,
  items: `{% for item in of.items %}{{ item.quantity }} × {{ item.name }}
{% endfor %}{% if of.more_items > 0 %}${shared.more}
{% endif %}
${shared.total}: {{ of.total }}`,
  address: `{% if of.address.size > 0 %}${shared.address}:
{% for line in of.address %}{{ line }}
{% endfor %}{% endif %}{% if of.billing_address.size > 0 %}
${shared.billing_address}:
{% for line in of.billing_address %}{{ line }}
{% endfor %}{% endif %}`,
});
