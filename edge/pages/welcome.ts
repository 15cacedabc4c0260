// Renders the page at `/` for browsers: links to documentation, console and outbox and, if there is a demo, the keys of
// its sandbox.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { compressed } from '#edge/compression.ts';
import { type OwnAnswers, ownResponse } from '#edge/meta.ts';
import type { RequestContext } from '#edge/request_context.ts';
import { COLOURS } from './colour.ts';
import { acceptsHtml } from './not_found_page.ts';

const STYLE = `${COLOURS}*{box-sizing:border-box}
body{margin:0;padding:clamp(1.5rem,10vh,6rem) 1.25rem 2rem;background:var(--background);color:var(--ink);font:1rem/1.5 system-ui,sans-serif}
main{max-width:40rem;margin:0 auto;display:grid;gap:1.5rem}
a{color:var(--go)}
h1{margin:0;font-size:1.75rem}
h2{margin:0;font-size:1.0625rem}
p{margin:0}
.soft{color:var(--soft)}
nav{display:grid;gap:.75rem}
nav a{display:grid;min-height:44px;padding:.9rem 1.1rem;border:1px solid var(--line);border-radius:.9rem;background:var(--sheet);color:inherit;text-decoration:none}
nav a:hover b{text-decoration:underline}
nav b{color:var(--go)}
section{display:grid;gap:.75rem;padding:1.1rem;border:1px solid var(--line);border-radius:.9rem;background:var(--sheet)}
dl{display:grid;gap:.25rem;margin:0}
dt{color:var(--soft);font-size:.9375rem}
dd{margin:0 0 .5rem}
code{font:.875rem/1.5 ui-monospace,monospace;overflow-wrap:anywhere;user-select:all}
:focus-visible{outline:3px solid var(--go);outline-offset:2px}
`;

const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const LINKS = [
  ['/docs/guides', 'Guides', 'Step by step: a first order, payments, webhooks, running it.'],
  ['/docs', 'Reference', 'Every endpoint, to read and to try.'],
  ['/shop', 'Demo shop', 'A storefront made with the TypeScript client, and the requests behind each screen.'],
  ['/dashboard', 'Dashboard', 'A store’s own screens: orders, products, customers, settings.'],
  ['/console', 'Console', 'Requests, events, endpoints and orders of a store, live.'],
  ['/sandbox/outbox', 'Outbox', 'The mails that a sandbox would have sent.'],
  ['/openapi.json', 'OpenAPI', 'The same as the documentation, for machines.'],
] as const;

interface DemoKeys {
  readonly keys: readonly (readonly [label: string, key: string])[];
  readonly base: string | null;
}

/** Matches sandbox keys that need no escaping in HTML. */
const TEST_KEY = /^svc_[psm]k_test_[A-Za-z0-9_-]{8,200}$/;

const SHOWN = [
  ['Publishable', 'publishable_test_key'],
  ['Secret', 'secret_test_key'],
  ['Secret, of the wholesale shop', 'wholesale', 'secret_test_key'],
  ['Of an operator over both shops', 'operator_test_key'],
] as const;

/** Matches URLs that need no escaping in HTML. */
const BASE = /^https?:\/\/[A-Za-z0-9.:[\]-]{1,253}\/s\/[a-z0-9-]{1,64}$/;

const within = (read: unknown, name: string): unknown =>
  typeof read === 'object' && read !== null ? (read as Record<string, unknown>)[name] : undefined;

const readDemo = async (file: string): Promise<DemoKeys | null> => {
  if (file === '') return null;
  try {
    const read: unknown = JSON.parse(await readFile(file, 'utf8'));
    const keys = SHOWN.flatMap(([label, ...path]) => {
      const key = path.reduce(within, read);
      return typeof key === 'string' ? [[label, key] as const] : [];
    });
    const code = within(read, 'code');
    const base = typeof code === 'string' ? `${within(read, 'base_url')}/s/${code}` : '';
    if (keys.length < 2 || !keys.every(([, key]) => TEST_KEY.test(key))) return null;
    return { keys, base: BASE.test(base) ? base : null };
  } catch {
    return null;
  }
};

const assistantSection = (base: string): string => `<section>
<h2>The demo shop for assistants</h2>
<dl>
<dt>MCP</dt><dd><code>${base}/mcp</code></dd>
<dt>UCP</dt><dd><code>${base}/.well-known/ucp</code></dd>
<dt>ACP</dt><dd><code>${base}/acp</code></dd>
</dl>
<p class="soft">Without a key, MCP and UCP shop in production; with the publishable test key they shop in the sandbox. ACP needs a key of the shop. <a href="/docs/guides/assistants">How to sell through assistants</a></p>
</section>
`;

const demoSection = ({ keys, base }: DemoKeys): string => `<section>
<h2>Keys of the demo’s sandbox</h2>
<dl>
${keys.map(([label, key]) => `<dt>${label}</dt><dd><code>${key}</code></dd>`).join('\n')}
</dl>
<p class="soft">They open the sandboxes of the demo’s shops and nothing else. The console and the outbox take the secret ones.</p>
</section>
${base === null ? '' : assistantSection(base)}`;

const pageOf = (demo: DemoKeys | null): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Stoa</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>Stoa</h1>
<p class="soft">Catalogue, carts, orders, payments and delivery for many stores behind one API.</p>
<nav>
${LINKS.map(([path, name, words]) => `<a href="${path}"><b>${name}</b><span class="soft">${words}</span></a>`).join('\n')}
</nav>
${demo ? demoSection(demo) : ''}</main>
</body>
</html>
`;

const welcomePage = (demoFile: string) => {
  const encoder = new TextEncoder();
  return async (context: RequestContext): Promise<Response> => {
    const body = encoder.encode(pageOf(await readDemo(demoFile)));
    const response = ownResponse(context, body, 200, 'text/html; charset=utf-8');
    response.headers.set('Content-Security-Policy', POLICY);
    response.headers.set('Referrer-Policy', 'no-referrer');
    response.headers.set('X-Frame-Options', 'DENY');
    response.headers.append('Vary', 'Accept');
    return compressed(context.request, response);
  };
};

export const withWelcomePage = (own: OwnAnswers, demoFile: string): OwnAnswers => {
  const page = welcomePage(demoFile);
  const info = own['Meta/GetApiInfo'];
  return {
    ...own,
    ...(info && {
      'Meta/GetApiInfo': (context: RequestContext) => (acceptsHtml(context.request) ? page(context) : info(context)),
    }),
  };
};
