// Parts that templates insert by `{% render 'name' %}`, for HTML and for plain text.

const TOTALS = [
  ['subtotal', 'Subtotal'],
  ['discount', 'Discount'],
  ['delivery', 'Delivery'],
  ['tax', 'Tax'],
] as const;

const htmlTotals = TOTALS.map(
  ([name, label]) =>
    `{% if of.${name} %}<tr><td>${label}</td><td class="amount">${name === 'discount' ? '−' : ''}{{ of.${name} }}</td></tr>\n{% endif %}`,
).join('');

/** `of` is an order or a cart; `button` takes `label` and `url`, and shows nothing without a `url`. */
export const HTML_PARTS: Readonly<Record<string, string>> = {
  button: `{% if url %}<p class="button"><a href="{{ url }}">{{ label }}</a></p>{% endif %}`,
  items: `<table class="items">
{% for item in of.items %}<tr><td>{{ item.quantity }} × {{ item.name }}</td><td class="amount">{{ item.total }}</td></tr>
{% endfor %}{% if of.more_items > 0 %}<tr><td>and {{ of.more_items }} more</td><td></td></tr>
{% endif %}${htmlTotals}<tr class="total"><td>Total</td><td class="amount">{{ of.total }}</td></tr>
</table>`,
  address: `{% if of.address.size > 0 %}<h2>Goes to</h2>
<p>{% for line in of.address %}{{ line }}<br>{% endfor %}</p>{% endif %}`,
};

export const TEXT_PARTS: Readonly<Record<string, string>> = {
  button: `{% if url %}{{ label }}: {{ url }}{% endif %}`,
  items: `{% for item in of.items %}{{ item.quantity }} × {{ item.name }}
{% endfor %}{% if of.more_items > 0 %}and {{ of.more_items }} more
{% endif %}
Total: {{ of.total }}`,
  address: `{% if of.address.size > 0 %}Goes to:
{% for line in of.address %}{{ line }}
{% endfor %}{% endif %}`,
};
