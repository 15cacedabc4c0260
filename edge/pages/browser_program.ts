// Serves pages that are browser programs: an empty document, the bundled script, and their headers.
import { fileURLToPath } from 'node:url';
import type { RequestContext } from '#edge/request_context.ts';
import { REVALIDATED, StaticAsset } from './static_asset.ts';

/** `name` is the page's path, the id of its root element, and the folder of its script and style sheet. */
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

export const programFile =
  (policy: string) =>
  (path: string, type: string, make: () => Promise<Uint8Array>): ProgramFile => {
    const asset = new StaticAsset(type, make);
    return { path, respond: async (context) => withPageHeaders(await asset.respond(context, REVALIDATED), policy) };
  };
