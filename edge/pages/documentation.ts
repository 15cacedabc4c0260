// Serves the API reference at `/docs` with its OpenAPI document and script. Needs no internet access.
import { createHash } from 'node:crypto';
import { type ElysiaSwaggerConfig, swagger } from '@elysiajs/swagger';
import { Elysia } from 'elysia';
import type { RequestContext } from '#edge/request_context.ts';
import { openapiDocument } from '#proto/document.ts';
import { withPageHeaders } from './browser_program.ts';
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

/**
 * Sets the reference's styles through the API of style sheets, because the page's policy allows no style elements. Creates
 * `noscript` elements in their place, whose text the browser ignores.
 */
const STYLE_SCRIPT = `
const { createElement } = document;
const sheets = new Map();
const adopt = ([{ target }]) => {
  const element = target.closest ? target : target.parentNode;
  sheets.get(element).replaceSync(element.textContent);
  document.adoptedStyleSheets = [...sheets.keys()]
    .sort((one, other) => (one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1))
    .map((each) => sheets.get(each));
};
document.createElement = (name, options) => {
  if (name !== 'style') return createElement.call(document, name, options);
  const element = createElement.call(document, 'noscript');
  sheets.set(element, new CSSStyleSheet());
  new MutationObserver(adopt).observe(element, { childList: true, characterData: true, subtree: true });
  return element;
};
const { setAttribute } = Element.prototype;
Element.prototype.setAttribute = function (name, value) {
  if (name === 'style') this.style.cssText = value;
  else setAttribute.call(this, name, value);
};
`;

/** Adds the language, an empty icon and the script of styles to the plug-in's page. */
const documentText = async (): Promise<string> => {
  const [program, description] = await Promise.all(
    ASSETS.map(async ({ file, name, ending }) => `/docs/${name}.${await file.hash}.${ending}`),
  );
  const plugIn = new Elysia().use(swagger(settings(description!, program!)));
  const rendered = await plugIn.handle(new Request('http://localhost/docs'));
  const text = await rendered.text();
  return text
    .replace('<html>', '<html lang="en">')
    .replace('<head>', `<head>\n    <link rel="icon" href="data:,">\n    <script>${STYLE_SCRIPT}</script>`);
};

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Allows the page's own scripts and styles. */
const policyOf = (html: string): string => {
  const hashes = (name: string): string =>
    [...html.matchAll(new RegExp(`<${name}[^>]*>([^<]+)</${name}>`, 'g'))].map(([, text]) => hashOf(text!)).join(' ');
  return [
    "default-src 'none'",
    `script-src 'self' ${hashes('script')}`,
    `style-src 'self' ${hashes('style')}`,
    "connect-src 'self'",
    "img-src 'self' data:",
    "font-src 'self' data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
};

let policy = '';
const page = new StaticAsset('text/html; charset=utf-8', async () => {
  const html = await documentText();
  policy = policyOf(html);
  return encoder.encode(html);
});

export const documentationPage = async (context: RequestContext): Promise<Response> =>
  withPageHeaders(await page.respond(context, REVALIDATED), policy);

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
