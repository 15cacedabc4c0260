// Serves the API reference at `/docs` with its OpenAPI document and script. Needs no internet access.
import { type ElysiaSwaggerConfig, swagger } from '@elysiajs/swagger';
import { Elysia } from 'elysia';
import type { RequestContext } from '#edge/request_context.ts';
import { openapiDocument } from '#proto/document.ts';
import { IMMUTABLE, REVALIDATED, StaticAsset } from './static_asset.ts';

const encoder = new TextEncoder();

/**
 * Reads Scalar's script from its Fastify plug-in, because the script's own package contains 260 MB of sources and
 * icons. A minimal object replaces the Fastify server.
 */
const programText = async (): Promise<string> => {
  const { default: plugIn } = await import('@scalar/fastify-api-reference');
  let text = '';
  const reply = {
    header: () => reply,
    send: (body: string) => {
      text = body;
    },
  };
  const route = ({ url, handler }: { url: string; handler: (request: null, answer: typeof reply) => void }) => {
    if (url.endsWith('.js')) handler(null, reply);
  };
  plugIn({ route }, { configuration: { url: '/' } }, () => {});
  if (text === '') throw new Error('The plug-in of the reference serves no program.');
  return text;
};

const bundle = new StaticAsset('text/javascript; charset=utf-8', async () => encoder.encode(await programText()));
const specification = new StaticAsset('application/json', () => encoder.encode(JSON.stringify(openapiDocument('/'))));

const ASSETS: readonly { readonly file: StaticAsset; readonly name: string; readonly ending: string }[] = [
  { file: bundle, name: 'reference', ending: 'js' },
  { file: specification, name: 'openapi', ending: 'json' },
];
const ASSET = /^(\w+)\.([0-9a-f]{16})\.(\w+)$/;

const settings = (description: string, program: string): ElysiaSwaggerConfig<'/docs'> => {
  /** Options that the plug-in's outdated types lack. With them the page sends no request to other hosts. */
  const quiet = {
    url: description,
    telemetry: false,
    hideClientButton: true,
    showDeveloperTools: 'never',
    agent: { disabled: true },
    mcp: { disabled: true },
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

/** Adds the language and an empty icon to the plug-in's page, which has neither. */
const page = new StaticAsset('text/html; charset=utf-8', async () => {
  const [program, description] = await Promise.all(
    ASSETS.map(async ({ file, name, ending }) => `/docs/${name}.${await file.hash}.${ending}`),
  );
  const plugIn = new Elysia().use(swagger(settings(description!, program!)));
  const rendered = await plugIn.handle(new Request('http://localhost/docs'));
  const text = await rendered.text();
  return encoder.encode(
    text.replace('<html>', '<html lang="en">').replace('<head>', '<head>\n    <link rel="icon" href="data:,">'),
  );
});

export const documentationPage = (context: RequestContext): Promise<Response> => page.respond(context, REVALIDATED);

export const specificationFile = (context: RequestContext): Promise<Response> =>
  specification.respond(context, REVALIDATED);

/**
 * Returns null for an unknown name. A name with the hash of another release gets the current file, which clients must
 * revalidate.
 */
export const documentationAsset = async (context: RequestContext, asset: string): Promise<Response | null> => {
  const [, name, hash, ending] = ASSET.exec(asset) ?? [];
  const found = ASSETS.find((each) => each.name === name && each.ending === ending);
  return found ? found.file.respond(context, (await found.file.hash) === hash ? IMMUTABLE : REVALIDATED) : null;
};
