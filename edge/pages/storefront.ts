// The demo storefront, `/shop`: a shop on the demo store's sandbox, made with the TypeScript client. One page, its script, its
// style sheet and the key of the sandbox, all from here.
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { ownResponse } from '#edge/meta.ts';
import type { RequestContext } from '#edge/request_context.ts';
import { LastingFile, REVALIDATED } from './lasting.ts';

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Shop</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/shop/style.css">
<script type="module" src="/shop/main.js"></script>
</head>
<body>
<div id="shop"><noscript>The shop needs JavaScript.</noscript></div>
</body>
</html>
`;

/** Nothing runs, is shown or is asked that is not from here. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  // Merchants' pictures lie where merchants keep them.
  "img-src 'self' data: https: http:",
  "base-uri 'none'",
  // To the checkout's own page, with its gift cards.
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

const encoder = new TextEncoder();

/** A file with all that it imports. */
const built = async (name: string): Promise<Uint8Array> => {
  const { outputs } = await Bun.build({
    entrypoints: [fileURLToPath(new URL(`./storefront/${name}`, import.meta.url))],
    target: 'browser',
    minify: true,
    define: { 'process.env.NODE_ENV': '"production"' },
  });
  return new Uint8Array(await outputs[0]!.arrayBuffer());
};

const KEY = /^svc_pk_test_[A-Za-z0-9_-]{8,200}$/;
const CODE = /^[a-z0-9-]{1,64}$/;

/** The demo store's code and the publishable key of its sandbox; a null key where there is no demo store. */
const readSetting = async (file: string): Promise<{ key: string | null; code: string; server?: string }> => {
  const none = { key: null, code: '' };
  if (file === '') return none;
  try {
    const read: Readonly<Record<string, unknown>> = JSON.parse(await readFile(file, 'utf8'));
    const { publishable_test_key: key, code } = read;
    return typeof key === 'string' && KEY.test(key) && typeof code === 'string' && CODE.test(code)
      ? { key, code, server: '/shop/server' }
      : none;
  } catch {
    return none;
  }
};

export interface StorefrontFile {
  readonly path: string;
  readonly respond: (context: RequestContext) => Promise<Response>;
}

const guarded = (response: Response): Response => {
  response.headers.set('Content-Security-Policy', POLICY);
  response.headers.set('Referrer-Policy', 'no-referrer');
  response.headers.set('X-Frame-Options', 'DENY');
  return response;
};

const file = (path: string, type: string, make: () => Promise<Uint8Array>): StorefrontFile => {
  const lasting = new LastingFile(type, make);
  return { path, respond: async (context) => guarded(await lasting.respond(context, REVALIDATED)) };
};

/** `demoFile` is where the demo's keys are kept; empty where there is no demo. */
export const storefrontFiles = (demoFile: string): readonly StorefrontFile[] => [
  file('/shop', 'text/html; charset=utf-8', async () => encoder.encode(PAGE)),
  file('/shop/main.js', 'text/javascript; charset=utf-8', () => built('main.tsx')),
  file('/shop/style.css', 'text/css; charset=utf-8', () => built('style.css')),
  {
    path: '/shop/setting.json',
    respond: async (context) => {
      const body = encoder.encode(JSON.stringify(await readSetting(demoFile)));
      return guarded(ownResponse(context, body, 'no-store', 200, 'application/json'));
    },
  },
];
