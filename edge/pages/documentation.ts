// The interactive documentation: its page's settings, the description that it shows and the bundle that it runs on, served
// from here so that it works without the internet.
import { type ElysiaSwaggerConfig, swagger } from '@elysiajs/swagger';
import { Elysia } from 'elysia';
import type { RequestContext } from '#edge/request_context.ts';
import { openapiDocument } from '#proto/document.ts';
import { IMMUTABLE, REVALIDATED, StaticAsset } from './static_asset.ts';

const encoder = new TextEncoder();

/**
 * Scalar's program. The package of the program alone brings what it was made of, 260 MB of sources and icons. This one has it
 * inside a plug-in for another server, which is asked as that server would ask.
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

/** Under `/docs`, with a name that changes with what is in it. */
const ASSETS: readonly { readonly file: StaticAsset; readonly name: string; readonly ending: string }[] = [
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

/** The plug-in's page as it renders it, with what it leaves out: its language, and that it has no icon to be asked for. */
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

/** A file of the page's by its name; null where it has none such. Of another release's name no copy is kept. */
export const documentationAsset = async (context: RequestContext, asset: string): Promise<Response | null> => {
  const [, name, hash, ending] = ASSET.exec(asset) ?? [];
  const found = ASSETS.find((each) => each.name === name && each.ending === ending);
  return found ? found.file.respond(context, (await found.file.hash) === hash ? IMMUTABLE : REVALIDATED) : null;
};
