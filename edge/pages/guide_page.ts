// Renders the HTML page around a guide, for phones and desktops, in light and dark; it also works as a saved file.
import { createHash } from 'node:crypto';
import { COLOURS } from './colour.ts';

const STYLE = `${COLOURS}*{box-sizing:border-box}
html{scroll-padding-top:1rem;-webkit-text-size-adjust:100%}
body{margin:0;background:var(--background);color:var(--ink);font:1rem/1.6 system-ui,sans-serif}
a{color:var(--go)}
.soft{color:var(--soft)}
.skip{position:absolute;left:-100vw}
.skip:focus{left:1rem;top:1rem}
.frame{display:grid;gap:1.25rem;max-width:76rem;margin:0 auto;padding:1rem 1rem 4rem}
nav{font-size:.9375rem}
nav ul{list-style:none;margin:0;padding:0}
nav li>a,nav summary{display:block;padding:.4rem 0;text-decoration:none}
nav li>a:hover{text-decoration:underline}
nav li>a[aria-current]{font-weight:650;color:var(--ink)}
nav ul ul{margin:0 0 .5rem .75rem;padding-left:.75rem;border-left:1px solid var(--line)}
nav ul ul a{color:var(--soft)}
nav h2{margin:1rem 0 .25rem;font-size:.8125rem;letter-spacing:.06em;text-transform:uppercase;color:var(--soft)}
nav summary{cursor:pointer;font-weight:650;min-height:44px;padding:.6rem 1rem;border:1px solid var(--strong);border-radius:.7rem;background:var(--sheet)}
nav summary{list-style:none}
nav summary::-webkit-details-marker{display:none}
nav summary::before{content:'\\2630';margin-right:.6rem}
nav details[open]{padding-bottom:.5rem}
main{min-width:0;padding:1rem;border:1px solid var(--line);border-radius:.9rem;background:var(--sheet);overflow-wrap:anywhere}
main :is(p,ul,ol,h1,h2,h3){max-width:46rem}
h1{margin:0 0 1rem;font-size:clamp(1.6rem,1.2rem + 2vw,2.1rem);line-height:1.2}
h2{margin:2.5rem 0 .75rem;font-size:1.375rem;line-height:1.3}
h3{margin:2rem 0 .5rem;font-size:1.125rem}
.anchor{color:var(--soft);text-decoration:none;opacity:0}
:is(h2,h3,h4):hover .anchor,.anchor:focus{opacity:1}
code,pre{font:.875rem/1.55 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
:not(pre)>code{padding:.1em .3em;border-radius:.3rem;background:var(--code)}
.code{margin:1rem 0;border:1px solid var(--line);border-radius:.7rem;background:var(--code);overflow:hidden}
.label{display:flex;align-items:center;justify-content:space-between;gap:1rem;min-height:2.25rem;padding:0 .4rem 0 1rem;color:var(--soft);font:.8125rem/1.4 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
.label button{min-height:1.75rem;margin-left:auto;padding:.1rem .7rem;border:1px solid var(--strong);border-radius:.5rem;background:var(--sheet);color:var(--ink);font:.8125rem/1.4 system-ui,sans-serif;cursor:pointer}
pre{margin:0;padding:.25rem 1rem .9rem;overflow-x:auto;overflow-wrap:normal;tab-size:2}
.table{margin:1rem 0;overflow-x:auto;overflow-wrap:normal}
table{border-collapse:collapse;min-width:100%;font-size:.9375rem}
th,td{padding:.5rem .75rem;border-bottom:1px solid var(--line);text-align:left;vertical-align:top;min-width:8rem}
th{color:var(--soft);font-weight:600}
hr{border:0;border-top:1px solid var(--line);margin:3rem 0}
.cards{display:grid;gap:.75rem;grid-template-columns:repeat(auto-fill,minmax(16rem,1fr));max-width:none}
.cards a{display:grid;align-content:start;gap:.25rem;padding:.9rem 1.1rem;border:1px solid var(--line);border-radius:.7rem;color:inherit;text-decoration:none}
.cards a:hover b{text-decoration:underline}
.cards b{color:var(--go)}
.cards span{display:-webkit-box;overflow:hidden;-webkit-box-orient:vertical;-webkit-line-clamp:5}
.next{display:flex;flex-wrap:wrap;gap:1rem;justify-content:space-between;margin-top:3rem;padding-top:1rem;border-top:1px solid var(--line)}
:focus-visible{outline:3px solid var(--go);outline-offset:2px}
@media (min-width:60rem){
.frame{grid-template-columns:17rem minmax(0,1fr);gap:2rem;padding-top:2rem}
nav summary{display:none}
nav{position:sticky;top:2rem;align-self:start;max-height:calc(100vh - 4rem);overflow-y:auto;scrollbar-width:thin}
main{padding:2rem 2.5rem 3rem}
}
@media (max-width:40rem){
th,td{min-width:3rem;padding-inline:.4rem}
}
@media (min-width:40.01rem){
wbr{display:none}
}
@media print{nav,.label button,.next{display:none}main{border:0;padding:0}pre{white-space:pre-wrap}}
`;

/** Adds the copy buttons. On narrow screens closes the menu; on wide ones scrolls the menu to the open page. */
const SCRIPT = `
for (const block of document.querySelectorAll('.code')) {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = 'Copy';
  button.addEventListener('click', async () => {
    const text = block.querySelector('pre').textContent;
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      const area = document.createElement('textarea');
      area.value = text;
      document.body.append(area);
      area.select();
      document.execCommand('copy');
      area.remove();
    }
    button.textContent = 'Copied';
    setTimeout(() => { button.textContent = 'Copy'; }, 1500);
  });
  block.querySelector('.label').append(button);
}
const menu = document.querySelector('nav details');
const wide = matchMedia('(min-width: 60rem)');
const fit = () => { menu.open = wide.matches; };
wide.addEventListener('change', fit);
fit();
const nav = document.querySelector('nav');
const current = nav.querySelector('[aria-current]');
if (current && wide.matches) nav.scrollTop = current.offsetTop - nav.clientHeight / 3;
`;

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

export const GUIDE_POLICY = [
  "default-src 'none'",
  `style-src ${hashOf(STYLE)}`,
  `script-src ${hashOf(SCRIPT)}`,
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export const escaped = (text: string): string => Bun.escapeHTML(text);

/** `menu` and `main` are HTML; `title` is text. */
export const guidePage = (title: string, menu: string, main: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)} · Stoa</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
</head>
<body>
<a class="skip" href="#text">Skip to the text</a>
<div class="frame">
<nav aria-label="Guides"><details open><summary>Guides</summary>
${menu}
</details></nav>
<main id="text">
${main}
</main>
</div>
<script>${SCRIPT}</script>
</body>
</html>
`;
