// Serves pages that are browser programs: an empty document, the bundled script, and their headers.
import { fileURLToPath } from 'node:url';
import type { RequestContext } from '#edge/request_context.ts';
import { REVALIDATED, StaticAsset } from './static_asset.ts';

interface ProgramSource {
  readonly script: string;
  readonly style: string;
}

/** `name` is the id of the page's root element, and its path, below which its script and style sheet are by default. */
export const programDocument = (
  name: string,
  title: string,
  { script, style }: ProgramSource = { script: `/${name}/main.js`, style: `/${name}/style.css` },
): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${style}">
<script type="module" src="${script}"></script>
</head>
<body>
<div id="${name}"><noscript>The ${name} needs JavaScript.</noscript></div>
</body>
</html>
`;

/** `external` names files that the bundle leaves to their addresses. */
export const bundle = async (file: URL, external: readonly string[] = []): Promise<Uint8Array> => {
  const { outputs } = await Bun.build({
    entrypoints: [fileURLToPath(file)],
    target: 'browser',
    minify: true,
    external: [...external],
    define: { 'process.env.NODE_ENV': '"production"' },
  });
  return new Uint8Array(await outputs[0]!.arrayBuffer());
};

export interface BuiltFile {
  /** Contains the hash of the contents. */
  readonly name: string;
  readonly isEntry: boolean;
  readonly bytes: Uint8Array;
}

export const bundleInParts = async (file: URL, folder: string): Promise<readonly BuiltFile[]> => {
  const { outputs } = await Bun.build({
    entrypoints: [fileURLToPath(file)],
    target: 'browser',
    minify: true,
    splitting: true,
    publicPath: folder,
    naming: { entry: '[name]-[hash].[ext]', chunk: 'part-[hash].[ext]' },
    define: { 'process.env.NODE_ENV': '"production"' },
  });
  return Promise.all(
    outputs.map(async (output) => ({
      name: output.path.replace(/^\.?\//, ''),
      isEntry: output.kind === 'entry-point',
      bytes: new Uint8Array(await output.arrayBuffer()),
    })),
  );
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
