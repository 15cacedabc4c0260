// The interactive documentation: its page's settings, the description that it shows and the bundle that it runs on, served
// from here so that it works without the internet.
import { fileURLToPath } from 'node:url';
import { type ElysiaSwaggerConfig, swagger } from '@elysiajs/swagger';
import { Elysia } from 'elysia';
import type { RequestContext } from '#edge/request_context.ts';
import { openapiDocument } from '#proto/document.ts';
import { IMMUTABLE, LastingFile, REVALIDATED } from './lasting.ts';

const encoder = new TextEncoder();

// The package names no entry for its browser bundle; it lies beside its style sheet.
const bundle = new LastingFile('text/javascript; charset=utf-8', () =>
  Bun.file(
    fileURLToPath(new URL('./browser/standalone.js', import.meta.resolve('@scalar/api-reference/style.css'))),
  ).bytes(),
);
const specification = new LastingFile('application/json', () => encoder.encode(JSON.stringify(openapiDocument('/'))));

/** Under `/docs`, with a name that changes with what is in it. */
const ASSETS: readonly { readonly file: LastingFile; readonly name: string; readonly ending: string }[] = [
  { file: bundle, name: 'reference', ending: 'js' },
  { file: specification, name: 'openapi', ending: 'json' },
];
const ASSET = /^(\w+)\.([0-9a-f]{16})\.(\w+)$/;

const settings = (description: string, program: string): ElysiaSwaggerConfig<'/docs'> => {
  /** What the page may be told beyond what the plug-in's older types know: nothing on it leaves this house. */
  const quiet = {
    url: description,
    telemetry: false,
    hideClientButton: true,
    showDeveloperTools: 'never',
    agent: { disabled: true },
    mcp: { disabled: true },
    // What every reader has: a key of a store, sent as a bearer token.
    authentication: { preferredSecurityScheme: 'SecretKey' },
  };
  return {
    path: '/docs',
    specPath: description,
    provider: 'scalar',
    scalarCDN: program,
    scalarConfig: { ...quiet, withDefaultFonts: false },
    excludeStaticFile: false,
    documentation: openapiDocument('/'),
  };
};

/** The plug-in's page as it renders it; ours is the answer around it. */
const page = new LastingFile('text/html; charset=utf-8', async () => {
  const [program, description] = await Promise.all(
    ASSETS.map(async ({ file, name, ending }) => `/docs/${name}.${await file.hash}.${ending}`),
  );
  const plugIn = new Elysia().use(swagger(settings(description!, program!)));
  const rendered = await plugIn.handle(new Request('http://localhost/docs'));
  return rendered.bytes();
});

export const documentationPage = (context: RequestContext): Promise<Response> => page.respond(context, REVALIDATED);

export const specificationFile = (context: RequestContext): Promise<Response> =>
  specification.respond(context, REVALIDATED);

/** A file of the page's by its name; null where it has none such. Of another release's name no copy is kept. */
export const documentationAsset = async (context: RequestContext, asset: string): Promise<Response | null> => {
  const [, name, hash, ending] = ASSET.exec(asset) ?? [];
  const found = ASSETS.find((each) => each.name === name && each.ending === ending);
  return found ? found.file.respond(context, (await found.file.hash) === hash ? IMMUTABLE : REVALIDATED) : null;
};
