// Renders small pages on which a person decides something: one style sheet, no script, no external resource. Pure.
import { COLOURS } from './colour.ts';
import { brandElement, isWebUrl, originsOf, type StoreBrand, styleSource } from './store_brand.ts';

const STYLE = `${COLOURS}*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:grid;place-items:center;padding:1.25rem;background:var(--background);color:var(--ink);font:1rem/1.5 system-ui,sans-serif}
main{width:100%;max-width:26rem;background:var(--sheet);border:1px solid var(--line);border-radius:1rem;overflow:hidden}
.test{margin:0;padding:.6rem 1.5rem;background:var(--line);font-size:.875rem}
.sheet{padding:1.5rem}
h1{margin:0;font-size:1.125rem;font-weight:600}
.payee{display:flex;align-items:center;gap:.6rem;margin:0 0 1rem;font-weight:700}
.payee img{width:2.25rem;height:2.25rem;border-radius:.5rem;object-fit:cover}
.amount{margin:.25rem 0 1rem;font-size:2.25rem;font-weight:700;line-height:1.2;overflow-wrap:anywhere}
.amount small{font-size:1rem;font-weight:600;color:var(--soft)}
dl{display:grid;grid-template-columns:auto 1fr;gap:.35rem 1rem;margin:0 0 1.5rem;padding:1rem 0;border-block:1px solid var(--line)}
dt{color:var(--soft)}
dd{margin:0;text-align:right;overflow-wrap:anywhere}
form{display:grid;gap:.75rem}
button,.back{display:block;width:100%;padding:.85rem 1rem;border:1px solid var(--strong);border-radius:.6rem;background:transparent;color:var(--ink);font:inherit;font-weight:600;text-align:center;text-decoration:none;cursor:pointer}
button.go{border-color:var(--go);background:var(--go);color:var(--on-go)}
button.no{color:var(--no)}
button:focus-visible,.back:focus-visible{outline:3px solid var(--go);outline-offset:3px}
.outcome{margin:0 0 1rem;font-weight:600}
.scopes{margin:0 0 1.5rem;padding:1rem 0 1rem 1.25rem;border-block:1px solid var(--line)}
.scopes li+li{margin-top:.35rem}
.sheet h1+.soft{margin-top:.5rem}
.who{font-weight:700;overflow-wrap:anywhere}
.ways{display:grid;gap:.75rem}
.ways a:not(.back){color:var(--go)}
.soft{margin:0 0 1rem;color:var(--soft);font-size:.9rem;overflow-wrap:anywhere}
`;

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
export const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => ESCAPES[sign]!);

/**
 * Returns the content policy of a small page. Browsers apply `form-action` to every redirect that follows a form,
 * including redirects of the target's site, so the policy allows the schemes of `targets` instead of their hosts.
 */
export const smallPagePolicy = (targets: readonly (string | null)[], look: StoreBrand | null = null): string => {
  const schemes = targets.flatMap((target) => URL.parse(target ?? '')?.protocol ?? []);
  const web = schemes.some((scheme) => scheme === 'https:' || scheme === 'http:') ? ['https:', 'http:'] : [];
  return [
    "default-src 'none'",
    styleSource(STYLE, look),
    ['img-src data:', ...originsOf([look?.logo_url ?? null])].join(' '),
    `form-action ${["'self'", ...new Set([...web, ...schemes])].join(' ')}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
};

export const smallPageDocument = (
  title: string,
  content: string,
  look: StoreBrand | null = null,
): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escaped(title)}</title>
${isWebUrl(look?.logo_url) ? '' : '<link rel="icon" href="data:,">'}
<style>${STYLE}</style>
${brandElement(look)}
</head>
<body>
<main>
${content}
</main>
</body>
</html>
`;

export const messageDocument = (title: string, text: string): string =>
  smallPageDocument(title, `<div class="sheet"><h1>${escaped(title)}</h1><p>${escaped(text)}</p></div>`);
