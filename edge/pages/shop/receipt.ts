// Renders lines, totals and times on the pages of checkouts and orders. Pure.
import { money } from '#edge/pages/amount.ts';
import { isWebUrl } from '#edge/pages/store_brand.ts';
import { html, type Markup } from './markup.ts';

export interface ReceiptLine {
  readonly name: string;
  readonly variant_name?: string | null;
  readonly thumbnail_url?: string | null;
  readonly quantity: number;
  readonly subtotal: number;
}

export interface ReceiptTotals {
  readonly currency: string;
  readonly subtotal: number;
  readonly discount_total: number;
  /** Null until a delivery option is chosen. */
  readonly shipping_total: number | null;
  readonly tax_total: number;
  readonly tax_inclusive: boolean | null;
  readonly total: number;
}

export const moment = (iso: string): Markup => {
  const text = new Date(iso).toLocaleString('en-GB', {
    dateStyle: 'long',
    timeStyle: 'short',
    timeZone: 'UTC',
  });
  return html`<time datetime="${iso}">${text} UTC</time>`;
};

export const lines = (bought: readonly ReceiptLine[], currency: string): Markup => html`<ul class="lines">
${bought.map(
  ({ name, variant_name, thumbnail_url, quantity, subtotal }) => html`<li>
${isWebUrl(thumbnail_url) && html`<img src="${thumbnail_url}" alt="" width="64" height="64" loading="lazy">`}
<div>${name}${variant_name && html`<br><small>${variant_name}</small>`}<br><small>Quantity ${quantity}</small></div>
<span class="amount">${money(subtotal, currency)}</span>
</li>`,
)}
</ul>`;

const row = (name: string, value: string): Markup => html`<dt>${name}</dt><dd>${value}</dd>`;

const deliveryOf = ({ shipping_total: fee, currency }: ReceiptTotals): string => {
  if (fee === null) return 'Not chosen yet';
  return fee === 0 ? 'Free' : money(fee, currency);
};

export const totals = (sum: ReceiptTotals, more: Readonly<Record<string, number>> = {}): Markup => {
  const { currency } = sum;
  const included = sum.tax_inclusive ? 'Tax, included' : 'Tax';
  return html`<dl>
${row('Subtotal', money(sum.subtotal, currency))}
${sum.discount_total > 0 && row('Discount', `−${money(sum.discount_total, currency)}`)}
${row('Delivery', deliveryOf(sum))}
${sum.tax_total > 0 && row(included, money(sum.tax_total, currency))}
<dt class="whole">Total</dt><dd class="whole">${money(sum.total, currency)}</dd>
${Object.entries(more).map(([name, amount]) => row(name, money(amount, currency)))}
</dl>`;
};
