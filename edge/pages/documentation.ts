// The interactive documentation: its page's settings, and the bundle that it runs on, served from here so that it
// works without the internet.
import { fileURLToPath } from 'node:url';
import { type ElysiaSwaggerConfig, swagger } from '@elysiajs/swagger';
import { Elysia } from 'elysia';
import { openapiDocument } from '#proto/document.ts';

/** What the page may be told beyond what the plug-in's older types know: nothing on it leaves this house. */
const QUIET = {
  url: '/openapi.json',
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
  // What every reader has: a key of a store, sent as a bearer token.
  authentication: { preferredSecurityScheme: 'SecretKey' },
};

const DOCUMENTATION: ElysiaSwaggerConfig<'/docs'> = {
  path: '/docs',
  specPath: '/openapi.json',
  provider: 'scalar',
  scalarCDN: '/docs/reference.js',
  scalarConfig: { ...QUIET, withDefaultFonts: false },
  excludeStaticFile: false,
};
// The package names no entry for its browser bundle; it lies beside its style sheet.
const bundle = Bun.file(
  fileURLToPath(new URL('./browser/standalone.js', import.meta.resolve('@scalar/api-reference/style.css'))),
);

export const documentationAssets = () =>
  new Elysia().get(
    '/docs/reference.js',
    () =>
      new Response(bundle, {
        headers: { 'Content-Type': 'text/javascript; charset=utf-8', 'Cache-Control': 'public, max-age=3600' },
      }),
    { detail: { hide: true } },
  );

/** The plug-in's page as it renders it; ours is the answer around it. */
export const documentationPage = async (): Promise<Uint8Array> => {
  const plugIn = new Elysia().use(swagger({ ...DOCUMENTATION, documentation: openapiDocument('/') }));
  const page = await plugIn.handle(new Request('http://localhost/docs'));
  return new Uint8Array(await page.arrayBuffer());
};
