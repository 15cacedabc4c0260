// The simulator's pay page as a document: one style sheet, no script, nothing from anywhere else. Pure.
import { createHash } from 'node:crypto';
import type { SimulatedPayment } from '#proto/gen/payment.ts';

const STYLE = `
:root{color-scheme:light dark;--ground:#f3f1ec;--sheet:#fffdf9;--ink:#22201c;--soft:#5f5a50;--line:#ddd6c8;--go:#175c43;--on-go:#fff;--no:#9a2f22}
@media (prefers-color-scheme:dark){:root{--ground:#171613;--sheet:#22201c;--ink:#f2eee6;--soft:#b8b0a1;--line:#3c382f;--go:#7fd3ae;--on-go:#10241b;--no:#f0a093}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:grid;place-items:center;padding:1.25rem;background:var(--ground);color:var(--ink);font:1rem/1.5 system-ui,sans-serif}
main{width:100%;max-width:26rem;background:var(--sheet);border:1px solid var(--line);border-radius:1rem;overflow:hidden}
.test{margin:0;padding:.6rem 1.5rem;background:var(--line);font-size:.875rem}
.sheet{padding:1.5rem}
h1{margin:0;font-size:1.125rem;font-weight:600}
.amount{margin:.25rem 0 1rem;font-size:2.25rem;font-weight:700;line-height:1.2;overflow-wrap:anywhere}
.amount small{font-size:1rem;font-weight:600;color:var(--soft)}
dl{display:grid;grid-template-columns:auto 1fr;gap:.35rem 1rem;margin:0 0 1.5rem;padding:1rem 0;border-block:1px solid var(--line)}
dt{color:var(--soft)}
dd{margin:0;text-align:right;overflow-wrap:anywhere}
form{display:grid;gap:.75rem}
button,.back{display:block;width:100%;padding:.85rem 1rem;border:1px solid var(--line);border-radius:.6rem;background:transparent;color:var(--ink);font:inherit;font-weight:600;text-align:center;text-decoration:none;cursor:pointer}
button.go{border-color:var(--go);background:var(--go);color:var(--on-go)}
button.no{color:var(--no)}
button:focus-visible,.back:focus-visible{outline:3px solid var(--go);outline-offset:3px}
.outcome{margin:0 0 1rem;font-weight:600}
`;

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => ESCAPES[sign]!);

/** `targets`: where the form may lead besides this house; browsers hold redirects of a form against it, too. */
export const contentPolicy = (targets: readonly string[]): string =>
  [
    "default-src 'none'",
    `style-src 'sha256-${STYLE_HASH}'`,
    `form-action ${["'self'", ...new Set(targets)].join(' ')}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

const document = (title: string, content: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escaped(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
${content}
</main>
</body>
</html>
`;

/** What became of it, as a shopper reads it. */
const OUTCOMES: Readonly<Record<string, string>> = {
  succeeded: 'The payment was approved.',
  refunded: 'The payment was approved, and given back since.',
  failed: 'The payment was declined.',
  expired: 'This payment was left, or its time is over. Nothing was paid.',
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

/** `back`: where the store wants the shopper; null where it did not say. */
export const payDocument = (payment: SimulatedPayment, back: string | null): string => {
  const { status, amount, currency } = payment;
  const outcome = OUTCOMES[status];
  const returning = back === null ? '' : `<a class="back" href="${escaped(back)}">Back to the store</a>`;
  return document(
    `Pay ${amount} ${currency}`,
    `<p class="test">Sandbox: no money moves here.</p>
<div class="sheet">
<h1>Payment</h1>
<p class="amount">${escaped(amount)} <small>${escaped(currency)}</small></p>
<dl>${facts(payment)}</dl>
${outcome ? `<p class="outcome" role="status">${outcome}</p>${returning}` : decisions}
</div>`,
  );
};

/** A page that only says something. */
export const noteDocument = (title: string, text: string): string =>
  document(title, `<div class="sheet"><h1>${escaped(title)}</h1><p>${escaped(text)}</p></div>`);
