// Renders the frame of a store's pages for buyers: one style sheet, no script, and no external resources but product
// pictures. Pure.
import type { AssistantStore } from '#edge/assistant/assistant_store.ts';
import { COLOURS } from '#edge/pages/colour.ts';
import { brandElement, isWebUrl, originsOf, styleSource } from '#edge/pages/store_brand.ts';
import type { Environment } from '#runtime/call/call.ts';
import { html, Markup } from './markup.ts';

const STYLE = `${COLOURS}*{box-sizing:border-box}
body{margin:0;background:var(--background);color:var(--ink);font:1rem/1.5 system-ui,sans-serif;overflow-wrap:anywhere;-webkit-text-size-adjust:100%}
a{color:var(--go)}
.test{margin:0;padding:.6rem 1rem;background:var(--line);font-size:.875rem;text-align:center}
header,main,footer{max-width:68rem;margin:0 auto;padding:0 1rem}
header{display:flex;align-items:center;gap:.6rem;padding-block:1.25rem;font-size:1.125rem;font-weight:700}
header img{width:2.25rem;height:2.25rem;border-radius:.5rem;object-fit:cover}
main{display:grid;gap:1.25rem;align-items:start}
section,.note,.sum{padding:1.25rem;background:var(--sheet);border:1px solid var(--line);border-radius:1rem;min-width:0}
section section{padding:0;border:0;background:none}
h1{margin:0 0 .25rem;font-size:1.5rem;line-height:1.25}
h2{margin:0 0 .75rem;font-size:1.0625rem}
p{margin:0 0 .75rem}
p:last-child{margin-bottom:0}
.soft,small{color:var(--soft);font-size:.875rem}
.note{border-left:4px solid var(--go)}
.note.no{border-left-color:var(--no)}
form{display:grid;gap:1.25rem;min-width:0}
.folded{display:grid;gap:1.25rem}
.folded summary{min-height:44px;padding:.6rem 0;cursor:pointer}
.folded section{margin-top:1.25rem}
.pair{display:grid;gap:.75rem;grid-template-columns:repeat(auto-fit,minmax(min(100%,13rem),1fr))}
label{display:grid;gap:.25rem;align-content:start;font-size:.9375rem}
input,select,textarea,button,.button{width:100%;min-height:44px;padding:.55rem .8rem;border:1px solid var(--strong);border-radius:.6rem;background:transparent;color:inherit;font:inherit}
option{background:var(--sheet)}
textarea{min-height:4.5rem;resize:vertical}
[aria-invalid=true]{border-color:var(--no);border-width:2px}
.wrong{color:var(--no);font-size:.875rem;font-weight:600}
fieldset{display:grid;gap:.5rem;margin:0;padding:0;border:0;min-width:0}
legend{padding:0;margin-bottom:.75rem;font-weight:700;font-size:1.0625rem}
.choice{display:flex;gap:.75rem;align-items:center;min-height:44px;padding:.6rem .8rem;border:1px solid var(--strong);border-radius:.6rem}
.choice input{width:1.25rem;min-height:1.25rem;flex:none;accent-color:var(--go)}
.choice span{flex:1;min-width:0}
button,.button{display:block;font-weight:600;text-align:center;text-decoration:none;cursor:pointer;border-color:var(--go);color:var(--go)}
button.go,.button.go{background:var(--go);color:var(--on-go)}
button.no{border-color:var(--strong);color:var(--no)}
.ways{display:grid;gap:.75rem}
:is(input,select,textarea,button,.button,a,summary):focus-visible{outline:3px solid var(--go);outline-offset:2px}
ul.lines{list-style:none;margin:0 0 1rem;padding:0}
.lines li{display:flex;gap:.9rem;padding:.75rem 0;border-bottom:1px solid var(--line)}
.lines li>div{flex:1;min-width:0}
.lines img{width:4rem;height:4rem;object-fit:cover;border-radius:.5rem;border:1px solid var(--line);background:var(--background)}
.amount{white-space:nowrap;font-variant-numeric:tabular-nums;text-align:right}
dl{display:grid;grid-template-columns:1fr auto;gap:.35rem 0;margin:0}
dt{padding-right:1rem;color:var(--soft)}
dd{margin:0;text-align:right;font-variant-numeric:tabular-nums}
dl .whole{padding-top:.5rem;border-top:1px solid var(--line);color:inherit;font-weight:700;font-size:1.125rem}
footer{padding-block:2rem 3rem}
footer a{margin-right:1.25rem;display:inline-block;padding:.4rem 0}
.paper{max-width:46rem}
@media (min-width:56rem){main.two{grid-template-columns:minmax(0,1fr) 22rem}main.two>.sum{order:2;position:sticky;top:1rem}}
`;

export const shopPolicy = (shop: AssistantStore, pictures: readonly (string | null)[] = []): string =>
  [
    "default-src 'none'",
    styleSource(STYLE, shop),
    ['img-src data:', ...originsOf([shop.logo_url, ...pictures])].join(' '),
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

export interface PageContext {
  readonly shop: AssistantStore;
  readonly environment: Environment;
}

const POLICY_NAMES: Readonly<Record<string, string>> = {
  terms: 'Terms',
  privacy: 'Privacy',
  returns: 'Returns',
  shipping: 'Delivery',
  refund: 'Refunds',
};

/** Links to policies relative to the page's path, such as `checkout/…` or `orders/…`. */
const footer = ({ policies, contact_email, website_url }: AssistantStore): Markup => html`<footer>
${isWebUrl(website_url) && html`<a href="${website_url}">Shop</a>`}
${policies.map(({ type }) => html`<a href="../policies/${type}">${POLICY_NAMES[type] ?? type}</a>`)}
${contact_email && html`<a href="mailto:${contact_email}">${contact_email}</a>`}
</footer>`;

export const shopDocument = ({ shop, environment }: PageContext, title: string, main: Markup): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} · ${shop.name}</title>
${isWebUrl(shop.logo_url) || html`<link rel="icon" href="data:,">`}
<style>${new Markup(STYLE)}</style>
${new Markup(brandElement(shop))}
</head>
<body>
${environment === 'sandbox' && html`<aside class="test" aria-label="Sandbox">Sandbox: no money moves here, and nothing is sent.</aside>`}
<header>${isWebUrl(shop.logo_url) && html`<img src="${shop.logo_url}" alt="" width="36" height="36">`}${shop.name}</header>
${main}
${footer(shop)}
</body>
</html>
`.text;
