// The console for developers, `/console`: one page, its script and its style sheet, all from here. The key that is typed
// in goes nowhere but into the page's own requests.
import { fileURLToPath } from 'node:url';
import type { RequestContext } from '#edge/request_context.ts';
import { LastingFile, REVALIDATED } from './lasting.ts';

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Console</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/console/style.css">
<script type="module" src="/console/main.js"></script>
</head>
<body>
<div id="console"><noscript>The console needs JavaScript.</noscript></div>
</body>
</html>
`;

/** Nothing runs, is shown or is asked that is not from here. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const encoder = new TextEncoder();

const script = async (): Promise<Uint8Array> => {
  const { outputs } = await Bun.build({
    entrypoints: [fileURLToPath(new URL('./console/main.tsx', import.meta.url))],
    target: 'browser',
    minify: true,
    define: { 'process.env.NODE_ENV': '"production"' },
  });
  return new Uint8Array(await outputs[0]!.arrayBuffer());
};

const style = async (): Promise<Uint8Array> => {
  const texts = await Promise.all(
    [import.meta.resolve('uplot/dist/uPlot.min.css'), new URL('./console/style.css', import.meta.url).href].map((url) =>
      Bun.file(fileURLToPath(url)).text(),
    ),
  );
  return encoder.encode(texts.join('\n'));
};

export interface ConsoleFile {
  readonly path: string;
  readonly respond: (context: RequestContext) => Promise<Response>;
}

/** Each made when it is first asked for, and once. */
const file = (path: string, type: string, make: () => Promise<Uint8Array>): ConsoleFile => {
  const lasting = new LastingFile(type, make);
  return {
    path,
    respond: async (context) => {
      const response = await lasting.respond(context, REVALIDATED);
      response.headers.set('Content-Security-Policy', POLICY);
      response.headers.set('Referrer-Policy', 'no-referrer');
      response.headers.set('X-Frame-Options', 'DENY');
      return response;
    },
  };
};

export const consoleFiles = (): readonly ConsoleFile[] => [
  file('/console', 'text/html; charset=utf-8', async () => encoder.encode(PAGE)),
  file('/console/main.js', 'text/javascript; charset=utf-8', script),
  file('/console/style.css', 'text/css; charset=utf-8', style),
];
