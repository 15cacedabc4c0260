// Renders the simulator's pay page. Pure.
import type { SimulatedPayment } from '#proto/gen/payment_simulator.ts';
import { escaped, smallPageDocument } from './small_page_document.ts';
import { isWebUrl, type StoreBrand } from './store_brand.ts';

const OUTCOMES: Readonly<Record<string, string>> = {
  succeeded: 'The payment was approved.',
  authorized: 'The payment was approved. The amount is reserved until the store captures it.',
  voided: 'The payment was approved, and the amount was released later.',
  refunded: 'The payment was approved and later refunded.',
  failed: 'The payment was declined.',
  expired: 'This payment was abandoned or has expired. Nothing was paid.',
};

const facts = ({ method_name, order_number, phone, reference }: SimulatedPayment): string =>
  Object.entries({ Method: method_name, Order: order_number, Phone: phone, Reference: reference })
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `<dt>${name}</dt><dd>${escaped(value!)}</dd>`)
    .join('');

const decisions = `<form method="post">
<button class="go" name="outcome" value="succeed">Approve the payment</button>
<button class="no" name="outcome" value="fail">Decline it</button>
<button name="outcome" value="expire">Leave without paying</button>
</form>`;

const payee = (look: StoreBrand | null): string => {
  if (look === null) return '';
  const logo = isWebUrl(look.logo_url) ? `<img src="${escaped(look.logo_url)}" alt="" width="36" height="36">` : '';
  return `<p class="payee">${logo}${escaped(look.name)}</p>\n`;
};

export const payDocument = (payment: SimulatedPayment, back: string | null, look: StoreBrand | null): string => {
  const { status, amount, currency } = payment;
  const outcome = OUTCOMES[status];
  const returning = back === null ? '' : `<a class="back" href="${escaped(back)}">Back to the store</a>`;
  return smallPageDocument(
    `Pay ${amount} ${currency}`,
    `<p class="test">Sandbox: no money moves here.</p>
<div class="sheet">
${payee(look)}<h1>Payment</h1>
<p class="amount">${escaped(amount)} <small>${escaped(currency)}</small></p>
<dl>${facts(payment)}</dl>
${outcome ? `<p class="outcome" role="status">${outcome}</p>${returning}` : decisions}
</div>`,
    look,
  );
};
