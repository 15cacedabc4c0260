// Pages that are programs of the browser: a document that holds none of their text, what is built for it, and the headers that
// go with all of it.
import { fileURLToPath } from 'node:url';
import type { RequestContext } from '#edge/request_context.ts';
import { REVALIDATED, StaticAsset } from './static_asset.ts';

/** `name` is the page's path without its slash, its element's id, and where its script and style sheet lie. */
export const programDocument = (name: string, title: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/${name}/style.css">
<script type="module" src="/${name}/main.js"></script>
</head>
<body>
<div id="${name}"><noscript>The ${name} needs JavaScript.</noscript></div>
</body>
</html>
`;

/** A file with all that it imports. */
export const bundle = async (file: URL): Promise<Uint8Array> => {
  const { outputs } = await Bun.build({
    entrypoints: [fileURLToPath(file)],
    target: 'browser',
    minify: true,
    define: { 'process.env.NODE_ENV': '"production"' },
  });
  return new Uint8Array(await outputs[0]!.arrayBuffer());
};

export interface ProgramFile {
  readonly path: string;
  readonly respond: (context: RequestContext) => Promise<Response>;
}

export const withPageHeaders = (response: Response, policy: string): Response => {
  response.headers.set('Content-Security-Policy', policy);
  response.headers.set('Referrer-Policy', 'no-referrer');
  response.headers.set('X-Frame-Options', 'DENY');
  return response;
};

/** Each is made when it is first asked for, and once. */
export const programFile =
  (policy: string) =>
  (path: string, type: string, make: () => Promise<Uint8Array>): ProgramFile => {
    const asset = new StaticAsset(type, make);
    return { path, respond: async (context) => withPageHeaders(await asset.respond(context, REVALIDATED), policy) };
  };
